// The connection to one server: at most one at a time, opened when it is first needed, shared by all who
// need it, and opened again after it was lost. Nothing it has started outlives its closing.
import type { Config, ServerConfig } from "../config/schema.ts"
import { ServerError } from "../errors.ts"
import type { CancelSignal } from "../platform/cancellation.ts"
import { connectError } from "./connect-error.ts"
import type { Link } from "./link.ts"
import { negotiate } from "./negotiate.ts"
import type { ManagerOptions } from "./options.ts"
import type { ClientHooks } from "./ourselves.ts"
import { type StdioOptions, StdioTransport } from "./stdio-transport.ts"
import { resolveTarget, type Target } from "./transport.ts"
import type { VerdictStore } from "./verdicts.ts"
import { longestTimerMs, unlessAborted } from "./wait.ts"

const defaultTimeoutMs = 30_000

export interface ConnectionContext {
  config: Config
  options: ManagerOptions
  verdicts: VerdictStore
  hooks: ClientHooks
  onConnected(): void
  onLost(): void
}

interface Prepared {
  target: Target
  process: StdioTransport | undefined
}

export class Connection {
  readonly name: string
  readonly entry: ServerConfig
  readonly #context: ConnectionContext
  /** Every process that has not ended yet, also those of connections that were lost or never made. */
  readonly #processes = new Set<StdioTransport>()
  #prepared: Promise<Prepared> | undefined
  #opening: Promise<Link> | undefined
  #abandon: AbortController | undefined
  #link: Link | undefined
  #isClosed = false

  constructor(name: string, entry: ServerConfig, context: ConnectionContext) {
    this.name = name
    this.entry = entry
    this.#context = context
  }

  /** The connection as it is now, without opening one. */
  get link(): Link | undefined {
    return this.#link
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Starts the server's process, if it has one, ahead of the first request. Failures surface when connecting. */
  prespawn(): void {
    if (this.#link !== undefined || this.#opening !== undefined || this.#isClosed) return
    this.#prepared ??= this.#prepare()
    this.#prepared.catch(() => {})
  }

  /** The connection, opened if there is none. The signal ends the waiting, not the connecting. */
  open(signal?: CancelSignal): Promise<Link> {
    if (this.#link !== undefined) return Promise.resolve(this.#link)
    if (this.#isClosed) {
      return Promise.reject(new ServerError("E_SERVER_CLOSED", this.name, `Server '${this.name}' is closed`))
    }
    this.#opening ??= this.#establish().finally(() => {
      this.#opening = undefined
    })
    return signal === undefined ? this.#opening : unlessAborted(this.#opening, signal)
  }

  /** Gives up a connection that no longer works; the next request opens another. */
  drop(link: Link): void {
    this.#forget(link)
    void link.close().catch(() => {})
  }

  /** Ends the connection, also one that is still being made, and every process that belongs to it. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#abandon?.abort("closed")
    const link = this.#link
    if (link !== undefined) this.#forget(link)
    await Promise.allSettled([link?.close(), this.#prepared, this.#opening])
    await Promise.all([...this.#processes].map((each) => each.close()))
  }

  async #prepare(): Promise<Prepared> {
    const { config, options } = this.#context
    const { env = process.env, cacheDirectory } = options
    const target = await resolveTarget(this.name, this.entry, { config, env, cacheDirectory })
    const child = target.kind === "process" ? this.#createProcess(target) : undefined
    child?.launch()
    return { target, process: child }
  }

  #createProcess({ command }: Extract<Target, { kind: "process" }>): StdioTransport {
    const { hooks, options } = this.#context
    const listeners: StdioOptions = {
      guard: options.guard,
      onJunk: (line) => hooks.log("debug", `printed a line that is not a message: ${line.slice(0, 200)}`),
      onEnded: () => this.#processes.delete(child),
    }
    const child: StdioTransport = options.ahead?.take(command, listeners) ?? new StdioTransport(command, listeners)
    this.#processes.add(child)
    return child
  }

  async #establish(): Promise<Link> {
    const { config, options, verdicts, hooks } = this.#context
    const timeoutMs = Math.min(this.entry.timeout ?? options.connectTimeoutMs ?? defaultTimeoutMs, longestTimerMs)
    const abandon = new AbortController()
    const { signal } = abandon
    this.#abandon = abandon
    const timer = setTimeout(() => abandon.abort("timeout"), timeoutMs)
    let target: Target | undefined
    let child: StdioTransport | undefined
    try {
      const preparing = this.#prepared ?? this.#prepare()
      this.#prepared = undefined
      const prepared = await preparing
      target = prepared.target
      let unused = prepared.process
      const freshProcess = () => {
        if (target?.kind !== "process") throw new Error("the server has no process")
        child = unused ?? this.#createProcess(target)
        unused = undefined
        return child
      }
      const link = await negotiate(target, { hooks, verdicts, signal, timeoutMs, freshProcess })
      await this.#adopt(link, signal)
      return link
    } catch (error) {
      const abandoned = signal.aborted ? signal.reason : undefined
      throw await connectError(error, { server: this.name, config, target, process: child, timeoutMs, abandoned })
    } finally {
      clearTimeout(timer)
    }
  }

  async #adopt(link: Link, signal: AbortSignal): Promise<void> {
    if (signal.aborted || link.isClosed()) {
      await link.close()
      throw signal.reason ?? new Error("the connection was closed at once")
    }
    link.whenClosed(() => this.#forget(link))
    this.#link = link
    this.#context.onConnected()
  }

  #forget(link: Link): void {
    if (this.#link !== link) return
    this.#link = undefined
    this.#context.onLost()
  }
}
