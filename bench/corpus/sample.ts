// Values that a schema admits, made without the generator: a second opinion on its types.

type Schema = Record<string, unknown>

export interface SampleOptions {
  /** Also members that may be left out. */
  full: boolean
}

const maxDepth = 12
/** The value of a schema that asks for nothing. */
const anything = "anything"
/** Thrown away: nothing of finite size fits, or the schema leads nowhere. */
export const noSample = Symbol("no sample")

/** A value for a schema, or `noSample`. */
export function sampleOf(schema: unknown, root: unknown, options: SampleOptions, depth = 0): unknown {
  if (schema === false || depth > maxDepth) return noSample
  if (!isSchema(schema)) return anything
  const inner = (part: unknown) => sampleOf(part, root, options, depth + 1)
  const choices = [schema.anyOf, schema.oneOf].find((list) => Array.isArray(list) && list.length > 0) as
    | unknown[]
    | undefined
  const parts = [
    ...(["$ref", "$dynamicRef", "$recursiveRef"].some((keyword) => Object.hasOwn(schema, keyword))
      ? [inner(follow(schema.$ref, root))]
      : []),
    ...(Array.isArray(schema.allOf) ? schema.allOf.map(inner) : []),
    ...(choices ? [choose((options.full ? choices.toReversed() : choices).map(inner))] : []),
  ]
  const values = Object.hasOwn(schema, "const") ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : []
  // Whether a value fits the other parts as well would be for a validator to say.
  if (values.length > 0) return parts.length > 0 ? noSample : values.at(options.full ? -1 : 0)
  const hasOwn = schema.type !== undefined || impliedType(schema) !== undefined
  return merge(parts.length > 0 && !hasOwn ? parts : [byType(schema, options, inner), ...parts])
}

function byType(schema: Schema, options: SampleOptions, inner: (part: unknown) => unknown): unknown {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  const type = types.find((each) => each !== "null") ?? types[0]
  switch (type ?? impliedType(schema)) {
    case "string":
      return "text"
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1
    case "boolean":
      return true
    case "null":
      return null
    case "array":
      return sampleArray(schema, inner)
    case "object":
      return sampleObject(schema, options, inner)
    default:
      return anything
  }
}

/** Who speaks of members means an object, though by the letter of the standard anything else would do. */
function impliedType(schema: Schema): string | undefined {
  const says = (keywords: string) => keywords.split(" ").some((keyword) => schema[keyword] !== undefined)
  if (says("properties required additionalProperties patternProperties propertyNames unevaluatedProperties"))
    return "object"
  return says("items prefixItems") ? "array" : undefined
}

function sampleArray(schema: Schema, inner: (part: unknown) => unknown): unknown {
  const tuple = Array.isArray(schema.prefixItems)
    ? schema.prefixItems
    : Array.isArray(schema.items)
      ? schema.items
      : undefined
  if (tuple !== undefined) {
    const items = tuple.map(inner)
    return items.includes(noSample) ? noSample : items
  }
  const item = inner(schema.items)
  return item === noSample ? [] : [item]
}

function sampleObject(schema: Schema, { full }: SampleOptions, inner: (part: unknown) => unknown): unknown {
  const required = new Set(
    Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [],
  )
  const members: [string, unknown][] = []
  for (const [name, part] of Object.entries(isSchema(schema.properties) ? schema.properties : {})) {
    if (!full && !required.has(name)) continue
    const value = inner(part)
    if (value !== noSample) members.push([name, value])
    else if (required.has(name)) return noSample
  }
  for (const name of required) {
    if (!members.some(([known]) => known === name)) members.push([name, inner(schema.additionalProperties)])
  }
  if (full && isSchema(schema.additionalProperties) && members.length === 0) {
    const names = isSchema(schema.propertyNames) ? schema.propertyNames.enum : undefined
    const value = inner(schema.additionalProperties)
    if (value !== noSample) members.push([Array.isArray(names) ? String(names[0]) : "key", value])
  }
  return Object.fromEntries(members)
}

/** Of several branches the least demanding one. */
function choose(samples: unknown[]): unknown {
  if (samples.includes(anything)) return anything
  return samples.find((sample) => sample !== noSample) ?? samples[0]
}

/** What fits all parts: their members together, or the value of the one that asks for something. */
function merge(parts: unknown[]): unknown {
  if (parts.includes(noSample)) return noSample
  const asked = parts.filter((part) => part !== anything)
  if (asked.length === 0) return anything
  return asked.length > 1 && asked.every(isSchema) ? Object.assign({}, ...asked) : asked[0]
}

/** Where a pointer leads; `false`, which nothing fits, when that is nowhere. */
function follow(reference: unknown, root: unknown): unknown {
  if (typeof reference !== "string" || !/^#(?:\/|$)/.test(reference)) return false
  let value = root
  for (const part of reference.split("/").slice(1)) {
    const key = unescapePart(part)
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return false
    value = (value as Schema)[key]
  }
  return value
}

function unescapePart(part: string): string {
  const plain = URL.canParse(`x:${part}`) && !/%(?![\da-f]{2})/i.test(part) ? decodeURIComponent(part) : part
  return plain.replaceAll("~1", "/").replaceAll("~0", "~")
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
