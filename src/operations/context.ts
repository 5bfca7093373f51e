// What operations need from the world: configuration, connections, a place for caches, somewhere to
// report to. All of it lazy, because most runs need little of it: creating a context loads almost
// nothing. Operations must not print, exit or read the process' own environment; they ask this.
import { findConfigFile } from "../config/find.ts"
import { type ExecSettings, readExecSettings, settingsOf } from "../config/receipt.ts"
import type { Config } from "../config/schema.ts"
import type { CallOptions, ClientManager, ManagerOptions } from "../mcp/manager.ts"
import type { StartedAhead } from "../mcp/started-ahead.ts"
import { cacheDirectory } from "../platform/directories.ts"
import { Guard } from "../platform/guard.ts"
import type { ToolsWatch } from "./watch-tools.ts"

export type LogLevel = "debug" | "info" | "warning" | "error"
export type Elicit = NonNullable<ManagerOptions["elicit"]>
export type Sample = NonNullable<ManagerOptions["sample"]>
export type OnProgress = NonNullable<CallOptions["onProgress"]>

export interface ContextOptions {
  cwd: string
  env: Record<string, string | undefined>
  /** The value of --config. */
  configFlag?: string | undefined
  /** A configuration that is in no file; then none is looked for. */
  config?: Config | undefined
  log: (level: LogLevel, message: string) => void
  /** Asks the user on behalf of a server; without it servers are told that nobody answers. */
  elicit?: Elicit | undefined
  /** Has a model answer a server; without it servers are told that there is none. */
  sample?: Sample | undefined
  onProgress?: OnProgress | undefined
  /** Ends what is under way. */
  signal?: AbortSignal | undefined
}

export interface OperationContext extends AsyncDisposable {
  readonly cwd: string
  readonly configFlag: string | undefined
  readonly env: Record<string, string | undefined>
  /** The configuration file that counts, read or not. */
  configFile(): Promise<string | undefined>
  config(): Promise<Config>
  /** What running a script needs to know of it, without loading the parser. */
  settings(): Promise<ExecSettings>
  /** The client manager, initialized and connected to nothing. */
  manager(): Promise<ClientManager>
  /** Starts servers for a manager that is not there yet, where that can be done before it is. A guess, told of nothing. */
  startAhead(settings: ExecSettings, servers: readonly string[]): Promise<void>
  readonly guard: Guard
  readonly cacheDirectory: string
  readonly elicit?: Elicit | undefined
  readonly onProgress: OnProgress | undefined
  readonly signal: AbortSignal | undefined
  log(level: LogLevel, message: string): void
  /** Warns of what is odd in the configuration, once. */
  warn(warnings: readonly string[]): void
}

/** Creates a context. Disposing it closes every connection and lets the guard go. */
export function createContext(options: ContextOptions): OperationContext {
  return new LazyContext(options)
}

/** A class, because its methods exist once: making closures for each context costs a script's start. */
class LazyContext implements OperationContext {
  private readonly options: ContextOptions
  private found: Promise<string | undefined> | undefined
  private loaded: Promise<Config> | undefined
  private started: Promise<ClientManager> | undefined
  private ahead: Promise<StartedAhead> | undefined
  private watch: ToolsWatch | undefined
  private lazyGuard: Guard | undefined
  private warned = false

  constructor(options: ContextOptions) {
    this.options = options
  }

  get cwd(): string {
    return this.options.cwd
  }

  get configFlag(): string | undefined {
    return this.options.configFlag
  }

  get env(): Record<string, string | undefined> {
    return this.options.env
  }

  get cacheDirectory(): string {
    return cacheDirectory(this.options.env)
  }

  get elicit(): Elicit | undefined {
    return this.options.elicit
  }

  get onProgress(): OnProgress | undefined {
    return this.options.onProgress
  }

  get signal(): AbortSignal | undefined {
    return this.options.signal
  }

  get guard(): Guard {
    this.lazyGuard ??= new Guard()
    return this.lazyGuard
  }

  log(level: LogLevel, message: string): void {
    this.options.log(level, message)
  }

  warn(warnings: readonly string[]): void {
    if (this.warned) return
    this.warned = true
    for (const warning of warnings) this.log("warning", warning)
  }

  configFile(): Promise<string | undefined> {
    const { configFlag, env, cwd, config } = this.options
    if (config !== undefined) return Promise.resolve(undefined)
    this.found ??= Promise.resolve(findConfigFile({ flag: configFlag, env, cwd }))
    return this.found
  }

  config(): Promise<Config> {
    this.loaded ??= this.load()
    return this.loaded
  }

  async settings(): Promise<ExecSettings> {
    const { cwd, cacheDirectory } = this
    if (this.options.config !== undefined) return await settingsOf(this.options.config)
    return await readExecSettings({ file: await this.configFile(), cwd, cacheDirectory })
  }

  manager(): Promise<ClientManager> {
    this.started ??= this.start()
    return this.started
  }

  async startAhead(settings: ExecSettings, servers: readonly string[]): Promise<void> {
    if (this.started !== undefined) return
    this.ahead ??= import("./start-ahead.ts").then(({ startAhead }) => startAhead(this, settings, servers))
    await this.ahead
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A manager that could not be started has nothing to close.
    const manager = await this.started?.catch(() => undefined)
    await this.watch?.settle()
    const ahead = await this.ahead?.catch(() => undefined)
    await Promise.all([manager?.close(), ahead?.close()])
    await this.lazyGuard?.close()
  }

  private async load(): Promise<Config> {
    const { loadConfig } = await import("../config/load.ts")
    const config = this.options.config ?? (await loadConfig({ file: await this.configFile(), cwd: this.cwd }))
    this.warn(config.warnings)
    return config
  }

  private async start(): Promise<ClientManager> {
    const [{ ClientManager }, { ToolsWatch }] = await Promise.all([
      import("../mcp/manager.ts"),
      import("./watch-tools.ts"),
    ])
    const { cacheDirectory } = this
    const watch = new ToolsWatch(async () => ({
      cacheDirectory,
      directory: `${(await this.config()).directory}/servers`,
    }))
    this.watch = watch
    const { env, elicit, sample } = this.options
    const ahead = await this.ahead?.catch(() => undefined)
    const manager = new ClientManager({
      loadConfig: () => this.config(),
      env,
      guard: this.guard,
      ...(ahead !== undefined && { ahead }),
      cacheDirectory,
      onTools: (server, tools) => watch.listed(server, tools),
      onListsChanged: (server, methods) => watch.changed(server, methods, () => manager.listTools(server)),
      onLog: ({ server, level, message }) => this.log(level, `${server}: ${message}`),
      ...(elicit !== undefined && { elicit }),
      ...(sample !== undefined && { sample }),
    })
    await manager.initialize()
    return manager
  }
}
