// The back end: POST /chat with { "messages": […] } streams the events of one turn (server-sent events).
// Whoever closes the connection ends the turn, and the script that runs for it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type ChatEvent, chat, type Message, type Model } from "./chat.ts"
import type { Executor } from "./executor.ts"

export interface Backend {
  model: Model
  execute: Executor
  /** Comes before the user's messages. */
  system: string
}

const maxBodyLength = 1_000_000

/** Makes the HTTP server; the caller decides where it listens. */
export function createBackend(backend: Backend): Server {
  return createServer((request, response) => {
    answer(backend, request, response).catch((error) => refuse(response, 500, String(error)))
  })
}

async function answer(backend: Backend, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== "POST" || request.url !== "/chat") return refuse(response, 404, "There is only POST /chat")
  const messages = messagesIn(await bodyOf(request))
  if (messages === undefined) {
    return refuse(response, 400, 'Send {"messages": [{"role": "user", "content": "…"}]}, at most 1 MB')
  }
  const leaving = new AbortController()
  response.once("close", () => leaving.abort())
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
  const { model, execute, system } = backend
  const turn = { model, execute, signal: leaving.signal }
  try {
    for await (const event of chat({ ...turn, messages: [{ role: "system", content: system }, ...messages] })) {
      send(response, event.type === "done" ? withoutSystem(event) : event)
    }
  } catch (error) {
    // The model could not be reached, or its reply not be read.
    if (!leaving.signal.aborted) send(response, { type: "error", message: String(error) })
  }
  response.end()
}

/** The client gets back what it may send along with its next message. */
function withoutSystem(event: Extract<ChatEvent, { type: "done" }>): ChatEvent {
  return { ...event, messages: event.messages.filter(({ role }) => role !== "system") }
}

function send(response: ServerResponse, event: ChatEvent | { type: "error"; message: string }): void {
  response.write(`data: ${JSON.stringify(event)}\n\n`)
}

function refuse(response: ServerResponse, status: number, error: string): void {
  if (!response.headersSent) response.writeHead(status, { "content-type": "application/json" })
  response.end(`${JSON.stringify({ error })}\n`)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ""
  request.setEncoding("utf8")
  for await (const chunk of request) {
    text += chunk
    if (text.length > maxBodyLength) return ""
  }
  return text
}

/** Only what a user may send: instructions are ours. */
function messagesIn(body: string): Message[] | undefined {
  try {
    const { messages } = JSON.parse(body)
    return Array.isArray(messages) && messages.length > 0 && messages.every(isMessage) ? messages : undefined
  } catch {
    return undefined // not JSON
  }
}

function isMessage(value: unknown): value is Message {
  const { role, content } = (value ?? {}) as Partial<Message>
  return (role === "user" || role === "assistant") && typeof content === "string"
}
