// Everything that can be asked of one server. Tools that the config hides do not exist here.
import type { Prompt, Resource, Tool } from "../catalog.ts"
import { expandServer } from "../config/expand.ts"
import type { ServerConfig } from "../config/schema.ts"
import { McpExecError, ToolError } from "../errors.ts"
import { suggest } from "../suggest.ts"
import type { ClientHooks } from "./client-features.ts"
import { Connection, type ConnectionContext } from "./connection.ts"
import { jsonRpcCode } from "./failures.ts"
import type { Fields } from "./loose-schema.ts"
import type { CallOptions, RequestOptions } from "./options.ts"
import { Requests } from "./requests.ts"
import { readPrompts, readResources } from "./resources.ts"
import { rootsOf } from "./roots.ts"
import { ServerLists } from "./server-lists.ts"
import { createToolFilter, type ToolFilter } from "./tools.ts"
import { failureText, unwrapResult } from "./unwrap.ts"

const defaultCallTimeoutMs = 60_000
const invalidParams = -32602
const methodNotFound = -32601
const headerMismatch = -32020

export interface ServerInfo {
  /** Its name in the config. */
  name: string
  /** What it calls itself. */
  title?: string
  version?: string
  instructions?: string
  protocolVersion?: string
  capabilities: Record<string, unknown>
}

export type ServerContext = Omit<ConnectionContext, "hooks" | "onLost">

export class ServerClient {
  readonly connection: Connection
  readonly #requests: Requests
  readonly #lists: ServerLists
  readonly #isAllowed: ToolFilter
  readonly #callTimeoutMs: number

  constructor(name: string, entry: ServerConfig, context: ServerContext) {
    const { options } = context
    this.connection = new Connection(name, entry, {
      ...context,
      hooks: this.#createHooks(name, entry, context),
      onLost: () => this.#lists.forget(),
    })
    this.#requests = new Requests(this.connection, options)
    this.#lists = new ServerLists(this.connection, this.#requests, options)
    this.#isAllowed = createToolFilter(entry.tools)
    this.#callTimeoutMs = entry.timeout ?? options.callTimeoutMs ?? defaultCallTimeoutMs
  }

  async describe(): Promise<ServerInfo> {
    const { client } = await this.connection.open()
    const info = client.getServerVersion()
    const instructions = client.getInstructions()
    const protocolVersion = client.getNegotiatedProtocolVersion()
    return {
      name: this.connection.name,
      ...(info !== undefined && { title: info.title ?? info.name, version: info.version }),
      ...(instructions !== undefined && { instructions }),
      ...(protocolVersion !== undefined && { protocolVersion }),
      capabilities: { ...client.getServerCapabilities() },
    }
  }

  async listTools({ signal }: RequestOptions = {}): Promise<Tool[]> {
    return (await this.#lists.tools(signal)).filter(({ name }) => this.#isAllowed(name))
  }

  async listResources({ signal }: RequestOptions = {}): Promise<Resource[]> {
    return readResources(await this.#lists.items("resources/list", signal))
  }

  async listResourceTemplates({ signal }: RequestOptions = {}): Promise<Fields[]> {
    return (await this.#lists.items("resources/templates/list", signal)) as Fields[]
  }

  async listPrompts({ signal }: RequestOptions = {}): Promise<Prompt[]> {
    return readPrompts(await this.#lists.items("prompts/list", signal))
  }

  readResource(uri: string, { signal }: RequestOptions = {}): Promise<Fields> {
    const action = `reading '${uri}'`
    return this.#requests.send({
      method: "resources/read",
      params: { uri },
      action,
      timeoutMs: this.#callTimeoutMs,
      signal,
    })
  }

  getPrompt(name: string, args: Record<string, string> = {}, { signal }: RequestOptions = {}): Promise<Fields> {
    return this.#requests.send({
      method: "prompts/get",
      params: { name, arguments: args },
      action: `prompt '${name}'`,
      timeoutMs: this.#callTimeoutMs,
      signal,
    })
  }

  /** Calls a tool at once: whether it exists is only looked up when the server says no. */
  async callTool(tool: string, args: Record<string, unknown>, options: CallOptions = {}): Promise<unknown> {
    if (!this.#isAllowed(tool)) throw this.#deniedTool(tool)
    try {
      const result = await this.#call(tool, args, options)
      if (options.raw) return result
      const failure = failureText(result)
      if (failure === undefined) return unwrapResult(result)
      throw (await this.#unknownTool(tool, failure)) ?? this.#failedTool(tool, failure, result)
    } catch (error) {
      throw await this.#toToolError(tool, error)
    }
  }

  async #call(tool: string, args: Record<string, unknown>, options: CallOptions): Promise<Fields> {
    const request = {
      method: "tools/call",
      params: { name: tool, arguments: args },
      action: `the call of '${tool}'`,
      timeoutMs: options.timeoutMs ?? this.#callTimeoutMs,
      signal: options.signal,
      onProgress: options.onProgress,
    }
    try {
      return await this.#requests.send({ ...request, toolDefinition: this.#mirrored(tool) })
    } catch (error) {
      if (jsonRpcCode(error) !== headerMismatch || !this.connection.link?.isModern) throw error
      // Refused before it ran: headers must repeat some arguments, and only the tool's definition says which.
      this.#lists.forget(["tools/list"])
      await this.#lists.tools(options.signal)
      return this.#requests.send({ ...request, toolDefinition: this.#mirrored(tool) })
    }
  }

  /** The definition of a tool whose arguments must be repeated in HTTP headers, if it is known to be one. */
  #mirrored(tool: string): Tool | undefined {
    const { link } = this.connection
    if (!link?.isModern || !link.isRemote) return undefined
    const known = this.#lists.knownTools?.find(({ name }) => name === tool)
    return known !== undefined && JSON.stringify(known.inputSchema).includes('"x-mcp-header"') ? known : undefined
  }

  async #toToolError(tool: string, error: unknown): Promise<unknown> {
    if (!(error instanceof McpExecError) || error instanceof ToolError) return error
    const { message, hint, details } = error
    const { name } = this.connection
    const rpcCode = jsonRpcCode(error)
    if (rpcCode === invalidParams || rpcCode === methodNotFound) {
      const unknown = await this.#unknownTool(tool, message)
      if (unknown !== undefined) return unknown
    }
    if (rpcCode === invalidParams) {
      return new ToolError("E_TOOL_ARGUMENTS", name, tool, message, {
        hint: hint ?? `Compare the arguments with the input schema of '${tool}'.`,
        details,
        cause: error,
      })
    }
    return new ToolError(error.code, name, tool, message, { hint, details, cause: error.cause ?? error })
  }

  /** The error of a tool that does not exist, if it does not. */
  async #unknownTool(tool: string, answer: string): Promise<ToolError | undefined> {
    const tools = await this.#lists.tools().catch(() => undefined)
    if (tools === undefined || tools.some(({ name }) => name === tool)) return undefined
    const { name } = this.connection
    const names = tools.map((each) => each.name).filter(this.#isAllowed)
    const meant = suggest(tool, names)
    const shown = names.slice(0, 10).join(", ") + (names.length > 10 ? `, and ${names.length - 10} more` : "")
    return new ToolError("E_TOOL_UNKNOWN", name, tool, `Server '${name}' has no tool '${tool}'`, {
      hint: `${meant === undefined ? "" : `Did you mean '${meant}'? `}${names.length === 0 ? "It has no tools." : `It has: ${shown}`}`,
      details: { answer },
    })
  }

  #deniedTool(tool: string): ToolError {
    const { name } = this.connection
    return new ToolError("E_TOOL_DENIED", name, tool, `The configuration does not allow tool '${tool}' of '${name}'`, {
      hint: `See \`tools.allow\` and \`tools.deny\` of server '${name}'.`,
    })
  }

  #failedTool(tool: string, text: string, { structuredContent }: Fields): ToolError {
    return new ToolError("E_TOOL_FAILED", this.connection.name, tool, text, {
      ...(structuredContent !== undefined && { details: { structuredContent } }),
    })
  }

  #createHooks(server: string, entry: ServerConfig, { config, options }: ServerContext): ClientHooks {
    const log: ClientHooks["log"] = (level, message) => options.onLog?.({ server, level, message })
    return {
      log,
      roots: () => rootsOf(expandServer(server, entry, options.env ?? process.env), config),
      elicit: async (question) => {
        const { elicit } = options
        if (elicit === undefined) return { action: "decline" }
        try {
          return await this.#requests.whileAsking(() => elicit({ server, ...question }))
        } catch (error) {
          log("warning", `asked a question that could not be put to the user: ${String(error)}`)
          return { action: "cancel" }
        }
      },
      progress: (token, progress) => this.#requests.report(token, progress),
      listsChanged: (methods) => this.#lists.forget(methods),
    }
  }
}
