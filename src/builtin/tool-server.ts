// Serves a few tools of our own over any transport. The SDK's low-level Server: its high-level one
// validates every call against schemas once more and answers about a tenth fewer calls per second.
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Transport,
} from "@modelcontextprotocol/server"
import type { Tool } from "../catalog.ts"
import { version } from "../version.ts"

export interface BuiltinTool extends Tool {
  /** Answers one call; `signal` fires when the caller gives up or the connection closes. */
  call(args: Record<string, unknown>, signal: AbortSignal): CallToolResult | Promise<CallToolResult>
}

/** Connects a new server with these tools to a transport. */
export async function serveTools(name: string, tools: BuiltinTool[], transport: Transport): Promise<void> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const listed = tools.map(({ call: _, ...tool }) => tool)
  const server = new Server({ name: `mcp-exec-${name}`, version }, { capabilities: { tools: {} } })
  server.setRequestHandler("tools/list", () => ({ tools: listed as ListedTool[] }))
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const tool = byName.get(params.name)
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
    return tool.call(params.arguments ?? {}, context.mcpReq.signal)
  })
  await server.connect(transport)
}

// A catalog keeps schemas loosely; those of our own tools are objects, as the protocol asks.
type ListedTool = Tool & { inputSchema: { type: "object" } }

/** The answer that reports a failure to the caller, rather than breaking the protocol. */
export function errorResult(text: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text }] }
}
