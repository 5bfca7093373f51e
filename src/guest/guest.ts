// What a script can do with servers. Everything goes through one channel to the broker.
import type { FoundTool, SearchOptions } from "../broker/messages.ts"
import type { Prompt, Resource, Tool } from "../catalog.ts"
import { Channel, type RequestBody, type RequestOptions } from "./channel.ts"
import { problemWith } from "./check-request.ts"
import { misuse, requestError } from "./request-error.ts"

export interface CallOptions {
  /** Cancels the call, also on the server. */
  signal?: AbortSignal
  timeoutMs?: number
  /** The MCP result untouched, instead of the value in it. */
  raw?: boolean
  onProgress?: (progress: { progress: number; total?: number; message?: string }) => void
}

export type Arguments = Record<string, unknown>
export type PromptArguments = Record<string, string | undefined>
export type ListOptions = Pick<CallOptions, "signal">

export type { FoundTool, SearchOptions }

export interface ServerInfo {
  name: string
  transport: string
  description?: string
  disabled: boolean
  connected: boolean
}

export interface Guest {
  callTool<Result = unknown>(server: string, tool: string, args?: Arguments, options?: CallOptions): Promise<Result>
  callTool<Result = unknown>(target: string, args?: Arguments, options?: CallOptions): Promise<Result>
  listServers(): Promise<ServerInfo[]>
  listTools(server: string, options?: ListOptions): Promise<Tool[]>
  listResources(server: string, options?: ListOptions): Promise<Resource[]>
  readResource(server: string, uri: string, options?: ListOptions): Promise<ResourceResult>
  listPrompts(server: string, options?: ListOptions): Promise<Prompt[]>
  getPrompt(server: string, name: string, args?: PromptArguments, options?: ListOptions): Promise<PromptResult>
  /** Finds tools by words, in what `generate` has left: no server is started. */
  searchTools(query: string, options?: SearchOptions & ListOptions): Promise<FoundTool[]>
  /**
   * Keeps a file: it is in the workspace, as `name`, once the script has ended well. Resolves to where.
   * In a sandbox this is how files get out; directly it copies.
   */
  keep(file: string, name?: string): Promise<string>
  /** What the broker keeps for a script that cannot write to its workspace. */
  askState(request: { action: string; name: string; key?: string; value?: unknown }): Promise<unknown>
  /** Tells the broker why the script failed, for callers that want it as data. */
  reportFailure(failure: { code: string; message: string; hint?: string; stack?: string }): Promise<void>
}

export interface ResourceResult {
  contents: { uri: string; mimeType?: string; text?: string /** Base64. */; blob?: string }[]
}

export interface PromptResult {
  description?: string
  messages: { role: "user" | "assistant"; content: unknown }[]
}

/** Connects to the broker named in `env` when first asked for something. */
export function createGuest(env: Record<string, string | undefined>): Guest {
  const channel = new Channel(env)

  function ask<Result>(body: RequestBody, options: RequestOptions = {}): Promise<Result> {
    // Where the script made the call: an answer arrives with no trace of who asked for it. An error's own stack is
    // written down when somebody looks at it, that of `captureStackTrace` at once.
    const site = new Error()
    const problem = problemWith(body, options)
    const answer = problem === undefined ? channel.request(body, options) : Promise.reject(misuse(body, problem))
    return answer.catch((failure) => {
      throw requestError(failure, body, site)
    }) as Promise<Result>
  }

  function callTool<Result>(first: string, second: unknown, third: unknown, fourth?: CallOptions): Promise<Result> {
    const isSplit = typeof second === "string"
    const given = isSplit ? third : second
    const args = given === undefined ? {} : given
    const body: RequestBody = isSplit
      ? { type: "call", server: first, tool: second, args }
      : { type: "call", tool: first, args }
    const options = isSplit ? fourth : (third as CallOptions | undefined)
    if (options === undefined || options === null) return ask(body)
    const { timeoutMs, raw, onProgress, signal } = options
    if (timeoutMs !== undefined) body.timeoutMs = timeoutMs
    if (raw) body.raw = true
    if (onProgress) body.progress = true
    return ask(body, { signal, onProgress })
  }

  function listServers(): Promise<ServerInfo[]> {
    return ask({ type: "list-servers" })
  }
  function listTools(server: string, options?: ListOptions): Promise<Tool[]> {
    return ask({ type: "list-tools", server }, { signal: options?.signal })
  }
  function listResources(server: string, options?: ListOptions): Promise<Resource[]> {
    return ask({ type: "list-resources", server }, { signal: options?.signal })
  }
  function readResource(server: string, uri: string, options?: ListOptions): Promise<ResourceResult> {
    return ask({ type: "read-resource", server, uri }, { signal: options?.signal })
  }
  function listPrompts(server: string, options?: ListOptions): Promise<Prompt[]> {
    return ask({ type: "list-prompts", server }, { signal: options?.signal })
  }
  function getPrompt(
    server: string,
    name: string,
    args: PromptArguments = {},
    options?: ListOptions,
  ): Promise<PromptResult> {
    return ask({ type: "get-prompt", server, name, args }, { signal: options?.signal })
  }
  function searchTools(query: string, options?: SearchOptions & ListOptions): Promise<FoundTool[]> {
    const { signal, detail, server, limit } = options ?? {}
    const body = {
      type: "search-tools",
      query,
      ...(detail !== undefined && { detail }),
      ...(server !== undefined && { server }),
      ...(limit !== undefined && { limit }),
    }
    return ask(body, { signal })
  }
  async function keep(file: string, name: string = file.replace(/^.*[\\/]/, "")): Promise<string> {
    const content = await process.getBuiltinModule("node:fs/promises").readFile(file)
    return await ask<string>({ type: "keep", name, data: content.toString("base64") })
  }
  function askState(request: { action: string; name: string; key?: string; value?: unknown }): Promise<unknown> {
    return ask({ type: "state", ...request })
  }
  function reportFailure(failure: { code: string; message: string; hint?: string; stack?: string }): Promise<void> {
    return channel.notify({ type: "failed", ...failure })
  }

  return {
    callTool: callTool as Guest["callTool"],
    listServers,
    listTools,
    listResources,
    readResource,
    listPrompts,
    getPrompt,
    searchTools,
    keep,
    askState,
    reportFailure,
  }
}
