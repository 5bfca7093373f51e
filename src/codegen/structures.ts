// Objects, arrays and plain values: the schemas that have parts.
import { union } from "./combine.ts"
import { anyObject, type Property, type Type, unknown } from "./ir.ts"
import type { Converter } from "./normalize.ts"
import { isRecord, type Schema } from "./schema-rules.ts"

const maxEnumDepth = 8

/** The type of an object schema. */
export function objectType(schema: Schema, converter: Converter): Type {
  const required = new Set(stringsOf(schema.required))
  const properties = new Map<string, Property>()
  for (const [name, part] of Object.entries(isRecord(schema.properties) ? schema.properties : {})) {
    properties.set(name, { name, type: converter.part(part), required: required.has(name), docs: converter.docs(part) })
  }
  const others = othersOf(schema, converter, properties.size > 0)
  const listed = namesOf(schema.propertyNames, converter)
  // A name that is not described need not match a pattern.
  const undescribed = schema.additionalProperties === undefined ? unknown : (others ?? unknown)
  for (const name of [...required, ...(listed ?? [])]) {
    if (properties.has(name)) continue
    properties.set(name, { name, type: undescribed, required: required.has(name), docs: { facts: [] } })
  }
  if (properties.size === 0 && others === undefined && schema.additionalProperties !== false) return anyObject
  const closed = others === undefined || others.kind === "never" || listed !== undefined
  return { kind: "object", properties: [...properties.values()], ...(!closed && { others }) }
}

/** The type of members that are not listed; undefined when there are none, or nobody spoke of them. */
function othersOf(schema: Schema, converter: Converter, hasProperties: boolean): Type | undefined {
  const { additionalProperties: additional, patternProperties, propertyNames } = schema
  const patterns = isRecord(patternProperties) ? Object.values(patternProperties).map(converter.part) : []
  const open = additional === true || isRecord(additional)
  if (open) return union([...patterns, converter.part(additional)])
  if (patterns.length > 0) return union(patterns)
  return additional === false || hasProperties || propertyNames === undefined ? undefined : unknown
}

/** The names that an object may have, when there is a list of them. */
function namesOf(propertyNames: unknown, converter: Converter): string[] | undefined {
  const schema = converter.resolve(propertyNames)
  if (!isRecord(schema)) return undefined
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return stringsOf(schema.enum)
  return typeof schema.const === "string" ? [schema.const] : undefined
}

/** The type of an array schema. */
export function arrayType(schema: Schema, converter: Converter): Type {
  const { prefixItems, items, minItems, maxItems } = schema
  if (!Array.isArray(prefixItems)) return { kind: "array", items: converter.part(items) }
  // Whoever lists positions means all of them, unless a count says otherwise.
  const length = typeof maxItems === "number" ? Math.min(Math.max(maxItems, 0), prefixItems.length) : prefixItems.length
  const required = typeof minItems === "number" ? Math.min(Math.max(minItems, 0), length) : length
  const rest = items === undefined || items === false || length < prefixItems.length ? undefined : converter.part(items)
  const more = rest ?? (typeof minItems === "number" && minItems > prefixItems.length ? unknown : undefined)
  const types = prefixItems.slice(0, length).map(converter.part)
  return { kind: "tuple", items: types, required, ...(more && more.kind !== "never" && { rest: more }) }
}

/** The type that has one value: also an object or a list, as enums may hold them. */
export function valueType(value: unknown, depth = 0): Type {
  if (value === null) return { kind: "primitive", name: "null" }
  if (typeof value === "string" || typeof value === "boolean") return { kind: "literal", value }
  if (typeof value === "number") {
    return Number.isFinite(value) ? { kind: "literal", value } : { kind: "primitive", name: "number" }
  }
  if (typeof value !== "object" || depth > maxEnumDepth) return unknown
  const inner = (part: unknown) => valueType(part, depth + 1)
  if (Array.isArray(value)) return { kind: "tuple", items: value.map(inner), required: value.length }
  const properties = Object.entries(value).map(([name, part]) => ({
    name,
    type: inner(part),
    required: true,
    docs: { facts: [] },
  }))
  return { kind: "object", properties }
}

function stringsOf(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value): value is string => typeof value === "string") : []
}
