// The daemon's process, from its start to its end. It ends by itself: when nobody has used it for a
// while, when its configuration or its socket is no longer what it was, and when it is told to. Runs that
// are attached are finished first, except when it is told to stop. What it has started dies with it.
import { rmSync } from "node:fs"
import { Daemon } from "../../broker/daemon.ts"
import { daemonAddress, variablesFor } from "../../broker/daemon-address.ts"
import type { DaemonStatus } from "../../broker/daemon-protocol.ts"
import { DaemonServers } from "../../broker/daemon-servers.ts"
import type { Config } from "../../config/schema.ts"
import { describeError } from "../../errors.ts"
import { ClientManager } from "../../mcp/manager.ts"
import { cacheDirectory } from "../../platform/directories.ts"
import { releaseMemory } from "../../platform/release-memory.ts"
import { version } from "../../version.ts"
import { createContext, type OperationContext } from "../context.ts"
import { ResultWatch } from "../discover/watch-results.ts"
import { DaemonPool } from "../sandbox/pool.ts"
import { sandboxState } from "../sandbox/state.ts"
import { searchTools } from "../search/search-tools.ts"
import { rememberRun } from "../skills/remember-run.ts"
import { ToolsWatch } from "../watch-tools.ts"
import { type Claim, claimAddress, retireOthers } from "./claim.ts"
import { ConfigState } from "./config-state.ts"
import { LogFile, logPath } from "./log-file.ts"
import { lockOf } from "./start.ts"

export interface ServeDaemonInput {
  file: string
  address: string
  /** Servers to connect to at once, besides those of the configuration. */
  warm: string[]
  env: Record<string, string | undefined>
  /** Ends it. */
  signal: AbortSignal
  /** Told what to do with errors that nobody has caught: one mistake must not end the runs of others. */
  onStray?: (report: (error: unknown) => void) => void
  limits?: Partial<typeof defaultLimits>
}

/** How long it stays without use, how often it looks whether it is still wanted, when it gives memory back. */
export const defaultLimits = { idleExitMs: 15 * 60_000, checkEveryMs: 5000, restAfterMs: 1000 }

/** Serves until it is no longer needed. */
export async function serveDaemon(input: ServeDaemonInput): Promise<void> {
  const { file, address, env } = input
  const cwd = file.slice(0, file.lastIndexOf("/")) || "/"
  const log = new LogFile(await logPath(cacheDirectory(env), file))
  const context = createContext({ cwd, env, configFlag: file, log: (level, text) => log.write(`[${level}] ${text}`) })
  input.onStray?.((error) => log.write(`nobody has caught: ${error instanceof Error ? error.stack : error}`))
  try {
    // Before it is read: a change in between is then noticed.
    const state = new ConfigState(file)
    const life = new DaemonLife(input, context, { config: await context.config(), state }, log)
    await life.live()
  } catch (error) {
    log.write(`cannot go on: ${error instanceof Error ? error.message : error}`)
  } finally {
    settle(address)
    await context[Symbol.asyncDispose]()
  }
}

/** It can be found at its address, or never will be: another may be started. */
function settle(address: string): void {
  rmSync(lockOf(address), { force: true })
}

class DaemonLife {
  readonly #input: ServeDaemonInput
  readonly #context: OperationContext
  readonly #config: Config
  readonly #state: ConfigState
  readonly #log: LogFile
  readonly #limits: typeof defaultLimits
  readonly #startedAt = performance.now()
  readonly #ended = Promise.withResolvers<string>()
  /** What servers say of their lists, whoever uses them. */
  readonly #tools = new ToolsWatch(async () => this.#marks())
  #servers: DaemonServers | undefined
  readonly #pool: DaemonPool
  #claim: Claim | undefined
  #idleTimer: ReturnType<typeof setTimeout> | undefined
  #restTimer: ReturnType<typeof setTimeout> | undefined
  #isRetired = false

  constructor(
    input: ServeDaemonInput,
    context: OperationContext,
    { config, state }: { config: Config; state: ConfigState },
    log: LogFile,
  ) {
    this.#input = input
    this.#context = context
    this.#config = config
    this.#state = state
    this.#log = log
    this.#limits = { ...defaultLimits, ...input.limits }
    this.#pool = new DaemonPool(context)
  }

  async live(): Promise<void> {
    const { address, file, signal } = this.#input
    const servers = await this.#createServers()
    const daemon = this.#createDaemon(servers)
    this.#claim = await claimAddress(address, (socket) => daemon.accept(socket))
    if (this.#claim === undefined || !(await this.#isCurrent())) {
      this.#log.write("not needed: there is another, or the configuration has changed")
      this.#claim?.close()
      return
    }
    this.#log.write(`started for ${file}, version ${version}`)
    settle(address)
    signal.addEventListener("abort", () => this.#ended.resolve("stopped"), { once: true })
    const checking = setInterval(() => void this.#check(daemon), this.#limits.checkEveryMs)
    this.#waitForUse()
    void retireOthers(address, file).catch((error) => this.#log.write(`others were not asked to end: ${error}`))
    void this.#warm(servers)
    void this.#pool.warm().catch((error) => this.#log.write(`no containers wait: ${describeError(error).message}`))
    const reason = await this.#ended.promise
    this.#log.write(`ends: ${reason}`)
    clearInterval(checking)
    clearTimeout(this.#idleTimer)
    clearTimeout(this.#restTimer)
    daemon.shut()
    this.#claim.giveUp()
    // First the servers: calls under way are answered with the reason.
    await Promise.all([servers.close(), this.#pool.close()])
    daemon.close()
    await new Promise((resolve) => setTimeout(resolve, 10))
    this.#claim.close()
  }

  #createDaemon(servers: DaemonServers): Daemon {
    const { cacheDirectory } = this.#context
    const { directory, discovery } = this.#config
    const daemon = new Daemon({
      servers,
      search: async (query, options) => (await searchTools(this.#context, { query, ...options })).hits,
      createNotes: () => {
        const watch = new ResultWatch({ ...this.#marks(), observe: discovery === "observe" })
        const settle = async () => void (await Promise.all([watch.settle(), this.#tools.settle()]))
        return { saw: (...seen) => watch.saw(...seen), settle }
      },
      remember: (script, tools) => rememberRun({ script, project: directory, cacheDirectory, tools }),
      stateOf: (script) => sandboxState(this.#config.workspace, script),
      fill: (plan, env) => void this.#pool.use(plan, env),
      status: (runs) => this.#status(runs),
      isCurrent: () => {
        const isCurrent = this.#state.isUnchanged()
        if (!isCurrent) this.#retire(daemon, "the configuration has changed")
        return isCurrent
      },
      order: (order) => (order === "stop" ? this.#ended.resolve("stopped") : this.#retire(daemon, "it was replaced")),
      onBusy: () => {
        clearTimeout(this.#idleTimer)
        clearTimeout(this.#restTimer)
      },
      onIdle: () => this.#waitForUse(),
    })
    return daemon
  }

  async #createServers(): Promise<DaemonServers> {
    const { cacheDirectory, guard } = this.#context
    const createManager: ConstructorParameters<typeof DaemonServers>[0]["createManager"] = (options) => {
      const manager: ClientManager = new ClientManager({
        ...options,
        loadConfig: () => Promise.resolve(this.#config),
        guard,
        cacheDirectory,
        onTools: (server, tools) => this.#tools.listed(server, tools),
        onListsChanged: (server, methods) => this.#tools.changed(server, methods, () => manager.listTools(server)),
      })
      return manager
    }
    const names = createManager({})
    await names.initialize()
    const log = (message: string) => this.#log.write(message)
    this.#servers = new DaemonServers({ config: this.#config, createManager, log }, names)
    return this.#servers
  }

  #marks() {
    return { cacheDirectory: this.#context.cacheDirectory, directory: `${this.#config.directory}/servers` }
  }

  async #warm(servers: DaemonServers): Promise<void> {
    const wanted = new Set([...(this.#config.warm ?? []), ...this.#input.warm])
    const names = [...wanted].filter((name) => this.#config.servers[name]?.keepAlive !== false)
    if (names.length === 0) return
    const env = variablesFor(this.#input.env, await this.#context.settings())
    const user = { env, log: () => {}, elicit: () => Promise.resolve({ action: "decline" } as const) }
    await servers.warm(names, user)
    servers.release(user)
  }

  #status(runs: Pick<DaemonStatus, "runs" | "sandboxed">): DaemonStatus {
    return {
      pid: process.pid,
      version,
      config: this.#input.file,
      uptimeMs: Math.round(performance.now() - this.#startedAt),
      rssBytes: process.memoryUsage.rss(),
      ...runs,
      calls: this.#servers?.calls ?? 0,
      servers: this.#servers?.status() ?? [],
    }
  }

  #waitForUse(): void {
    clearTimeout(this.#idleTimer)
    clearTimeout(this.#restTimer)
    const { restAfterMs } = this.#limits
    // A server that is to be kept for longer keeps the daemon.
    const keptMs = Object.values(this.#config.servers).map(({ idleTimeout = 0 }) => idleTimeout)
    const idleExitMs = Math.min(Math.max(this.#limits.idleExitMs, ...keptMs), 2 ** 31 - 1)
    this.#restTimer = setTimeout(releaseMemory, restAfterMs)
    if (this.#isRetired) this.#ended.resolve("its last run is over")
    else this.#idleTimer = setTimeout(() => this.#ended.resolve("nobody uses it"), idleExitMs)
  }

  /** From now on nobody finds it; it ends with its last run. */
  #retire(daemon: Daemon, reason: string): void {
    if (this.#isRetired) return
    this.#isRetired = true
    this.#log.write(`retires: ${reason}`)
    this.#claim?.giveUp()
    if (daemon.runs === 0) this.#waitForUse()
  }

  async #check(daemon: Daemon): Promise<void> {
    if (this.#claim?.isHeld() === false) this.#retire(daemon, "its socket is gone")
    else if (!(await this.#isCurrent())) this.#retire(daemon, "the configuration or the program has changed")
  }

  /** Whether callers who come now would look for it at its address. */
  async #isCurrent(): Promise<boolean> {
    const { address, file, env } = this.#input
    if (!this.#state.isUnchanged()) return false
    return (await daemonAddress(address.slice(0, address.lastIndexOf("/")), file, env)) === address
  }
}
