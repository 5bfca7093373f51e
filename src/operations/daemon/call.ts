// One call of a tool, or a few requests around it, answered by a daemon. It speaks to the daemon as a
// script does, with a token of its own.

import { daemonAddress, isDaemonWanted, variablesFor } from "../../broker/daemon-address.ts"
import { attachToDaemon } from "../../broker/daemon-client.ts"
import { createEndpoint } from "../../broker/endpoint.ts"
import type { Tool } from "../../catalog.ts"
import { McpExecError } from "../../errors.ts"
import { Channel, type RequestBody, RequestFailure, type RequestOptions } from "../../guest/channel.ts"
import { resolveIdentifier } from "../../mcp/identifier.ts"
import { runtimeDirectory } from "../../platform/runtime-directory.ts"
import type { ArgumentPair } from "../arguments/build.ts"
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
  perform(input: DaemonCallInput): Promise<unknown>
  close(): Promise<void>
}

/** Attaches to the daemon; undefined when none is wanted, or none is there. */
export async function openDaemonCall(context: OperationContext): Promise<DaemonCall | undefined> {
  const { env, cacheDirectory } = context
  const settings = await context.settings()
  if (!isDaemonWanted(env, settings)) return undefined
  const directory = await runtimeDirectory(env, cacheDirectory)
  const address = await daemonAddress(directory, settings.file ?? "")
  const { token } = createEndpoint(directory)
  const attachment = await attachToDaemon(address, {
    type: "attach",
    version: 1,
    token,
    records: false,
    env: variablesFor(env, settings),
  })
  if (attachment === undefined) return undefined
  context.warn(settings.warnings)
  followRun(context, attachment, { onCall() {}, onFailed() {}, keep: () => Promise.reject(new Error("not a script")) })
  const channel = new Channel({ MCP_EXEC_BROKER: address, MCP_EXEC_TOKEN: token })
  const ask = (body: RequestBody, options: RequestOptions = {}) =>
    channel.request(body, { signal: context.signal, ...options }).catch((failure) => {
      throw failure instanceof RequestFailure ? errorOf(failure) : failure
    })
  return {
    serverNames: settings.serverNames,
    async perform({ target, tool: named, args: given, pairs, raw, timeoutMs }) {
      const { server, tool } =
        named === undefined ? resolveIdentifier(target, settings.serverNames) : { server: target, tool: named }
      let args = given
      if (args === undefined || pairs.length > 0) {
        const tools = (await ask({ type: "list-tools", server })) as Tool[]
        const { buildArguments } = await import("../arguments/build.ts")
        // For a tool that is not listed, the call itself gives the error that says what there is.
        const known = tools.find(({ name }) => name === tool) ?? { name: tool, description: "", inputSchema: {} }
        args = buildArguments(server, known, pairs, given)
      }
      const { onProgress } = context
      const body = { type: "call", server, tool, args, raw, progress: onProgress !== undefined }
      return await ask(timeoutMs === undefined ? body : { ...body, timeoutMs }, { onProgress })
    },
    // Nobody waits for what is noted of the call: closing the connection ends the run.
    close: () => Promise.resolve(attachment.close()),
  }
}

function errorOf({ description }: RequestFailure): McpExecError {
  const { code, message, hint, details, server, tool } = description
  const error = new McpExecError(code, message, { hint, details })
  return Object.assign(error, server === undefined ? {} : { server }, tool === undefined ? {} : { tool })
}
