// Values that a schema admits, made without the generator: a second opinion on its types.

type Schema = Record<string, unknown>

export interface SampleOptions {
  /** Also members that may be left out. */
  full: boolean
}

const maxDepth = 12
/** Thrown away: nothing of finite size fits, or the schema leads nowhere. */
export const noSample = Symbol("no sample")

/** A value for a schema, or `noSample`. */
export function sampleOf(schema: unknown, root: unknown, options: SampleOptions, depth = 0): unknown {
  if (schema === false || depth > maxDepth) return noSample
  if (!isSchema(schema)) return "anything"
  const inner = (part: unknown) => sampleOf(part, root, options, depth + 1)
  if (typeof schema.$ref === "string") {
    const target = follow(schema.$ref, root)
    return target === undefined ? "anything" : inner(target)
  }
  if (Object.hasOwn(schema, "const")) return schema.const
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum.at(options.full ? -1 : 0)
  const choices = [schema.anyOf, schema.oneOf].find((list) => Array.isArray(list) && list.length > 0) as
    | unknown[]
    | undefined
  const parts = [
    ...(Array.isArray(schema.allOf) ? schema.allOf.map(inner) : []),
    ...(choices ? [firstSample((options.full ? choices.toReversed() : choices).map(inner))] : []),
  ]
  if (parts.length > 0 && schema.type === undefined && schema.properties === undefined) return merge(parts)
  const own = byType(schema, options, inner)
  return merge([own, ...parts])
}

function byType(schema: Schema, options: SampleOptions, inner: (part: unknown) => unknown): unknown {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  const type = types.find((each) => each !== "null") ?? types[0]
  switch (type ?? (schema.properties ? "object" : schema.items ? "array" : undefined)) {
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
      return "anything"
  }
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
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const members: [string, unknown][] = []
  for (const [name, part] of Object.entries(isSchema(schema.properties) ? schema.properties : {})) {
    if (!full && !required.has(name)) continue
    const value = inner(part)
    if (value !== noSample) members.push([name, value])
    else if (required.has(name)) return noSample
  }
  for (const name of required) {
    if (!members.some(([known]) => known === name)) members.push([String(name), inner(schema.additionalProperties)])
  }
  if (full && isSchema(schema.additionalProperties) && members.length === 0) {
    const names = isSchema(schema.propertyNames) ? schema.propertyNames.enum : undefined
    const value = inner(schema.additionalProperties)
    if (value !== noSample) members.push([Array.isArray(names) ? String(names[0]) : "key", value])
  }
  return Object.fromEntries(members)
}

function firstSample(samples: unknown[]): unknown {
  return samples.find((sample) => sample !== noSample) ?? samples[0]
}

function merge(parts: unknown[]): unknown {
  if (parts.includes(noSample)) return noSample
  const objects = parts.filter((part) => typeof part === "object" && part !== null && !Array.isArray(part))
  return objects.length > 1 ? Object.assign({}, ...objects) : (objects[0] ?? parts.at(-1))
}

function follow(reference: string, root: unknown): unknown {
  if (!reference.startsWith("#")) return undefined
  let value = root
  for (const part of reference.split("/").slice(1)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Schema)[key]
  }
  return value
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
