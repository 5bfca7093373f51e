// Tools as servers list them → tools as the rest of the program knows them, and which of them exist
// for scripts.
import type { JsonSchema, Tool, ToolAnnotations } from "../catalog.ts"
import { type Fields, isFields } from "./fields.ts"

/** Every tool that has a name. What is wrong with the rest of one is repaired: a bad tool never loses its server. */
export function readTools(items: readonly unknown[], onDropped: (message: string) => void): Tool[] {
  const tools: Tool[] = []
  for (const item of items) {
    const tool = readTool(item)
    if (tool === undefined)
      onDropped(`listed a tool without a name, which is ignored: ${JSON.stringify(item)?.slice(0, 200)}`)
    else tools.push(tool)
  }
  return tools
}

/** The names of the tools that can be called as tasks only. */
export function taskOnly(items: readonly unknown[]): string[] {
  return items.flatMap((item) => {
    if (!isFields(item) || !isFields(item.execution) || item.execution.taskSupport !== "required") return []
    return typeof item.name === "string" ? [item.name] : []
  })
}

function readTool(item: unknown): Tool | undefined {
  if (!isFields(item) || typeof item.name !== "string" || item.name === "") return undefined
  const { name, title, description, inputSchema, outputSchema, annotations } = item
  return {
    name,
    ...(typeof title === "string" && { title }),
    description: typeof description === "string" ? description : "",
    inputSchema: readInputSchema(inputSchema),
    ...(isFields(outputSchema) && { outputSchema }),
    ...(isFields(annotations) && { annotations: readAnnotations(annotations) }),
  }
}

/** Arguments are always an object, so a schema that does not say what it describes describes one. */
function readInputSchema(schema: unknown): JsonSchema {
  if (!isFields(schema)) return { type: "object" }
  return schema.type === undefined || schema.type === null ? { ...schema, type: "object" } : schema
}

function readAnnotations(fields: Fields): ToolAnnotations {
  const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const
  const annotations: ToolAnnotations = {}
  if (typeof fields.title === "string") annotations.title = fields.title
  for (const hint of hints) {
    const value = fields[hint]
    if (typeof value === "boolean") annotations[hint] = value
  }
  return annotations
}

export type ToolFilter = (name: string) => boolean

/** Which tools exist for scripts: those that `allow` names, if it is there, without those that `deny` names. */
export function createToolFilter(
  tools: { allow?: string[] | undefined; deny?: string[] | undefined } = {},
): ToolFilter {
  const allow = tools.allow?.map(globToPattern)
  const deny = tools.deny?.map(globToPattern) ?? []
  if (allow === undefined && deny.length === 0) return () => true
  return (name) => (allow?.some((glob) => glob.test(name)) ?? true) && !deny.some((glob) => glob.test(name))
}

function globToPattern(glob: string): RegExp {
  const escaped = glob.replace(/[\\^$.|+()[\]{}]/g, "\\$&")
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s")
}
