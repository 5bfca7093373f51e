// Everything that can be asked of one server. Tools that the config hides do not exist here.
import type { Prompt, Resource, ResourceTemplate, Tool } from "../catalog.ts"
import { expandServer } from "../config/expand.ts"
import type { ServerConfig } from "../config/schema.ts"
import { McpExecError, ToolError } from "../errors.ts"
import { type CancelSignal, toAbortSignal } from "../platform/cancellation.ts"
import { callAsTask } from "./call-as-task.ts"
import { Connection, type ConnectionContext } from "./connection.ts"
import { headerMismatch, invalidParams, jsonRpcCode, methodNotFound } from "./failures.ts"
import type { Fields } from "./fields.ts"
import { createFieldNames, type FieldNames } from "./normalize-fields.ts"
import type { CallOptions, ManagerOptions, RequestOptions } from "./options.ts"
import type { ClientHooks } from "./ourselves.ts"
import { Requests, type ServerRequest } from "./requests.ts"
import { readPrompts, readResources, readResourceTemplates } from "./resources.ts"
import { rootsOf } from "./roots.ts"
import { ServerLists } from "./server-lists.ts"
import { deniedTool, failedTool, toToolError, unknownTool } from "./tool-errors.ts"
import { createToolFilter, type ToolFilter } from "./tools.ts"
import { failureText, unwrapResult } from "./unwrap.ts"
import { unlessAborted } from "./wait.ts"

const defaultCallTimeoutMs = 60_000
/** How long a call that has failed may wait for the names of the tools there are. */
const lookupMs = 1000

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

type Sample = NonNullable<ManagerOptions["sample"]>

export type ServerContext = Omit<ConnectionContext, "hooks" | "onLost">

export class ServerClient {
  readonly connection: Connection
  readonly #requests: Requests
  readonly #lists: ServerLists
  readonly #isAllowed: ToolFilter
  readonly #callTimeoutMs: number
  readonly #fieldNames: FieldNames

  constructor(name: string, entry: ServerConfig, context: ServerContext) {
    const { options } = context
    this.connection = new Connection(name, entry, {
      ...context,
      hooks: this.#createHooks(name, entry, context),
      onLost: () => this.#lists.forget(),
    })
    this.#requests = new Requests(this.connection, options)
    this.#lists = new ServerLists(this.connection, this.#requests, options, (tools) =>
      options.onTools?.(name, this.#visible(tools)),
    )
    this.#isAllowed = createToolFilter(entry.tools)
    this.#fieldNames = createFieldNames(entry.normalize, (key, renamed) => {
      const message = `'${key}' kept its name in a result: there is a '${renamed}' already`
      options.onLog?.({ server: name, level: "warning", message })
    })
    this.#callTimeoutMs = entry.timeout ?? options.callTimeoutMs ?? defaultCallTimeoutMs
  }

  async describe(): Promise<ServerInfo> {
    const { introduction } = await this.connection.open()
    const { serverInfo: info, instructions, protocolVersion, capabilities } = introduction
    return {
      name: this.connection.name,
      ...(info !== undefined && { title: info.title ?? info.name, version: info.version }),
      ...(instructions !== undefined && { instructions }),
      ...(protocolVersion !== undefined && { protocolVersion }),
      capabilities,
    }
  }

  async listTools({ signal }: RequestOptions = {}): Promise<Tool[]> {
    return this.#visible(await this.#lists.tools(signal))
  }

  #visible(tools: readonly Tool[]): Tool[] {
    return tools.filter(({ name }) => this.#isAllowed(name)).map(this.#fieldNames.tool)
  }

  async listResources({ signal }: RequestOptions = {}): Promise<Resource[]> {
    return readResources(await this.#lists.items("resources/list", signal))
  }

  async listResourceTemplates({ signal }: RequestOptions = {}): Promise<ResourceTemplate[]> {
    return readResourceTemplates(await this.#lists.items("resources/templates/list", signal))
  }

  async listPrompts({ signal }: RequestOptions = {}): Promise<Prompt[]> {
    return readPrompts(await this.#lists.items("prompts/list", signal))
  }

  readResource(uri: string, { signal }: RequestOptions = {}): Promise<Fields> {
    const action = `reading '${uri}'`
    const timeoutMs = this.#callTimeoutMs
    return this.#requests.send({ method: "resources/read", params: { uri }, action, timeoutMs, signal })
  }

  getPrompt(name: string, args: Record<string, string> = {}, { signal }: RequestOptions = {}): Promise<Fields> {
    const params = { name, arguments: args }
    const timeoutMs = this.#callTimeoutMs
    return this.#requests.send({ method: "prompts/get", params, action: `prompt '${name}'`, timeoutMs, signal })
  }

  /** Calls a tool at once: whether it exists is only looked up when the server says no. */
  async callTool(tool: string, args: Record<string, unknown>, options: CallOptions = {}): Promise<unknown> {
    const { name } = this.connection
    if (!this.#isAllowed(tool)) throw deniedTool(name, tool)
    try {
      const result = await this.#send(tool, args, options)
      if (options.raw) return result
      const failure = failureText(result)
      if (failure === undefined) return this.#unwrap(result)
      throw (await this.#ifUnknown(tool, failure, options)) ?? failedTool(name, tool, failure, result)
    } catch (error) {
      if (!(error instanceof McpExecError) || error instanceof ToolError) throw error
      const rpcCode = jsonRpcCode(error)
      const mayBeUnknown = rpcCode === invalidParams || rpcCode === methodNotFound
      const unknown = mayBeUnknown ? await this.#ifUnknown(tool, error.message, options) : undefined
      throw unknown ?? toToolError(name, tool, error)
    }
  }

  #unwrap(result: Fields): unknown {
    const value = unwrapResult(result)
    // Images and the like are MCP's own words, not the server's data.
    return value === result.content ? value : this.#fieldNames.value(value)
  }

  async #send(tool: string, args: Record<string, unknown>, options: CallOptions): Promise<Fields> {
    const request: ServerRequest = {
      method: "tools/call",
      params: { name: tool, arguments: args },
      action: `the call of '${tool}'`,
      timeoutMs: options.timeoutMs ?? this.#callTimeoutMs,
      signal: options.signal,
      onProgress: options.onProgress,
    }
    const asTask = () => callAsTask(this.#requests, this.connection.name, request)
    if (this.#lists.needsTask(tool)) return asTask()
    try {
      const result = await this.#sendPlain(tool, request)
      return failureText(result) !== undefined && (await this.#isTaskOnly(tool, options)) ? asTask() : result
    } catch (error) {
      if (jsonRpcCode(error) === methodNotFound && (await this.#isTaskOnly(tool, options))) return asTask()
      throw error
    }
  }

  /** Whether a call that was refused has to be a task: then it has not run, and may be sent again. */
  async #isTaskOnly(tool: string, { signal }: CallOptions): Promise<boolean> {
    const { link } = this.connection
    if (link === undefined || link.isModern || link.introduction.capabilities.tasks === undefined) return false
    if (this.#lists.knownTools === undefined) await this.#lookUpTools(signal)
    return this.#lists.needsTask(tool)
  }

  #sendPlain(tool: string, request: ServerRequest): Promise<Fields> {
    const { link } = this.connection
    const knowsNoHeaders = link !== undefined && !(link.isModern && link.kind === "remote")
    return knowsNoHeaders ? this.#requests.send(request) : this.#sendWithHeaders(tool, request)
  }

  /** Modern HTTP servers may want arguments repeated in headers, and only a tool's definition says which. */
  async #sendWithHeaders(tool: string, request: ServerRequest): Promise<Fields> {
    const send = (tools: readonly Tool[] | undefined) => {
      const known = tools?.find(({ name }) => name === tool)
      const isMirrored = known !== undefined && JSON.stringify(known.inputSchema).includes('"x-mcp-header"')
      return this.#requests.send(isMirrored ? { ...request, toolDefinition: known } : request)
    }
    try {
      return await send(this.#lists.knownTools)
    } catch (error) {
      if (jsonRpcCode(error) !== headerMismatch || !this.connection.link?.isModern) throw error
      // Refused before it ran, so it may be sent again.
      this.#lists.forget(["tools/list"])
      return send(await this.#lists.tools(request.signal))
    }
  }

  /** The error of a tool that does not exist, if it does not. */
  async #ifUnknown(tool: string, answer: string, { signal }: CallOptions): Promise<ToolError | undefined> {
    const tools = this.#lists.knownTools ?? (await this.#lookUpTools(signal))
    if (tools === undefined || tools.some(({ name }) => name === tool)) return undefined
    const names = tools.map(({ name }) => name).filter(this.#isAllowed)
    return unknownTool(this.connection.name, tool, names, answer)
  }

  /** The tools, unless they are long in coming: what the server said of the call must not wait for them. */
  #lookUpTools(signal: CancelSignal | undefined): Promise<Tool[] | undefined> {
    const patience = AbortSignal.timeout(lookupMs)
    const limit = signal === undefined ? patience : AbortSignal.any([toAbortSignal(signal), patience])
    return this.#lists.tools(limit).catch(() => undefined)
  }

  #sampler(server: string, sample: Sample, log: ClientHooks["log"]): ClientHooks["sample"] {
    return async (params) => {
      try {
        return await this.#requests.whileAsking(() => sample({ server, params }))
      } catch (error) {
        log("warning", `asked for a model, which could not be reached: ${String(error)}`)
        return undefined
      }
    }
  }

  #createHooks(server: string, entry: ServerConfig, { config, options }: ServerContext): ClientHooks {
    const log: ClientHooks["log"] = (level, message) => options.onLog?.({ server, level, message })
    return {
      log,
      roots: () => rootsOf(expandServer(server, entry, options.env ?? process.env), config),
      elicit: async (question, signal) => {
        const { elicit } = options
        if (elicit === undefined) return { action: "decline" }
        try {
          return await this.#requests.whileAsking(() => unlessAborted(elicit({ server, ...question }, signal), signal))
        } catch (error) {
          if (signal.aborted) return { action: "cancel" }
          log("warning", `asked a question that could not be put to the user: ${String(error)}`)
          return { action: "cancel" }
        }
      },
      sample: options.sample && this.#sampler(server, options.sample, log),
      progress: (token, progress) => this.#requests.report(token, progress),
      listsChanged: (methods) => {
        this.#lists.forget(methods)
        options.onListsChanged?.(server, methods)
      },
    }
  }
}
