// The servers of a daemon as one run sees them: like a client manager of its own.
import type { CallOptions, ClientManager, RequestOptions, ServerSummary } from "../mcp/manager.ts"
import type { HostManager } from "./host.ts"

export interface SharedServers {
  /** Runs `act` with the connection that this run has to the server. */
  use<Result>(server: string, act: (manager: ClientManager) => Promise<Result>): Promise<Result>
  isConnected(server: string): boolean
}

export class ServersOfRun implements HostManager {
  readonly #names: ClientManager
  readonly #shared: SharedServers

  /** `names` answers what the configuration alone can tell. */
  constructor(names: ClientManager, shared: SharedServers) {
    this.#names = names
    this.#shared = shared
  }

  listServers(): ServerSummary[] {
    const isConnected = (name: string) => this.#shared.isConnected(name)
    return this.#names.listServers().map((summary) => ({ ...summary, connected: isConnected(summary.name) }))
  }

  resolve(identifier: string) {
    return this.#names.resolve(identifier)
  }

  callTool(server: string, tool: string, args: Record<string, unknown>, options?: CallOptions) {
    return this.#shared.use(server, (manager) => manager.callTool(server, tool, args, options))
  }

  listTools(server: string, options?: RequestOptions) {
    return this.#shared.use(server, (manager) => manager.listTools(server, options))
  }

  listResources(server: string, options?: RequestOptions) {
    return this.#shared.use(server, (manager) => manager.listResources(server, options))
  }

  readResource(server: string, uri: string, options?: RequestOptions) {
    return this.#shared.use(server, (manager) => manager.readResource(server, uri, options))
  }

  listPrompts(server: string, options?: RequestOptions) {
    return this.#shared.use(server, (manager) => manager.listPrompts(server, options))
  }

  getPrompt(server: string, name: string, args?: Record<string, string>, options?: RequestOptions) {
    return this.#shared.use(server, (manager) => manager.getPrompt(server, name, args, options))
  }
}
