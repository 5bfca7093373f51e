// The tools that a server offers right now, or one of them in detail.
import { z } from "zod"
import type { Tool } from "../catalog.ts"
import { unknownTool } from "../mcp/tool-errors.ts"
import { usageLine } from "./arguments/build.ts"
import { parametersOf, typeLabel } from "./arguments/schema.ts"
import type { OperationContext } from "./context.ts"

export const listToolsInput = z.object({
  target: z.string().describe("a server, or server.tool"),
  tool: z.string().optional().describe("one tool of that server"),
})

export type ListToolsInput = z.infer<typeof listToolsInput>

export interface ListToolsOutput {
  server: string
  tools: Tool[]
}

export interface ParameterSummary {
  name: string
  type: string
  required: boolean
  description?: string
  default?: unknown
}

/** What a tool takes, in the words of a command line. */
export interface ToolSummary {
  usage: string
  parameters: ParameterSummary[]
}

/** Lists the live tools of a server, or the one tool that is asked for. */
export async function listTools(context: OperationContext, input: ListToolsInput): Promise<ListToolsOutput> {
  const manager = await context.manager()
  const isServer = manager.listServers().some(({ name }) => name === input.target)
  const named = input.tool === undefined && !isServer && /[./]|__/.test(input.target)
  const { server, tool } = named ? manager.resolve(input.target) : { server: input.target, tool: input.tool }
  const tools = await manager.listTools(server, context.signal === undefined ? {} : { signal: context.signal })
  if (tool === undefined) return { server, tools }
  const found = tools.find(({ name }) => name === tool)
  if (found === undefined)
    throw unknownTool(
      server,
      tool,
      tools.map(({ name }) => name),
    )
  return { server, tools: [found] }
}

/** Describes the arguments of a tool. */
export function summarizeTool(server: string, tool: Tool): ToolSummary {
  const parameters = parametersOf(tool.inputSchema).list.map(({ name, schema, required }): ParameterSummary => {
    const about = typeof schema === "object" && schema !== null ? schema : {}
    return {
      name,
      type: typeLabel(schema, tool.inputSchema),
      required,
      ...("description" in about && typeof about.description === "string" && { description: about.description }),
      ...("default" in about && { default: about.default }),
    }
  })
  return { usage: usageLine(server, tool), parameters }
}
