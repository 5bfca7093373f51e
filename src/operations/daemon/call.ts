// One call of a tool, or a few requests around it, answered by a daemon. It speaks to the daemon as a
// script does, with a token of its own.

import { daemonAddress, isDaemonWanted, variablesFor } from "../../broker/daemon-address.ts"
import { attachToDaemon } from "../../broker/daemon-client.ts"
import { createEndpoint } from "../../broker/endpoint.ts"
import type { Tool } from "../../catalog.ts"
import { McpExecError, ServerError, ToolError } from "../../errors.ts"
import { Channel, type RequestBody, RequestFailure, type RequestOptions } from "../../guest/channel.ts"
import { resolveIdentifier } from "../../mcp/identifier.ts"
import { runtimeDirectory } from "../../platform/runtime-directory.ts"
import type { ArgumentPair } from "../arguments/build.ts"
import type { CallToolOutput } from "../call-tool.ts"
import type { OperationContext } from "../context.ts"
import { followRun } from "./attend.ts"

export interface DaemonCallInput {
  target: string
  tool?: string | undefined
  args?: Record<string, unknown> | undefined
  pairs: ArgumentPair[]
  raw: boolean
  timeoutMs?: number | undefined
}

export interface DaemonCall {
  serverNames: readonly string[]
  perform(input: DaemonCallInput): Promise<CallToolOutput>
  close(): Promise<void>
}

/** Attaches to the daemon; undefined when none is wanted, or none is there. */
export async function openDaemonCall(context: OperationContext): Promise<DaemonCall | undefined> {
  const { env, cacheDirectory } = context
  const settings = await context.settings()
  if (!isDaemonWanted(env, settings)) return undefined
  const directory = await runtimeDirectory(env, cacheDirectory)
  const address = await daemonAddress(directory, settings.file ?? "", env)
  const { token } = createEndpoint(directory)
  const attachment = await attachToDaemon(address, {
    type: "attach",
    version: 1,
    token,
    records: false,
    env: variablesFor(env, settings),
  })
  if (attachment === undefined) return undefined
  followRun(context, attachment, { onCall() {}, onFailed() {}, keep: () => Promise.reject(new Error("not a script")) })
  const channel = new Channel({ MCP_EXEC_BROKER: address, MCP_EXEC_TOKEN: token })
  // Who is interrupted does not wait for the daemon to say so.
  const ask = (body: RequestBody, cancelled: () => McpExecError, options: RequestOptions = {}) =>
    channel.request(body, { signal: context.signal, ...options }).catch((failure) => {
      if (context.signal?.aborted) throw cancelled()
      throw failure instanceof RequestFailure ? errorOf(failure) : failure
    })
  const listTools = (server: string) => {
    const cancelled = () =>
      new ServerError("E_TOOL_CANCELLED", server, `tools/list of server '${server}' was cancelled`)
    return ask({ type: "list-tools", server }, cancelled) as Promise<Tool[]>
  }
  let finishing: Promise<void> | undefined
  return {
    serverNames: settings.serverNames,
    async perform({ target, tool: named, args: given, pairs, raw, timeoutMs }) {
      context.warn(settings.warnings)
      const { server, tool } =
        named === undefined ? resolveIdentifier(target, settings.serverNames) : { server: target, tool: named }
      let args = given
      if (args === undefined || pairs.length > 0) {
        const tools = await listTools(server)
        const { buildArguments } = await import("../arguments/build.ts")
        // For a tool that is not listed, the call itself gives the error that says what there is.
        const known = tools.find(({ name }) => name === tool) ?? { name: tool, description: "", inputSchema: {} }
        args = buildArguments(server, known, pairs, given)
      }
      const { onProgress } = context
      const body = { type: "call", server, tool, args, raw, progress: onProgress !== undefined }
      const cancelled = () => new ToolError("E_TOOL_CANCELLED", server, tool, `the call of '${tool}' was cancelled`)
      const value = await ask(timeoutMs === undefined ? body : { ...body, timeoutMs }, cancelled, { onProgress })
      // The daemon notes what there is to note while the value is being printed.
      finishing = attachment.finish(true)
      return { server, tool, value }
    },
    close: () => finishing ?? attachment.finish(false),
  }
}

function errorOf({ description }: RequestFailure): McpExecError {
  const { code, message, server, tool, ...options } = description
  if (code === "E_BROKER") {
    return new McpExecError(code, message, {
      hint: "Whether the tool has run is not known. The next command starts anew.",
    })
  }
  if (server === undefined) return new McpExecError(code, message, options)
  return tool === undefined
    ? new ServerError(code, server, message, options)
    : new ToolError(code, server, tool, message, options)
}
