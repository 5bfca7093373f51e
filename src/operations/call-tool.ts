// Calls one tool of one server and gives back its unwrapped value.
import { z } from "zod"
import type { Tool } from "../catalog.ts"
import type { ClientManager } from "../mcp/manager.ts"
import { buildArguments } from "./arguments/build.ts"
import type { OperationContext } from "./context.ts"
import { watchResult } from "./discover/watch-results.ts"

const pair = z.union([
  z.object({ key: z.string(), text: z.string() }).describe("a text, read as the tool's input schema says"),
  z.object({ key: z.string(), json: z.unknown() }).describe("a value, sent as it is"),
])

export const callToolInput = z.object({
  target: z.string().describe("server.tool; with `tool` given, the server alone"),
  tool: z.string().optional(),
  args: z.record(z.string(), z.unknown()).optional().describe("the arguments as one object"),
  pairs: z.array(pair).default([]).describe("single arguments; they win over `args`"),
  timeoutMs: z.number().positive().optional(),
  raw: z.boolean().default(false).describe("the MCP result untouched"),
})

export type CallToolInput = z.infer<typeof callToolInput>

export interface CallToolOutput {
  server: string
  tool: string
  value: unknown
}

/** Calls a tool. */
export async function callTool(context: OperationContext, input: CallToolInput): Promise<CallToolOutput> {
  const manager = await context.manager()
  const { server, tool } =
    input.tool === undefined ? manager.resolve(input.target) : { server: input.target, tool: input.tool }
  const args = await argumentsFor(manager, server, tool, input, context.signal)
  const value = await manager.callTool(server, tool, args, {
    raw: input.raw,
    ...(input.timeoutMs !== undefined && { timeoutMs: input.timeoutMs }),
    ...(context.signal !== undefined && { signal: context.signal }),
    ...(context.onProgress !== undefined && { onProgress: context.onProgress }),
  })
  if (!input.raw) await watchResult(context, server, tool, args, value)
  return { server, tool, value }
}

/** Calls a tool through the daemon; undefined when there is none. */
export async function callToolOfDaemon(
  context: OperationContext,
  input: CallToolInput,
): Promise<CallToolOutput | undefined> {
  const { openDaemonCall } = await import("./daemon/call.ts")
  const call = await openDaemonCall(context)
  if (call === undefined) return undefined
  try {
    return await call.perform(input)
  } finally {
    await call.close()
  }
}

/** A whole object is sent as it is; anything less is completed and checked with the tool's schema. */
async function argumentsFor(
  manager: ClientManager,
  server: string,
  name: string,
  { args, pairs }: CallToolInput,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>> {
  if (args !== undefined && pairs.length === 0) return args
  const tools = await manager.listTools(server, signal === undefined ? {} : { signal })
  // For a tool that is not listed, the call itself gives the error that says what there is.
  const tool: Tool = tools.find((tool) => tool.name === name) ?? { name, description: "", inputSchema: {} }
  return buildArguments(server, tool, pairs, args)
}
