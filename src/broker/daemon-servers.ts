// The servers that a daemon keeps connected. Runs share them, as long as they bring the same credentials:
// a server's variables come from the run that first uses it, and a run with other values gets a server of
// its own. The one it supersedes ends as soon as nobody who began with it is left, so that no call in flight
// is lost. What else a server inherits (PATH, HOME, proxies) is the environment of whoever started the daemon.
import type { Config, ServerConfig } from "../config/schema.ts"
import { variablesOf } from "../config/variables.ts"
import type { ClientManager, ElicitAnswer, ElicitRequest, LogEntry, ManagerOptions } from "../mcp/manager.ts"
import type { ServerStatus } from "./daemon-protocol.ts"
import { ServersOfRun } from "./daemon-view.ts"
import type { HostManager } from "./host.ts"

export const defaultIdleTimeoutMs = 5 * 60_000

/** A run, as far as servers are concerned. */
export interface ServerUser {
  /** Its values of the variables that servers are configured with. */
  readonly env: Record<string, string>
  log(entry: LogEntry): void
  elicit(request: ElicitRequest): Promise<ElicitAnswer>
}

export interface DaemonServersOptions {
  config: Config
  /** The daemon's own environment. */
  env: Record<string, string | undefined>
  createManager(options: Pick<ManagerOptions, "env" | "onLog" | "elicit">): ClientManager
  log(message: string): void
  /** For servers that say nothing else. */
  idleTimeoutMs?: number | undefined
}

/** One connection to a server, with one set of credentials. */
interface Instance {
  server: string
  key: string
  manager: ClientManager
  ready: Promise<void>
  /** Runs that have used it and are not over. */
  users: Set<ServerUser>
  /** Calls under way, by run. */
  active: Map<ServerUser, number>
  isSuperseded: boolean
  idleSince: number
  idleTimer: ReturnType<typeof setTimeout> | undefined
}

export class DaemonServers {
  readonly #options: DaemonServersOptions
  readonly #names: ClientManager
  readonly #instances = new Set<Instance>()
  readonly #closing = new Map<string, Promise<void>>()
  readonly #variables = new Map<string, string[]>()
  #calls = 0

  /** `names` is a manager that is never connected: it answers what the configuration alone can tell. */
  constructor(options: DaemonServersOptions, names: ClientManager) {
    this.#options = options
    this.#names = names
  }

  get calls(): number {
    return this.#calls
  }

  /** The servers as one run sees them. */
  viewFor(user: ServerUser): HostManager {
    return new ServersOfRun(this.#names, {
      use: (server, act) => this.#use(user, server, act),
      isConnected: (server) => this.#find(server, this.#keyFor(server, user))?.manager.state === "connected",
    })
  }

  /** Connects to servers that will be needed. What goes wrong shows in the first call. */
  async warm(servers: readonly string[], user: ServerUser): Promise<void> {
    await Promise.allSettled(
      servers.map((server) => this.#use(user, server, (manager) => manager.describeServer(server))),
    )
  }

  /** The run is over. */
  release(user: ServerUser): void {
    for (const instance of this.#instances) {
      if (!instance.users.delete(user) || instance.users.size > 0) continue
      if (instance.isSuperseded || this.#entry(instance.server)?.keepAlive === false)
        this.#end(instance, "its run is over")
    }
  }

  status(): ServerStatus[] {
    return [...this.#instances].map(({ server, manager, users, active, idleSince }) => ({
      name: server,
      connected: manager.state === "connected",
      calls: total(active),
      runs: users.size,
      idleMs: active.size > 0 ? 0 : Math.round(performance.now() - idleSince),
    }))
  }

  async close(): Promise<void> {
    for (const instance of this.#instances) this.#end(instance, "the daemon ends")
    await Promise.all(this.#closing.values())
  }

  async #use<Result>(
    user: ServerUser,
    server: string,
    act: (manager: ClientManager) => Promise<Result>,
  ): Promise<Result> {
    // Whatever is wrong with the name, this manager has the words for it.
    if (this.#entry(server) === undefined) return await act(this.#names)
    await this.#closing.get(server)
    const instance = this.#instanceFor(server, user)
    this.#calls++
    instance.users.add(user)
    instance.active.set(user, (instance.active.get(user) ?? 0) + 1)
    clearTimeout(instance.idleTimer)
    try {
      await instance.ready
      return await act(instance.manager)
    } finally {
      this.#done(instance, user)
    }
  }

  #done(instance: Instance, user: ServerUser): void {
    const left = (instance.active.get(user) ?? 1) - 1
    if (left > 0) instance.active.set(user, left)
    else instance.active.delete(user)
    if (instance.active.size > 0 || !this.#instances.has(instance)) return
    instance.idleSince = performance.now()
    const idleMs = this.#entry(instance.server)?.idleTimeout ?? this.#options.idleTimeoutMs ?? defaultIdleTimeoutMs
    instance.idleTimer = setTimeout(
      () => this.#end(instance, `nobody has used it for ${idleMs / 1000} s`),
      Math.min(idleMs, 2 ** 31 - 1),
    )
  }

  /** An entry that can be used. */
  #entry(server: string): ServerConfig | undefined {
    const { servers } = this.#options.config
    const entry = Object.hasOwn(servers, server) ? servers[server] : undefined
    return entry?.disabled ? undefined : entry
  }

  #instanceFor(server: string, user: ServerUser): Instance {
    const key = this.#keyFor(server, user)
    const existing = this.#find(server, key)
    if (existing !== undefined) return existing
    for (const instance of this.#instances) {
      if (instance.server !== server) continue
      instance.isSuperseded = true
      if (instance.users.size === 0) this.#end(instance, "a run has other values for its variables")
    }
    const instance = this.#create(server, key, user)
    this.#instances.add(instance)
    return instance
  }

  #create(server: string, key: string, user: ServerUser): Instance {
    const active: Instance["active"] = new Map()
    const { env, log, config } = this.#options
    const variables = Object.values(config.servers).flatMap(variablesOf)
    const others = Object.entries(env).filter(([name]) => !variables.includes(name))
    const manager = this.#options.createManager({
      env: { ...Object.fromEntries(others), ...user.env },
      onLog: (entry) => {
        log(`${entry.server}: [${entry.level}] ${entry.message}`)
        for (const run of active.keys()) run.log(entry)
      },
      elicit: (request) => {
        const [asker, ...more] = active.keys()
        if (asker !== undefined && more.length === 0) return asker.elicit(request)
        log(`${server}: asked a question; declined, because it cannot be known whose call it belongs to`)
        return Promise.resolve({ action: "decline" })
      },
    })
    const ready = manager.initialize()
    // Whoever uses it awaits it.
    ready.catch(() => {})
    const users: Instance["users"] = new Set()
    const idleSince = performance.now()
    return { server, key, manager, ready, users, active, isSuperseded: false, idleSince, idleTimer: undefined }
  }

  #find(server: string, key: string): Instance | undefined {
    for (const instance of this.#instances) if (instance.server === server && instance.key === key) return instance
    return undefined
  }

  /** What tells one set of credentials for a server from another. */
  #keyFor(server: string, { env }: ServerUser): string {
    let names = this.#variables.get(server)
    if (names === undefined) {
      const entry = this.#entry(server)
      names = entry === undefined ? [] : variablesOf(entry)
      this.#variables.set(server, names)
    }
    return names.length === 0 ? "" : JSON.stringify(names.map((name) => env[name] ?? null))
  }

  #end(instance: Instance, reason: string): void {
    const { server } = instance
    clearTimeout(instance.idleTimer)
    if (!this.#instances.delete(instance)) return
    this.#options.log(`${server}: closed, ${reason}`)
    // Whoever uses the server next waits: two of a kind may not get along.
    const before = this.#closing.get(server)
    const closing = Promise.allSettled([before, instance.manager.close()]).then(() => {
      if (this.#closing.get(server) === closing) this.#closing.delete(server)
    })
    this.#closing.set(server, closing)
  }
}

function total(active: ReadonlyMap<ServerUser, number>): number {
  let sum = 0
  for (const count of active.values()) sum += count
  return sum
}
