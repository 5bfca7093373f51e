// The arguments of a call, checked by the operation's own schema, and what is wrong with them in words
// that a model can act on.
import type { z } from "zod"
import { McpExecError } from "../errors.ts"
import { suggest } from "../suggest.ts"
import { type ToolName, tools } from "./surface.ts"

/** The input of an operation. Throws E_USAGE, which says everything that is wrong at once. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, tool: ToolName, args: unknown): z.infer<Schema> {
  const names = Object.keys(tools.find(({ name }) => name === tool)?.inputSchema.properties ?? {})
  const given = typeof args === "object" && args !== null ? Object.keys(args) : []
  const unknown = given.filter((name) => !names.includes(name)).map((name) => `${name} is unknown${meant(name, names)}`)
  const parsed = schema.safeParse(args ?? {})
  if (parsed.success && unknown.length === 0) return parsed.data
  const issues = (parsed.error?.issues ?? []).filter(({ code }) => code !== "unrecognized_keys")
  const problems = [...unknown, ...issues.map(({ path, message }) => `${path.join(".")}: ${message}`)]
  throw new McpExecError("E_USAGE", `${tool}: ${problems.join("; ")}`, { hint: `It takes ${names.join(", ")}.` })
}

function meant(name: string, names: readonly string[]): string {
  const nearest = suggest(name, names)
  return nearest === undefined ? "" : `, did you mean ${nearest}?`
}
