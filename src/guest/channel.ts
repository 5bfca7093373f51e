// The script's end of the broker's socket: requests go out, answers find their promises. Connects
// on the first request, because most of what a script does needs no server.
import { type BrokerMessage, type Progress, packMessage, type TextPlace, unpackMessage } from "../broker/messages.ts"
import { type ErrorDescription, McpExecError } from "../errors.ts"
import { createLineReader, type LineReader } from "../lines.ts"
import { connect, type Socket, type SocketHandlers } from "../platform/socket.ts"

export interface RequestOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

/** A request without its id, as `broker/protocol.ts` defines it. */
export type RequestBody = { type: string } & Record<string, unknown>

/** The answer was an error; `callTool` turns it into the error that the script sees. */
export class RequestFailure {
  readonly description: ErrorDescription

  constructor(description: ErrorDescription) {
    this.description = description
  }
}

interface Pending {
  resolve(value: unknown): void
  reject(failure: RequestFailure): void
  onProgress: ((progress: Progress) => void) | undefined
  /** Whatever its end is. */
  done: (() => void) | undefined
}

// Doubling from one millisecond, about four seconds in all.
const longestWaitMs = 2000

export class Channel {
  readonly #env: Record<string, string | undefined>
  readonly #pending = new Map<number, Pending>()
  #socket: Promise<Socket> | undefined
  #connected: Socket | undefined
  /** The broker understands texts behind a line. */
  #takesTexts = false
  #nextId = 0
  #lost: ErrorDescription = { code: "E_BROKER", message: "The connection to mcp-exec was lost" }

  constructor(env: Record<string, string | undefined>) {
    this.#env = env
  }

  /** Sends a request and resolves with its value. Rejects with a RequestFailure only. */
  request(body: RequestBody, { signal, onProgress }: RequestOptions = {}): Promise<unknown> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      // First of all: what cannot be written leaves nothing pending.
      const message = this.#pack({ ...body, id }, body.args ?? body)
      let done: Pending["done"]
      if (signal) {
        const cancelled = () => {
          this.#settle(id)
          this.#send([`${JSON.stringify({ type: "cancel", id })}\n`])
          reject(new RequestFailure({ code: "E_TOOL_CANCELLED", message: "The call was cancelled" }))
        }
        if (signal.aborted) return cancelled()
        signal.addEventListener("abort", cancelled, { once: true })
        done = () => signal.removeEventListener("abort", cancelled)
      }
      this.#pending.set(id, { resolve, reject, onProgress, done })
      if (this.#pending.size === 1) this.#connected?.keepAlive(true)
      this.#send(message)
    })
  }

  /** Tells the broker something that has no answer. Resolves when it is on its way. */
  async notify(body: RequestBody): Promise<void> {
    const socket = await this.#open()
    socket.send(`${JSON.stringify(body)}\n`)
  }

  #pack(message: object, content: unknown): string[] {
    return this.#takesTexts ? packMessage(message, content) : [`${JSON.stringify(message)}\n`]
  }

  #send(texts: string[]): void {
    if (this.#connected !== undefined) for (const text of texts) this.#connected.send(text)
    else
      this.#open().then(
        (socket) => socket.send(texts.join("")),
        (failure) => this.#loseAll(failure),
      )
  }

  #open(): Promise<Socket> {
    this.#socket ??= this.#connect()
    return this.#socket
  }

  async #connect(): Promise<Socket> {
    const { MCP_EXEC_BROKER: address, MCP_EXEC_TOKEN: token } = this.#env
    if (!address || !token) {
      throw new McpExecError("E_BROKER", "This script is not running under mcp-exec", {
        hint: "Start it with: mcp-exec exec <file>",
      })
    }
    const { promise: welcomed, resolve, reject } = Promise.withResolvers<void>()
    const lines: LineReader = createLineReader((line) => {
      const message: BrokerMessage & { texts?: true | TextPlace[] } = JSON.parse(line)
      const { texts: places } = message
      if (message.type === "welcome") {
        this.#takesTexts = places === true
        resolve()
      } else if (Array.isArray(places)) {
        lines.follow(
          places.map(({ bytes }) => bytes),
          (texts) => {
            unpackMessage(message, places, texts)
            delete message.texts
            this.#receive(message)
          },
        )
      } else this.#receive(message)
    })
    const socket = await connectPatiently(address, {
      data: (chunk) => lines.push(chunk),
      closed: () => {
        reject(this.#lost)
        this.#connected = undefined
        const lost = Promise.reject(this.#lost)
        // Only a later request is told; without one nobody needs to know.
        lost.catch(() => {})
        this.#socket = lost
        this.#loseAll(this.#lost)
      },
    })
    socket.send(`${JSON.stringify({ type: "hello", version: 1, token, texts: true })}\n`)
    // Whoever writes to a connection that is being refused may lose the reason along with it.
    await welcomed
    this.#connected = socket
    if (this.#pending.size === 0) socket.keepAlive(false)
    return socket
  }

  #receive(message: Exclude<BrokerMessage, { type: "welcome" }>): void {
    switch (message.type) {
      case "result":
        return this.#settle(message.id)?.resolve(message.value)
      case "error":
        return this.#settle(message.id)?.reject(new RequestFailure(message.error))
      case "progress": {
        const { type: _, id, ...progress } = message
        try {
          this.#pending.get(id)?.onProgress?.(progress)
        } catch (error) {
          // The script's own error: thrown where it is taken for one, not for a broken connection.
          queueMicrotask(() => {
            throw error
          })
        }
        return
      }
      case "refused":
        this.#lost = message.error
        return
    }
  }

  /** Takes a request off the list; an idle connection does not keep the script alive. */
  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (this.#pending.size === 0) this.#connected?.keepAlive(false)
    pending?.done?.()
    return pending
  }

  #loseAll(cause: unknown): void {
    const description: ErrorDescription =
      cause instanceof McpExecError
        ? { code: cause.code, message: cause.message, ...(cause.hint !== undefined && { hint: cause.hint }) }
        : isDescription(cause)
          ? cause
          : {
              code: "E_BROKER",
              message: `mcp-exec cannot be reached: ${cause instanceof Error ? cause.message : cause}`,
            }
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(new RequestFailure(description))
  }
}

/** On a busy machine we may be here before mcp-exec listens: it starts us first, and then listens. */
export async function connectPatiently(address: string, handlers: SocketHandlers): Promise<Socket> {
  for (let waitMs = 1; ; waitMs *= 2) {
    try {
      return await connect(address, handlers)
    } catch (error) {
      if (waitMs > longestWaitMs) throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

function isDescription(value: unknown): value is ErrorDescription {
  return (
    typeof value === "object" && value !== null && "code" in value && "message" in value && !(value instanceof Error)
  )
}
