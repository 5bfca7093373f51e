// A run that is attached to a daemon: a host for its script, and a control connection to whoever started
// it. It lives as long as that connection: when the caller goes, its token is worth nothing any more and
// its calls are cancelled. It never knows of other runs.

import type { z } from "zod"
import { type ErrorCode, exitCodeOf, McpExecError } from "../errors.ts"
import type { ElicitAnswer, ElicitRequest, LogEntry } from "../mcp/manager.ts"
import type { Socket, SocketHandlers } from "../platform/socket.ts"
import type { attachSchema, Control, DaemonMessage, FinishedScript } from "./daemon-protocol.ts"
import type { DaemonServers, ServerUser } from "./daemon-servers.ts"
import type { EndpointHost } from "./endpoint.ts"
import { createHost, type HostOptions, type ToolCallRecord } from "./host.ts"

/** What is noted of the results that scripts get. */
export interface ResultNotes {
  saw(server: string, tool: string, value: unknown): void
  settle(): Promise<void>
}

export type UsedTool = [server: string, tool: string]

export interface RunOptions {
  servers: DaemonServers
  search: HostOptions["search"]
  notes: ResultNotes
  /** A script has ended well that used these tools. */
  remember(script: FinishedScript, tools: UsedTool[]): void
}

// How long the last words of a script that has ended may be on their way.
const lastWordsMs = 1000

export class AttachedRun implements ServerUser {
  readonly token: string
  readonly env: Record<string, string>
  readonly #control: Socket
  readonly #options: RunOptions
  readonly #records: boolean
  readonly #host: EndpointHost
  /** The tools that have answered, by name. */
  readonly #used = new Map<string, UsedTool>()
  readonly #asked = new Map<number, (answer: Control) => void>()
  readonly #scripts = new Map<Socket, SocketHandlers>()
  #nextId = 0
  #isOver = false
  #scriptsGone: (() => void) | undefined

  constructor(control: Socket, { token, env, servers, records }: z.infer<typeof attachSchema>, options: RunOptions) {
    this.token = token
    this.env = env
    this.#control = control
    this.#records = records
    this.#options = options
    const view = options.servers.viewFor(this)
    this.#host = createHost({
      token,
      manager: () => Promise.resolve(view),
      servers,
      search: options.search,
      keep: (name, content) => this.#keep(name, content),
      onCall: (call) => this.#report(call),
      onResult: (server, tool, value) => options.notes.saw(server, tool, value),
      onFailed: (failure) => this.#tell({ type: "failed", failure }),
    })
  }

  /** Takes a connection that has shown this run's token. */
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
    else {
      this.#asked.get(message.id)?.(message)
      this.#asked.delete(message.id)
    }
  }

  /** Nobody waits for this run any more. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
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

  async elicit(request: ElicitRequest): Promise<ElicitAnswer> {
    const answer = await this.#ask((id) => ({ type: "elicit", id, request }))
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
    if (call.ok) this.#used.set(`${call.server}.${call.tool}`, [call.server, call.tool])
    if (this.#records) this.#tell({ type: "call", call })
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
    if (script !== undefined && this.#used.size > 0) this.#options.remember(script, [...this.#used.values()])
    if (this.#scripts.size > 0) {
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
