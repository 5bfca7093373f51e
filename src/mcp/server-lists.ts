// What one server lists, fetched once and kept until the server says that it has changed.
import type { Tool } from "../catalog.ts"
import { ServerError } from "../errors.ts"
import type { CancelSignal } from "../platform/cancellation.ts"
import type { Connection } from "./connection.ts"
import { jsonRpcCode, methodNotFound } from "./failures.ts"
import type { Link } from "./link.ts"
import type { LogEntry, ManagerOptions } from "./options.ts"
import { fetchPages, type ListMethod } from "./pages.ts"
import type { Requests } from "./requests.ts"
import { readTools, taskOnly } from "./tools.ts"
import { unlessAborted } from "./wait.ts"

const defaultListTimeoutMs = 30_000
const subscribeTimeoutMs = 2000

export class ServerLists {
  readonly #connection: Connection
  readonly #requests: Requests
  readonly #timeoutMs: number
  readonly #onTools: (tools: Tool[]) => void
  readonly #log: (level: LogEntry["level"], message: string) => void
  readonly #lists = new Map<string, Promise<unknown[]>>()
  #knownTools: Tool[] | undefined
  #taskTools: ReadonlySet<string> = new Set()
  #watching: Promise<boolean> | undefined

  constructor(connection: Connection, requests: Requests, options: ManagerOptions, onTools: (tools: Tool[]) => void) {
    this.#connection = connection
    this.#requests = requests
    this.#onTools = onTools
    this.#timeoutMs = connection.entry.timeout ?? options.listTimeoutMs ?? defaultListTimeoutMs
    this.#log = (level, message) => options.onLog?.({ server: connection.name, level, message })
  }

  /** The tools, if they have been fetched and are still what they were. */
  get knownTools(): readonly Tool[] | undefined {
    return this.#knownTools
  }

  /** True for a tool that, when it was last listed, could be called as a task only. */
  needsTask(tool: string): boolean {
    return this.#taskTools.has(tool)
  }

  /** Every tool of the server, whether scripts may use it or not. */
  async tools(signal?: CancelSignal): Promise<Tool[]> {
    return (await this.items("tools/list", signal)) as Tool[]
  }

  /** All items of a list. The signal ends the waiting; others may be waiting for the same list. */
  async items(method: ListMethod, signal?: CancelSignal): Promise<unknown[]> {
    const list = this.#lists.get(method) ?? this.#start(method)
    if (signal === undefined) return list
    try {
      return await unlessAborted(list, signal)
    } catch (error) {
      if (!signal.aborted) throw error
      const { name } = this.#connection
      throw new ServerError("E_TOOL_CANCELLED", name, `${method} of server '${name}' was cancelled`, { cause: error })
    }
  }

  /** These lists, or all of them, are no longer what they were. */
  forget(methods?: readonly string[]): void {
    if (methods === undefined) {
      this.#lists.clear()
      this.#watching = undefined
    }
    for (const method of methods ?? []) this.#lists.delete(method)
    if (methods === undefined || methods.includes("tools/list")) this.#knownTools = undefined
  }

  #start(method: ListMethod): Promise<unknown[]> {
    const list = this.#fetch(method)
    this.#lists.set(method, list)
    const isCurrent = () => this.#lists.get(method) === list
    const settle = async () => {
      const items = await list
      if (!isCurrent()) return
      if (!(await this.#watching)) this.#lists.delete(method)
      else if (method === "tools/list") this.#knownTools = items as Tool[]
    }
    settle().catch(() => {
      if (isCurrent()) this.#lists.delete(method)
    })
    return list
  }

  async #fetch(method: ListMethod): Promise<unknown[]> {
    const link = await this.#connection.open()
    this.#watching ??= this.#watch(link)
    await this.#watching
    const deadline = performance.now() + this.#timeoutMs
    const fetchPage = (params: { cursor?: string }) =>
      this.#requests.send({
        method,
        params,
        action: method,
        timeoutMs: Math.max(1, deadline - performance.now()),
        wholeTimeoutMs: this.#timeoutMs,
      })
    try {
      const items = await fetchPages(this.#connection.name, method, fetchPage)
      if (method !== "tools/list") return items
      const tools = readTools(items, (message) => this.#log("warning", message))
      this.#taskTools = new Set(taskOnly(items))
      this.#onTools(tools)
      return tools
    } catch (error) {
      if (jsonRpcCode(error) === methodNotFound && !isDeclared(link, method)) return []
      throw error
    }
  }

  /** True when we will hear of changes. */
  async #watch({ client, isModern }: Link): Promise<boolean> {
    if (!isModern || client === undefined) return true
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {}
    const filter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
    }
    if (Object.keys(filter).length === 0) return true
    try {
      const subscription = await client.listen(filter, { timeout: subscribeTimeoutMs })
      void subscription.closed.then(() => this.forget())
      return true
    } catch (error) {
      this.#log("debug", `refused to report changes of its lists: ${String(error)}`)
      return false
    }
  }
}

function isDeclared({ introduction }: Link, method: ListMethod): boolean {
  return introduction.capabilities[method.slice(0, method.indexOf("/"))] !== undefined
}
