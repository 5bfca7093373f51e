// What operations need from the world: configuration, connections, a place for caches, somewhere to
// report to. All of it lazy, because most runs need little of it: creating a context loads almost
// nothing. Operations must not print, exit or read the process' own environment; they ask this.
import { findConfigFile } from "../config/find.ts"
import type { Config } from "../config/schema.ts"
import type { CallOptions, ClientManager, ManagerOptions } from "../mcp/manager.ts"
import { cacheDirectory } from "../platform/directories.ts"
import { Guard } from "../platform/guard.ts"

export type LogLevel = "debug" | "info" | "warning" | "error"
export type Elicit = NonNullable<ManagerOptions["elicit"]>
export type OnProgress = NonNullable<CallOptions["onProgress"]>

export interface ContextOptions {
  cwd: string
  env: Record<string, string | undefined>
  /** The value of --config. */
  configFlag?: string | undefined
  log: (level: LogLevel, message: string) => void
  /** Asks the user on behalf of a server; without it servers are told that nobody answers. */
  elicit?: Elicit | undefined
  onProgress?: OnProgress | undefined
  /** Ends what is under way. */
  signal?: AbortSignal | undefined
}

export interface OperationContext extends AsyncDisposable {
  readonly cwd: string
  readonly env: Record<string, string | undefined>
  /** The configuration file that counts, read or not. */
  configFile(): Promise<string | undefined>
  config(): Promise<Config>
  /** The client manager, initialized and connected to nothing. */
  manager(): Promise<ClientManager>
  readonly guard: Guard
  readonly cacheDirectory: string
  readonly onProgress: OnProgress | undefined
  readonly signal: AbortSignal | undefined
  log(level: LogLevel, message: string): void
}

/** Creates a context. Disposing it closes every connection and lets the guard go. */
export function createContext(options: ContextOptions): OperationContext {
  const { cwd, env, log } = options
  const guard = new Guard()
  const configFile = once(() => findFile(options))
  const config = once(async () => loadFile(await configFile(), options))
  let started: ClientManager | undefined
  const manager = once(async () => {
    const { ClientManager } = await import("../mcp/manager.ts")
    started = new ClientManager({
      loadConfig: config,
      env,
      guard,
      cacheDirectory: cacheDirectory(env),
      onLog: ({ server, level, message }) => log(level, `${server}: ${message}`),
      ...(options.elicit !== undefined && { elicit: options.elicit }),
    })
    await started.initialize()
    return started
  })
  return {
    cwd,
    env,
    configFile,
    config,
    manager,
    guard,
    get cacheDirectory() {
      return cacheDirectory(env)
    },
    onProgress: options.onProgress,
    signal: options.signal,
    log,
    async [Symbol.asyncDispose]() {
      await started?.close()
      await guard.close()
    },
  }
}

async function findFile({ configFlag, env, cwd }: ContextOptions): Promise<string | undefined> {
  return findConfigFile({ flag: configFlag, env, cwd })
}

async function loadFile(file: string | undefined, { cwd, log }: ContextOptions): Promise<Config> {
  const { loadConfig } = await import("../config/load.ts")
  const config = await loadConfig({ file, cwd })
  for (const warning of config.warnings) log("warning", warning)
  return config
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}
