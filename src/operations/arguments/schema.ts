// A tool's input schema, read as far as arguments on a command line need it: which names there are,
// which types each takes, and how to say so. It never validates whole values: the server does that.
import type { JsonSchema } from "../../catalog.ts"

/** One thing a value may be. Unions are lists of these. */
export type Alternative =
  | { kind: "string" | "number" | "integer" | "boolean" | "null" | "object" | "any" }
  | { kind: "literal"; value: unknown }
  | { kind: "array"; first: unknown[]; items: unknown }

export interface Parameter {
  name: string
  schema: unknown
  required: boolean
}

export interface Parameters {
  list: Parameter[]
  /** The schema of a name, whether listed, matched by a pattern or additional; undefined when it is not allowed. */
  schemaOf(name: string): unknown
}

// Deeper nesting than this says nothing about what to type, and a schema may refer to itself.
const maxDepth = 12

/** The named parameters of a tool. */
export function parametersOf(root: JsonSchema): Parameters {
  const schema = flatten(root, root)
  const branches = [...listOf(schema.anyOf), ...listOf(schema.oneOf)].map((branch) => flatten(branch, root))
  const properties = new Map([...branches, schema].flatMap((part) => Object.entries(objectOf(part.properties))))
  const required = new Set(listOf(schema.required))
  const patterns = Object.entries(objectOf(schema.patternProperties))
  const closed = schema.additionalProperties === false || schema.unevaluatedProperties === false
  return {
    list: [...properties].map(([name, property]) => ({ name, schema: property, required: required.has(name) })),
    schemaOf(name) {
      if (properties.has(name)) return properties.get(name)
      const pattern = patterns.find(([source]) => matches(source, name))
      if (pattern !== undefined) return pattern[1]
      return closed ? undefined : (schema.additionalProperties ?? true)
    },
  }
}

/** Everything that a value of this schema may be. */
export function alternativesOf(schema: unknown, root: JsonSchema, depth = 0): Alternative[] {
  if (schema === false) return []
  if (!isObject(schema) || depth > maxDepth) return [{ kind: "any" }]
  const flat = flatten(schema, root)
  const nullable: Alternative[] = flat.nullable === true ? [{ kind: "null" }] : []
  if ("const" in flat) return [{ kind: "literal", value: flat.const }, ...nullable]
  const values = listOf(flat.enum)
  if (values.length > 0) return [...values.map((value) => ({ kind: "literal" as const, value })), ...nullable]
  const types = Array.isArray(flat.type) ? flat.type : [flat.type ?? impliedType(flat)]
  const branches = [...listOf(flat.anyOf), ...listOf(flat.oneOf)]
  if (flat.type === undefined && branches.length > 0) {
    return [...branches.flatMap((branch) => alternativesOf(branch, root, depth + 1)), ...nullable]
  }
  return [...types.map((type) => alternativeOf(type, flat)), ...nullable]
}

/** A type as a reader would write it: `string`, `number | null`, `"a" | "b"`, `string[]`. */
export function typeLabel(schema: unknown, root: JsonSchema, depth = 0): string {
  const labels = alternativesOf(schema, root).map((alternative) => {
    if (alternative.kind === "literal") return JSON.stringify(alternative.value)
    if (alternative.kind !== "array") return alternative.kind
    if (alternative.items === undefined || depth > 2) return "array"
    const item = typeLabel(alternative.items, root, depth + 1)
    return item.includes(" ") ? `(${item})[]` : `${item}[]`
  })
  const unique = [...new Set(labels)]
  return unique.length > 12 ? `${unique.slice(0, 12).join(" | ")} | …` : unique.join(" | ") || "nothing"
}

/** Follows `$ref` and merges `allOf`, so that what a schema says is in one object. */
function flatten(schema: unknown, root: JsonSchema, depth = 0): JsonSchema {
  if (!isObject(schema) || depth > maxDepth) return {}
  const { $ref, allOf, ...own } = schema
  const parts = [...($ref === undefined ? [] : [follow($ref, root)]), ...listOf(allOf)]
  return parts.map((part) => flatten(part, root, depth + 1)).reduce(merge, own)
}

function merge(into: JsonSchema, part: JsonSchema): JsonSchema {
  return {
    ...part,
    ...into,
    ...((part.properties ?? into.properties) !== undefined && {
      properties: { ...objectOf(part.properties), ...objectOf(into.properties) },
    }),
    required: [...listOf(part.required), ...listOf(into.required)],
  }
}

/** The part of the document that a local reference such as `#/$defs/Label` names. */
function follow(reference: unknown, root: JsonSchema): unknown {
  if (reference === "#") return root
  if (typeof reference !== "string" || !reference.startsWith("#/")) return {}
  const steps = reference.slice(2).split("/")
  return steps.reduce<unknown>((at, step) => {
    const key = decode(step).replaceAll("~1", "/").replaceAll("~0", "~")
    return isObject(at) || Array.isArray(at) ? (at as JsonSchema)[key] : undefined
  }, root)
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    // A lone percent sign is simply part of the name.
    return step
  }
}

function alternativeOf(type: unknown, schema: JsonSchema): Alternative {
  switch (type) {
    case "string":
    case "number":
    case "integer":
    case "boolean":
    case "null":
    case "object":
      return { kind: type }
    case "array": {
      const first = Array.isArray(schema.items) ? schema.items : listOf(schema.prefixItems)
      return { kind: "array", first, items: Array.isArray(schema.items) ? schema.additionalItems : schema.items }
    }
    default:
      return { kind: "any" }
  }
}

function impliedType(schema: JsonSchema): string | undefined {
  if (schema.properties !== undefined || isObject(schema.additionalProperties)) return "object"
  return schema.items === undefined && schema.prefixItems === undefined ? undefined : "array"
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, "u").test(name)
  } catch {
    // Not every pattern of JSON Schema is one of JavaScript: then it is the server that decides.
    return true
  }
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function objectOf(value: unknown): JsonSchema {
  return isObject(value) ? value : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
