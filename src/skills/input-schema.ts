// A skill's arguments as the input schema of an MCP tool, for whoever offers skills as tools.
import type { JsonSchema } from "../catalog.ts"
import { type ArgumentDeclaration, isRequired, type SkillDeclaration } from "../guest/skill-declaration.ts"

/** The schema of the object that holds a skill's arguments, under the names that the skill gives them. */
export function inputSchemaOf({ args = {} }: SkillDeclaration): JsonSchema {
  const entries = Object.entries(args)
  // What a variable may give, a caller may leave out.
  const required = entries.filter(([, argument]) => isRequired(argument) && argument.env === undefined)
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, argument]) => [name, schemaOf(argument)])),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    additionalProperties: false,
  }
}

function schemaOf(argument: ArgumentDeclaration): JsonSchema {
  const { kind, description, default: value } = argument
  const text = description ?? (kind === "file" ? "the path of a file" : undefined)
  return {
    ...typeOf(argument),
    ...(text !== undefined && { description: text }),
    ...(value !== undefined && { default: value }),
  }
}

function typeOf({ kind, values = [], of = "string", min, max }: ArgumentDeclaration): JsonSchema {
  const bounds = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) }
  switch (kind) {
    case "number":
    case "integer":
      return { type: kind, ...bounds }
    case "boolean":
      return { type: "boolean" }
    case "enum":
      return { type: "string", ...(values.length > 0 && { enum: [...values] }) }
    case "list":
      return { type: "array", items: { type: of, ...(of !== "string" && bounds) } }
    case "json":
      return {}
    default:
      return { type: "string" }
  }
}
