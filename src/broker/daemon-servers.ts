// The servers that a daemon keeps connected. Runs share them, as long as they would start the same thing: the
// environment of a server is that of the run which first uses it, and a run that differs in what matters (the
// variables of its configuration, the user's home, the program that its command leads to) gets a server of its
// own. The one it supersedes ends as soon as nobody who began with it is left, so that no call in flight is lost.
// What a server says is heard by the run whose call it is, and by nobody when that cannot be known.
import type { Config, ServerConfig } from "../config/schema.ts"
import { variablesOf } from "../config/variables.ts"
import { McpExecError } from "../errors.ts"
import type { ClientManager, ElicitAnswer, ElicitRequest, LogEntry, ManagerOptions } from "../mcp/manager.ts"
import { findProgram } from "../platform/find-program.ts"
import type { ServerStatus } from "./daemon-protocol.ts"
import { ServersOfRun } from "./daemon-view.ts"
import type { HostManager } from "./host.ts"

export const defaultIdleTimeoutMs = 5 * 60_000

/** A run, as far as servers are concerned. */
export interface ServerUser {
  /** What servers get of its environment. */
  readonly env: Record<string, string>
  log(entry: LogEntry): void
  elicit(request: ElicitRequest, signal?: AbortSignal): Promise<ElicitAnswer>
}

export interface DaemonServersOptions {
  config: Config
  createManager(options: Pick<ManagerOptions, "env" | "onLog" | "elicit">): ClientManager
  log(message: string): void
  /** For servers that say nothing else. */
  idleTimeoutMs?: number | undefined
}

/** What tells one environment for a server from another; the run itself, where each is to have its own. */
type Key = string | ServerUser

/** One connection to a server, in one environment. */
interface Instance {
  server: string
  key: Key
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
  readonly #keys = new WeakMap<ServerUser, Map<string, Key>>()
  readonly #gone = new WeakSet<ServerUser>()
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

  /** Connects to servers that will be needed. What goes wrong shows in the first call, and in the log. */
  async warm(servers: readonly string[], user: ServerUser): Promise<void> {
    const connect = async (server: string) => {
      try {
        await this.#use(user, server, (manager) => manager.describeServer(server))
      } catch (error) {
        this.#options.log(`${server}: not connected ahead: ${error instanceof Error ? error.message : error}`)
      }
    }
    await Promise.all(servers.map(connect))
  }

  /** The run is over. */
  release(user: ServerUser): void {
    this.#gone.add(user)
    for (const instance of this.#instances) {
      if (!instance.users.delete(user) || instance.users.size > 0) continue
      if (instance.isSuperseded || this.#entry(instance.server)?.keepAlive === false)
        this.#end(instance, "its run is over")
      else this.#waitForUse(instance)
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
    // A request that was still on its way would keep the server for ever.
    if (this.#gone.has(user)) throw new McpExecError("E_TOOL_CANCELLED", "The run is over")
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
    instance.idleSince = performance.now()
  }

  /** A run that pauses keeps its servers, as it does without a daemon: they wait from its end on. */
  #waitForUse(instance: Instance): void {
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
      if (instance.users.size === 0) this.#end(instance, "a run has another environment for it")
    }
    const instance = this.#create(server, key, user)
    this.#instances.add(instance)
    return instance
  }

  #create(server: string, key: Key, { env }: ServerUser): Instance {
    const active: Instance["active"] = new Map()
    const users: Instance["users"] = new Set()
    const { log } = this.#options
    const manager = this.#options.createManager({
      env,
      onLog: (entry) => {
        log(`${entry.server}: [${entry.level}] ${entry.message}`)
        onlyOne(active.size > 0 ? active.keys() : users)?.log(entry)
      },
      elicit: (request, signal) => {
        const asker = onlyOne(active.keys())
        if (asker !== undefined) return asker.elicit(request, signal)
        const message =
          "asked a question, which is declined: several runs use it, and nobody knows whose question it is"
        log(`${server}: ${message}`)
        for (const run of active.keys()) run.log({ server, level: "warning", message })
        return Promise.resolve({ action: "decline" })
      },
    })
    // Two of a kind may not get along, so one that is just ending is waited for.
    const ready = Promise.resolve(this.#closing.get(server)).then(() => manager.initialize())
    // Whoever uses it awaits it.
    ready.catch(() => {})
    const idleSince = performance.now()
    return { server, key, manager, ready, users, active, isSuperseded: false, idleSince, idleTimer: undefined }
  }

  #find(server: string, key: Key): Instance | undefined {
    for (const instance of this.#instances) if (instance.server === server && instance.key === key) return instance
    return undefined
  }

  #keyFor(server: string, user: ServerUser): Key {
    const known = this.#keys.get(user)?.get(server)
    if (known !== undefined) return known
    const key = this.#determineKey(this.#entry(server), user)
    const keys = this.#keys.get(user) ?? new Map<string, Key>()
    this.#keys.set(user, keys.set(server, key))
    return key
  }

  #determineKey(entry: ServerConfig | undefined, user: ServerUser): Key {
    if (entry === undefined) return ""
    // What must not outlive a run must not be shared by two either: it would live until the later one's end.
    if (entry.keepAlive === false) return user
    const { env } = user
    const names = "url" in entry ? variablesOf(entry) : [...variablesOf(entry), "HOME"]
    const program = entry.type === "stdio" ? findProgram(entry.command, env.PATH) : undefined
    return JSON.stringify([program, ...names.map((name) => env[name])])
  }

  #end(instance: Instance, reason: string): void {
    const { server } = instance
    clearTimeout(instance.idleTimer)
    if (!this.#instances.delete(instance)) return
    this.#options.log(`${server}: closed, ${reason}`)
    const before = this.#closing.get(server)
    const closing = Promise.allSettled([before, instance.manager.close()]).then(() => {
      if (this.#closing.get(server) === closing) this.#closing.delete(server)
    })
    this.#closing.set(server, closing)
  }
}

function onlyOne(users: Iterable<ServerUser>): ServerUser | undefined {
  const [first, ...more] = users
  return more.length === 0 ? first : undefined
}

function total(active: ReadonlyMap<ServerUser, number>): number {
  let sum = 0
  for (const count of active.values()) sum += count
  return sum
}
