// One call's view of a context that many calls share: the same configuration and connections, with a
// signal and a listener of its own.
import type { ExecSettings } from "../../config/receipt.ts"
import type { Config } from "../../config/schema.ts"
import type { ClientManager } from "../../mcp/manager.ts"
import type { Guard } from "../../platform/guard.ts"
import type { Elicit, LogLevel, OnProgress, OperationContext } from "../context.ts"

export interface CallHooks {
  /** Ends what the call has under way. */
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

export class CallContext implements OperationContext {
  readonly #shared: OperationContext
  readonly signal: AbortSignal | undefined
  readonly onProgress: OnProgress | undefined

  constructor(shared: OperationContext, { signal, onProgress }: CallHooks) {
    this.#shared = shared
    this.signal = signal
    this.onProgress = onProgress
  }

  get cwd(): string {
    return this.#shared.cwd
  }

  get configFlag(): string | undefined {
    return this.#shared.configFlag
  }

  get env(): Record<string, string | undefined> {
    return this.#shared.env
  }

  get guard(): Guard {
    return this.#shared.guard
  }

  get elicit(): Elicit | undefined {
    return this.#shared.elicit
  }

  get cacheDirectory(): string {
    return this.#shared.cacheDirectory
  }

  configFile(): Promise<string | undefined> {
    return this.#shared.configFile()
  }

  config(): Promise<Config> {
    return this.#shared.config()
  }

  settings(): Promise<ExecSettings> {
    return this.#shared.settings()
  }

  startAhead(settings: ExecSettings, servers: readonly string[]): Promise<void> {
    return this.#shared.startAhead(settings, servers)
  }

  manager(): Promise<ClientManager> {
    return this.#shared.manager()
  }

  log(level: LogLevel, message: string): void {
    this.#shared.log(level, message)
  }

  warn(warnings: readonly string[]): void {
    this.#shared.warn(warnings)
  }

  /** The shared context lives on. */
  async [Symbol.asyncDispose](): Promise<void> {}
}
