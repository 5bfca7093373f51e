// The broker's side of a run: the only door from a script to a server. It admits one script by its
// token, checks every message, forwards calls to the client manager, counts them, and cancels what
// is still running when the script goes away. It never tells a script more than an error's description.
import { describeError, McpExecError } from "../errors.ts"
import { createLineReader, type LineReader } from "../lines.ts"
import { type Fields, isFields } from "../mcp/fields.ts"
import type { ClientManager } from "../mcp/manager.ts"
import { Cancellation, type CancelSignal } from "../platform/cancellation.ts"
import type { Socket, SocketHandlers } from "../platform/socket.ts"
import { type Caller, checkCall, mayUse } from "./caller.ts"
import { type BrokerMessage, type FoundTool, packMessage, type SearchOptions, unpackMessage } from "./messages.ts"
import { isPlainCall } from "./plain-call.ts"
import {
  guestMessageSchema,
  helloSchema,
  maxMessageBytes,
  type Notice,
  protocolVersion,
  type Request,
  type StateRequest,
  textPlacesSchema,
} from "./protocol.ts"
import type { EndpointHost } from "./serve-endpoint.ts"

export interface ToolCallRecord {
  server: string
  tool: string
  durationMs: number
  ok: boolean
  /** Size of the answer as it went to the script. */
  bytes: number
  /** The script that called was in a container. */
  sandbox?: true
}

export type ScriptFailure = Extract<Notice, { type: "failed" }>

/** What a host needs of the client manager. */
export type HostManager = Pick<
  ClientManager,
  "listServers" | "resolve" | "callTool" | "listTools" | "listResources" | "readResource" | "listPrompts" | "getPrompt"
>

export interface HostOptions extends Caller {
  token: string
  manager: () => Promise<HostManager>
  /** Answers `searchTools`. */
  search?: ((query: string, options: SearchOptions) => Promise<FoundTool[]>) | undefined
  /** Takes a file that is to outlive the run. */
  keep?: ((name: string, content: Uint8Array) => Promise<string>) | undefined
  /** Keeps the state of a script in a container, which cannot. */
  state?: ((request: StateRequest) => Promise<unknown>) | undefined
  onCall?: ((call: ToolCallRecord) => void) | undefined
  /** A tool has answered, and the script has been sent the answer. */
  onResult?: ((server: string, tool: string, args: unknown, value: unknown) => void) | undefined
  onFailed?: ((failure: ScriptFailure) => void) | undefined
}

// A script that does not read its answers must not fill our memory.
const highWaterMark = 16 << 20

// Who has not shown a token yet is not listened to for long, and does not come in crowds.
const maxHelloBytes = 64 << 10
const maxStrangers = 32

const mostFound = 100
const tooLarge = `a message is larger than ${maxMessageBytes} bytes`
const notOurs = "a message does not follow the protocol"

/** Makes the host of one run. Its token admits one connection, once. */
export function createHost(options: HostOptions): EndpointHost {
  let tokenUsed = false
  const strangers = new Set<Session>()
  return {
    accept(socket) {
      const session = new Session(socket, options, (token) => {
        if (tokenUsed || token !== options.token) return false
        tokenUsed = true
        strangers.delete(session)
        return true
      })
      strangers.add(session)
      if (strangers.size > maxStrangers) session.refuse("too many connections without a token")
      let heard = 0
      const lines: LineReader = createLineReader((line) => session.receive(line, lines), {
        maxBytes: maxMessageBytes,
        onOverflow: () => session.refuse(tooLarge),
      })
      const handlers: SocketHandlers = {
        data(chunk) {
          lines.push(chunk)
          heard += chunk.length
          if (heard > maxHelloBytes && strangers.has(session)) session.refuse("too much before the hello")
        },
        drained: () => socket.resume(),
        closed() {
          strangers.delete(session)
          session.abandon()
        },
      }
      return handlers
    },
  }
}

class Session {
  readonly #socket: Socket
  readonly #options: HostOptions
  readonly #admit: (token: string) => boolean
  readonly #running = new Map<number, Cancellation>()
  #admitted = false
  #takesTexts = false
  #closed = false

  constructor(socket: Socket, options: HostOptions, admit: (token: string) => boolean) {
    this.#socket = socket
    this.#options = options
    this.#admit = admit
  }

  receive(line: string, lines: LineReader): void {
    if (this.#closed) return
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      return this.refuse("a message is not JSON")
    }
    if (!this.#admitted) this.#receiveHello(message)
    else if (isFields(message) && message.texts !== undefined) this.#receiveTexts(message, line.length, lines)
    else this.#receiveMessage(message)
  }

  #receiveTexts(message: Fields, lineLength: number, lines: LineReader): void {
    const places = textPlacesSchema.safeParse(message.texts)
    if (!places.success) return this.refuse(notOurs)
    const sizes = places.data.map(({ bytes }) => bytes)
    if (sizes.reduce((total, bytes) => total + bytes, lineLength) > maxMessageBytes) return this.refuse(tooLarge)
    lines.follow(sizes, (texts) => {
      if (!unpackMessage(message, places.data, texts)) this.refuse(notOurs)
      else this.#receiveMessage(message)
    })
  }

  #receiveMessage(message: unknown): void {
    if (this.#closed) return
    const request = isPlainCall(message) ? message : guestMessageSchema.safeParse(message).data
    if (request === undefined) return this.refuse(notOurs)
    if (request.type === "cancel") this.#running.get(request.id)?.abort()
    else if (request.type === "failed") this.#options.onFailed?.(request)
    else if (this.#running.has(request.id)) this.refuse(`the request id ${request.id} is in use`)
    else void this.#answer(request)
  }

  /** Ends a connection that breaks the rules, telling it why. */
  refuse(reason: string): void {
    if (this.#closed) return
    this.#send({ type: "refused", error: { code: "E_BROKER", message: `mcp-exec refused this connection: ${reason}` } })
    this.abandon()
    this.#socket.end()
  }

  /** The script has gone: nobody waits for what is still running. */
  abandon(): void {
    this.#closed = true
    for (const cancellation of this.#running.values()) cancellation.abort()
    this.#running.clear()
  }

  #receiveHello(message: unknown): void {
    const hello = helloSchema.safeParse(message)
    if (!hello.success || hello.data.version !== protocolVersion) return this.refuse("unknown protocol")
    if (!this.#admit(hello.data.token)) return this.refuse("the token is wrong or was used before")
    this.#admitted = true
    this.#takesTexts = hello.data.texts === true
    this.#send({ type: "welcome", version: protocolVersion, ...(this.#takesTexts && { texts: true }) })
  }

  async #answer(request: Request): Promise<void> {
    const cancellation = new Cancellation()
    this.#running.set(request.id, cancellation)
    const startedAt = performance.now()
    const target = request.type === "call" ? { server: request.server ?? "", tool: request.tool } : undefined
    let answer: BrokerMessage
    try {
      answer = { type: "result", id: request.id, value: await this.#perform(request, target, cancellation) }
    } catch (error) {
      answer = { type: "error", id: request.id, error: { ...target, ...describeError(error) } }
    }
    this.#running.delete(request.id)
    const bytes = this.#send(answer)
    if (target !== undefined && request.type === "call" && request.raw !== true && answer.type === "result") {
      this.#options.onResult?.(target.server, target.tool, request.args, answer.value)
    }
    if (target === undefined || this.#options.onCall === undefined) return
    const durationMs = performance.now() - startedAt
    const { sandbox } = this.#options
    this.#options.onCall({ ...target, durationMs, ok: answer.type === "result", bytes, ...(sandbox && { sandbox }) })
  }

  async #perform(request: Request, target: Target | undefined, signal: CancelSignal): Promise<unknown> {
    if (request.type === "search-tools") return await this.#search(request)
    if (request.type === "keep") return this.#options.keep?.(request.name, Buffer.from(request.data, "base64"))
    if (request.type === "state") return await this.#keepState(request)
    const manager = await this.#options.manager()
    if (request.type === "list-servers") return manager.listServers().filter(({ name }) => mayUse(this.#options, name))
    if (request.type === "call" && target !== undefined) {
      // The record and the error should name what was really called, not the spelling in the script.
      if (request.server === undefined) Object.assign(target, manager.resolve(request.tool))
      checkCall(this.#options, target.server, target.tool)
      return await manager.callTool(target.server, target.tool, request.args, {
        signal,
        ...(request.timeoutMs !== undefined && { timeoutMs: request.timeoutMs }),
        ...(request.raw && { raw: true }),
        ...(request.progress && {
          onProgress: (progress) => void this.#send({ type: "progress", id: request.id, ...progress }),
        }),
      })
    }
    if (request.type === "call") throw new McpExecError("E_INTERNAL", "a call without a target")
    checkCall(this.#options, request.server, request.type)
    const options = { signal }
    switch (request.type) {
      case "list-tools":
        return manager.listTools(request.server, options)
      case "list-resources":
        return manager.listResources(request.server, options)
      case "read-resource":
        return manager.readResource(request.server, request.uri, options)
      case "list-prompts":
        return manager.listPrompts(request.server, options)
      case "get-prompt":
        return manager.getPrompt(request.server, request.name, request.args, options)
    }
  }

  async #keepState(request: StateRequest): Promise<unknown> {
    const { state } = this.#options
    if (state !== undefined) return await state(request)
    throw new McpExecError("E_STATE", "The broker keeps no state for this run", {
      hint: "Outside the sandbox a script keeps it itself, in its workspace.",
    })
  }

  async #search({
    query,
    detail,
    server,
    limit = 10,
  }: Extract<Request, { type: "search-tools" }>): Promise<FoundTool[]> {
    const { search } = this.#options
    if (search === undefined) {
      throw new McpExecError("E_BROKER", "This run cannot search for tools", {
        hint: "listServers() and listTools(server) tell what there is.",
      })
    }
    if (server !== undefined) checkCall(this.#options, server, "search-tools")
    const found = await search(query, {
      ...(detail !== undefined && { detail }),
      ...(server !== undefined && { server }),
      // Some of them may be left out below.
      limit: this.#options.servers === undefined ? limit : mostFound,
    })
    const allowed = found.filter((tool) => tool.server === undefined || mayUse(this.#options, tool.server))
    return allowed.slice(0, limit)
  }

  /** Tells how many characters went to the script. */
  #send(message: BrokerMessage): number {
    const texts = this.#takesTexts ? packMessage(message, contentOf(message)) : [`${JSON.stringify(message)}\n`]
    const length = texts.reduce((total, text) => total + text.length, 0)
    if (this.#closed) return length
    for (const text of texts) this.#socket.send(text)
    if (this.#socket.queued > highWaterMark) this.#socket.pause()
    return length
  }
}

function contentOf(message: BrokerMessage): unknown {
  return message.type === "result" ? message.value : undefined
}

interface Target {
  server: string
  tool: string
}
