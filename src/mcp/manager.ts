// The client manager: which servers there are, and one lazy connection to each. It is the only way to
// reach them. It never prints, never reads a file itself but for its cache, and never repeats a call.
import type { Prompt, Resource, ResourceTemplate, Tool } from "../catalog.ts"
import type { Config } from "../config/schema.ts"
import { McpExecError, ServerError } from "../errors.ts"
import { resolveIdentifier, unknownServer } from "./identifier.ts"
import type { CallOptions, ManagerOptions, RequestOptions } from "./options.ts"
import { ServerClient, type ServerInfo } from "./server-client.ts"
import { toToolError } from "./tool-errors.ts"
import { VerdictStore } from "./verdicts.ts"

export type { CallOptions, ElicitAnswer, ElicitRequest, LogEntry, ManagerOptions, RequestOptions } from "./options.ts"
export type { ServerInfo } from "./server-client.ts"

export type ManagerState = "uninitialized" | "initialized" | "connected" | "closed"

export interface ServerSummary {
  name: string
  transport: "stdio" | "http" | "sse" | "builtin"
  description?: string
  disabled: boolean
  connected: boolean
}

export interface AllTools {
  tools: { server: string; tool: Tool }[]
  failures: { server: string; error: unknown }[]
}

export class ClientManager implements AsyncDisposable {
  readonly #options: ManagerOptions
  readonly #servers = new Map<string, ServerClient>()
  #config: Config | undefined
  #state: ManagerState = "uninitialized"
  #initializing: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(options: ManagerOptions) {
    this.#options = options
  }

  get state(): ManagerState {
    return this.#state
  }

  /** Reads the config. Connects to nothing. */
  async initialize(): Promise<void> {
    if (this.#initializing !== undefined || this.#state === "initialized" || this.#state === "connected") {
      throw wrongState(
        "initialize",
        this.#initializing === undefined ? this.#state : "being initialized",
        "closed first",
      )
    }
    this.#initializing = this.#load().finally(() => {
      this.#initializing = undefined
    })
    await this.#initializing
  }

  /** The configured servers, in the order of the config. */
  listServers(): ServerSummary[] {
    const { servers } = this.#require("list servers")
    return Object.entries(servers).map(([name, { type, description, disabled }]) => ({
      name,
      transport: type,
      ...(description !== undefined && { description }),
      disabled,
      connected: this.#servers.get(name)?.connection.link !== undefined,
    }))
  }

  /** Splits `server.tool`, `server__tool` or `server/tool`; the server must be configured. */
  resolve(identifier: string): { server: string; tool: string } {
    return resolveIdentifier(identifier, Object.keys(this.#require("resolve a tool's name").servers))
  }

  /** The tools of a server that scripts may use. */
  async listTools(server: string, options?: RequestOptions): Promise<Tool[]> {
    return this.#server(server, "list tools").listTools(options)
  }

  /** The tools of all enabled servers. A server that fails does not stop the others. */
  async listAllTools(): Promise<AllTools> {
    const { servers } = this.#require("list tools")
    const result: AllTools = { tools: [], failures: [] }
    const names = Object.keys(servers).filter((name) => !servers[name]?.disabled)
    const lists = await Promise.allSettled(names.map((name) => this.listTools(name)))
    for (const [index, list] of lists.entries()) {
      const server = names[index] as string
      if (list.status === "rejected") result.failures.push({ server, error: list.reason })
      else for (const tool of list.value) result.tools.push({ server, tool })
    }
    return result
  }

  /** What a server says about itself. */
  async describeServer(server: string): Promise<ServerInfo> {
    return this.#server(server, "describe a server").describe()
  }

  /** Calls a tool and unwraps its result. Whatever goes wrong with the call is a ToolError. */
  callTool(server: string, tool: string, args: Record<string, unknown>, options?: CallOptions): Promise<unknown> {
    try {
      return this.#server(server, "call a tool").callTool(tool, args, options)
    } catch (error) {
      return Promise.reject(error instanceof ServerError ? toToolError(server, tool, error) : error)
    }
  }

  async listResources(server: string, options?: RequestOptions): Promise<Resource[]> {
    return this.#server(server, "list resources").listResources(options)
  }

  async listResourceTemplates(server: string, options?: RequestOptions): Promise<ResourceTemplate[]> {
    return this.#server(server, "list resource templates").listResourceTemplates(options)
  }

  /** The MCP result: `{ contents: […] }`. */
  async readResource(server: string, uri: string, options?: RequestOptions): Promise<unknown> {
    return this.#server(server, "read a resource").readResource(uri, options)
  }

  async listPrompts(server: string, options?: RequestOptions): Promise<Prompt[]> {
    return this.#server(server, "list prompts").listPrompts(options)
  }

  /** The MCP result: `{ description?, messages: […] }`. */
  async getPrompt(
    server: string,
    name: string,
    args?: Record<string, string>,
    options?: RequestOptions,
  ): Promise<unknown> {
    return this.#server(server, "get a prompt").getPrompt(name, args, options)
  }

  /** Starts a server's process before it is asked for. Never throws: what fails is told to the first request. */
  prespawn(server: string): void {
    const servers = this.#config?.servers ?? {}
    if (!Object.hasOwn(servers, server) || servers[server]?.disabled) return
    this.#server(server, "start a server").connection.prespawn()
  }

  /** Ends all connections and processes. May be called at any time, and again. */
  close(): Promise<void> {
    // An `initialize` that waits for the closing under way comes after it: closing once more ends that too.
    if (this.#closing !== undefined && this.#initializing !== undefined) return this.#closing.then(() => this.close())
    this.#closing ??= this.#end().finally(() => {
      this.#closing = undefined
    })
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #load(): Promise<void> {
    await this.#closing
    this.#config = await this.#options.loadConfig()
    this.#state = "initialized"
  }

  async #end(): Promise<void> {
    if (this.#initializing !== undefined) await this.#initializing.catch(() => {})
    this.#state = "closed"
    this.#config = undefined
    const clients = [...this.#servers.values()]
    this.#servers.clear()
    await Promise.all(clients.map(({ connection }) => connection.close()))
  }

  #require(action: string): Config {
    if (this.#config === undefined) throw wrongState(action, this.#state, "initialized first")
    return this.#config
  }

  #server(name: string, action: string): ServerClient {
    const config = this.#require(action)
    const existing = this.#servers.get(name)
    if (existing !== undefined) return existing
    // Not `config.servers[name]`: a name such as `constructor` is inherited by every object.
    const entry = Object.hasOwn(config.servers, name) ? config.servers[name] : undefined
    if (entry === undefined) throw unknownServer(name, Object.keys(config.servers))
    if (entry.disabled) {
      throw new ServerError("E_SERVER_DISABLED", name, `Server '${name}' is disabled in the configuration`, {
        hint: `Remove \`disabled\` from server '${name}'${config.file === undefined ? "" : ` in ${config.file}`}.`,
      })
    }
    const client = new ServerClient(name, entry, {
      config,
      options: this.#options,
      verdicts: new VerdictStore(this.#options.cacheDirectory),
      onConnected: () => {
        if (this.#config === config) this.#state = "connected"
      },
    })
    this.#servers.set(name, client)
    return client
  }
}

function wrongState(action: string, state: string, needed: string): McpExecError {
  return new McpExecError("E_STATE", `Cannot ${action}: the manager is ${state}, it must be ${needed}`)
}
