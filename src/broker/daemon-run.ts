// A run that is attached to a daemon: a host for its script, and a control connection to whoever started
// it. It lives as long as that connection: when the caller goes, its token is worth nothing any more and
// its calls are cancelled. It never knows of other runs.

import type { z } from "zod"
import { type ErrorCode, exitCodeOf, McpExecError } from "../errors.ts"
import type { ElicitAnswer, ElicitRequest, LogEntry } from "../mcp/manager.ts"
import type { Listener, Socket, SocketHandlers } from "../platform/socket.ts"
import type { attachSchema, Control, DaemonMessage, FinishedScript } from "./daemon-protocol.ts"
import type { DaemonServers, ServerUser } from "./daemon-servers.ts"
import { createHost, type HostOptions, type ToolCallRecord } from "./host.ts"
import { type EndpointHost, serveEndpoint } from "./serve-endpoint.ts"

/** What is noted of the results that scripts get. */
export interface ResultNotes {
  saw(server: string, tool: string, args: unknown, value: unknown): void
  settle(): Promise<void>
}

type Attached = z.infer<typeof attachSchema>

export type UsedTool = [server: string, tool: string]

export interface RunOptions {
  servers: DaemonServers
  search: HostOptions["search"]
  /** The state of a sandboxed script. */
  stateOf(script: string): HostOptions["state"]
  /** A sandboxed run has used a container like this. */
  fill(plan: unknown, env: Record<string, string>): void
  notes: ResultNotes
  /** A script has ended well that used these tools. */
  remember(script: FinishedScript, tools: UsedTool[]): Promise<void>
}

// How long the last words of a script that has ended may be on their way.
const lastWordsMs = 1000

export class AttachedRun implements ServerUser {
  readonly token: string
  readonly env: Record<string, string>
  readonly isSandboxed: boolean
  readonly #control: Socket
  readonly #options: RunOptions
  readonly #address: string | undefined
  readonly #records: boolean
  readonly #host: EndpointHost
  /** The tools that have answered, by name. */
  readonly #used = new Map<string, UsedTool>()
  readonly #asked = new Map<number, (answer: Control) => void>()
  readonly #scripts = new Map<Socket, SocketHandlers>()
  #listener: Listener | undefined
  #nextId = 0
  #isOver = false
  #scriptsGone: (() => void) | undefined

  constructor(control: Socket, { token, env, servers, address, sandbox, records }: Attached, options: RunOptions) {
    this.token = token
    this.env = env
    this.isSandboxed = sandbox !== undefined
    this.#address = address
    this.#control = control
    this.#records = records
    this.#options = options
    const view = options.servers.viewFor(this)
    this.#host = createHost({
      token,
      manager: () => Promise.resolve(view),
      servers,
      sandbox: this.isSandboxed,
      ...(sandbox !== undefined && { state: options.stateOf(sandbox.script) }),
      search: options.search,
      keep: (name, content) => this.#keep(name, content),
      onCall: (call) => this.#report(call),
      onResult: (server, tool, args, value) => options.notes.saw(server, tool, args, value),
      onFailed: (failure) => this.#tell({ type: "failed", failure }),
    })
  }

  /** Listens where the script looks for it: there nobody gets further than to this run's host. */
  async listen(): Promise<void> {
    if (this.#address === undefined) return
    const endpoint = { address: this.#address, token: this.token, sandbox: this.isSandboxed }
    this.#listener = await serveEndpoint(endpoint, async () => this)
    if (this.#isOver) this.#listener.close()
  }

  /** Takes a connection of the script. */
  accept(socket: Socket): SocketHandlers {
    const handlers = this.#host.accept(socket)
    this.#scripts.set(socket, handlers)
    return {
      ...handlers,
      closed: () => {
        handlers.closed()
        this.#scripts.delete(socket)
        if (this.#scripts.size === 0) this.#scriptsGone?.()
      },
    }
  }

  receive(message: Control): void {
    if (message.type === "finish") void this.#finish(message.script)
    else if (message.type === "warm") void this.#options.servers.warm(message.servers, this)
    else if (message.type === "fill") this.#options.fill(message.plan, message.env)
    else {
      this.#asked.get(message.id)?.(message)
      this.#asked.delete(message.id)
    }
  }

  /** Nobody waits for this run any more. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#listener?.close()
    for (const [socket, handlers] of this.#scripts) {
      handlers.closed()
      socket.end()
    }
    for (const answer of this.#asked.values()) answer({ type: "finish" })
    this.#asked.clear()
    this.#options.servers.release(this)
    void this.#options.notes.settle()
  }

  log({ server, level, message }: LogEntry): void {
    this.#tell({ type: "log", level, message: `${server}: ${message}` })
  }

  async elicit(request: ElicitRequest, signal?: AbortSignal): Promise<ElicitAnswer> {
    const answer = await this.#ask((id) => {
      signal?.addEventListener("abort", () => this.#withdraw(id), { once: true })
      return { type: "elicit", id, request }
    })
    return answer.type === "elicited" ? answer.answer : { action: "cancel" }
  }

  async #keep(name: string, content: Uint8Array): Promise<string> {
    const data = Buffer.from(content).toString("base64")
    const answer = await this.#ask((id) => ({ type: "keep", id, name, data }))
    if (answer.type === "kept" && answer.path !== undefined) return answer.path
    const error = answer.type === "kept" ? answer.error : undefined
    const code = error !== undefined && error.code in exitCodeOf ? (error.code as ErrorCode) : "E_BROKER"
    throw new McpExecError(code, error?.message ?? `${name} could not be kept`, { hint: error?.hint })
  }

  #report(call: ToolCallRecord): void {
    if (call.ok) this.#remember(call)
    if (this.#records) this.#tell({ type: "call", call })
  }

  #remember({ server, tool }: ToolCallRecord): void {
    const name = `${server}.${tool}`
    if (!this.#used.has(name)) this.#used.set(name, [server, tool])
  }

  #withdraw(id: number): void {
    const answer = this.#asked.get(id)
    if (!this.#asked.delete(id)) return
    this.#tell({ type: "withdrawn", id })
    answer?.({ type: "finish" })
  }

  #ask(message: (id: number) => DaemonMessage): Promise<Control> {
    const id = this.#nextId++
    const { promise, resolve } = Promise.withResolvers<Control>()
    if (this.#isOver) return Promise.resolve({ type: "finish" })
    this.#asked.set(id, resolve)
    this.#tell(message(id))
    return promise
  }

  /** The script's process is gone; what it said before may still be in its socket. */
  async #finish(script: FinishedScript | undefined): Promise<void> {
    if (script !== undefined && this.#used.size > 0) await this.#options.remember(script, [...this.#used.values()])
    if (this.#records && this.#scripts.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, lastWordsMs)
      this.#scriptsGone = resolve
      await promise
      clearTimeout(timer)
    }
    await this.#options.notes.settle()
    this.#tell({ type: "finished" })
    this.end()
    this.#control.end()
  }

  #tell(message: DaemonMessage): void {
    if (!this.#isOver) this.#control.send(`${JSON.stringify(message)}\n`)
  }
}
