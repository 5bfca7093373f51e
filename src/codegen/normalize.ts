// JSON Schema → types. Reads everything that 2020-12 and the drafts before it can say and TypeScript
// too; what it cannot say becomes a comment or `unknown`. Never fetches, never throws, never changes its input.
import { intersection, type Lookup, namesIn, sizeOf, tooLong, union } from "./combine.ts"
import { docsOf } from "./docs.ts"
import { anyObject, type Definition, type Docs, never, nothing, type Type, unknown } from "./ir.ts"
import { findReferences, referenceOf } from "./references.ts"
import { isRecord, normalizeSchema, type Schema, shorthand, typesOf } from "./schema-rules.ts"
import { arrayType, objectType, valueType } from "./structures.ts"
import { untangle } from "./untangle.ts"

export interface NormalizedSchema {
  type: Type
  docs: Docs
  /** Types with names, in the order in which they are met. */
  definitions: Definition[]
}

export interface NormalizeOptions {
  /** The name of the whole, for schemas that refer to it. */
  name: string
  /** Gives each definition a name that is free. */
  claimName(wanted: string): string
}

/** What the structures need to convert their parts. */
export interface Converter {
  /** Converts a part that lies inside an object or array. */
  part(schema: unknown): Type
  docs(schema: unknown): Docs
  /** The schema behind references. */
  resolve(schema: unknown): unknown
}

const maxDepth = 40
const maxNodes = 20_000
const maxSteps = 10_000
// Named types this small are clearer where they are used.
const maxInlineSize = 1
const nothingOpen: ReadonlySet<object> = new Set()

/** Turns a document into types. */
export function normalize(root: unknown, { name, claimName }: NormalizeOptions): NormalizedSchema {
  const { targets, resolve } = findReferences(root)
  const named = new Map<object, Definition & { done: boolean; used: boolean }>()
  const results = new Map<object, Type>()
  const names = new Map<unknown, string>([[root, name]])
  const types = new Map<string, Definition & { done: boolean; used: boolean }>()
  // Definitions whose own meaning is being asked for: to meet one again says nothing new.
  let open: ReadonlySet<object> = nothingOpen
  // Those among them that were met again, so that what lies between is only half the truth.
  const metAgain = new Set<object>()
  let depth = 0
  let nodes = 0

  const find = (wanted: string) => {
    const definition = types.get(wanted)
    return definition?.done ? definition.type : undefined
  }
  const lookup: Lookup = Object.assign(find, { budget: { steps: maxSteps } })

  const convert = (given: unknown): Type => {
    const schema = isRecord(given) ? given : shorthand(given)
    if (schema === undefined) return given === false ? never : unknown
    return targets.has(schema) ? reference(schema) : body(schema)
  }

  const reference = (target: Schema): Type => {
    if (open.has(target)) {
      metAgain.add(target)
      return { kind: "unknown", why: "refers to itself", circular: true }
    }
    const known = results.get(target)
    if (known !== undefined) return known
    const existing = named.get(target)
    if (existing !== undefined) {
      existing.used = true
      return { kind: "reference", name: existing.name }
    }
    const ownName = names.get(target) ?? claimName(targets.get(target) ?? "Value")
    names.set(target, ownName)
    const definition = {
      name: ownName,
      type: unknown,
      docs: docsOf(target, () => undefined),
      done: false,
      used: target === root,
    }
    named.set(target, definition)
    types.set(definition.name, definition)
    const outer = open
    open = new Set([...outer, target])
    definition.type = body(target)
    open = outer
    metAgain.delete(target)
    if (metAgain.size > 0 && !definition.used) {
      named.delete(target)
      types.delete(definition.name)
      return definition.type
    }
    definition.done = true
    const inline = !definition.used && isSmall(definition.type)
    const result: Type = inline ? definition.type : { kind: "reference", name: definition.name }
    if (!inline) definition.used = true
    results.set(target, result)
    return result
  }

  const body = (given: Schema): Type => {
    if (depth > maxDepth || ++nodes > maxNodes) return { kind: "unknown", why: tooLong }
    depth++
    const schema = normalizeSchema(given)
    const type = intersection([ownType(schema), ...referred(given), ...branches(schema)], lookup)
    depth--
    return schema.nullable === true ? union([type, nothing]) : type
  }

  const referred = (schema: Schema): Type[] => {
    const text = referenceOf(schema)
    if (text === undefined) return []
    const target = resolve(schema)
    return [target === undefined ? { kind: "unknown", why: `not in this document: ${text}` } : convert(target)]
  }

  const branches = (schema: Schema): Type[] => {
    const { allOf, anyOf, oneOf, not } = schema
    const found: Type[] = Array.isArray(allOf) ? allOf.map(convert) : []
    for (const choices of [anyOf, oneOf]) {
      if (!Array.isArray(choices) || choices.length === 0) continue
      found.push(union(choices.map((choice) => convert(withParentProperties(choice, schema)))))
    }
    const forbidsAll = not === true || (isRecord(not) && Object.keys(not).length === 0)
    return forbidsAll ? [...found, never] : found
  }

  const ownType = (schema: Schema): Type => {
    const types = typesOf(schema)
    if (Array.isArray(schema.enum)) return enumType(schema.enum, types)
    return types === undefined ? unknown : union(types.map((each) => ofType(String(each), schema)))
  }

  const ofType = (type: string, schema: Schema): Type => {
    if (type === "object") return objectType(schema, converter)
    if (type === "array") return arrayType(schema, converter)
    return primitiveType(type)
  }

  const converter: Converter = {
    part(schema) {
      const outer = open
      open = nothingOpen
      const type = convert(schema)
      open = outer
      return type
    },
    docs: (schema) => docsOf(schema, (from) => followInlined(from)),
    resolve(schema) {
      let next = schema
      for (let steps = 0; steps < 16 && isRecord(next) && referenceOf(next) !== undefined; steps++) next = resolve(next)
      return next
    },
  }

  // The comment of a named type stands at the type; only one that is written out brings its own along.
  const followInlined = (from: Schema): unknown => {
    const target = resolve(from)
    const result = isRecord(target) ? results.get(target) : undefined
    return result !== undefined && result.kind !== "reference" ? target : undefined
  }

  const whole = { name, type: rootType(root, convert, named.get.bind(named)), docs: converter.docs(root) }
  if (named.size === 0) return { type: whole.type, docs: whole.docs, definitions: [] }
  const parts = [...named.entries()].filter(([schema]) => schema !== root).map(([, definition]) => definition)
  const [{ type, docs } = whole, ...definitions] = untangle([whole, ...parts])
  return { type, docs, definitions: reachable(type, definitions) }
}

/** The definitions that are still spoken of: some were merged into what referred to them. */
function reachable(type: Type, definitions: Definition[]): Definition[] {
  const all = new Map(definitions.map((definition) => [definition.name, definition]))
  const found = new Set<string>()
  const waiting: Type[] = [type]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const name of namesIn(next)) {
      if (found.has(name)) continue
      found.add(name)
      waiting.push(all.get(name)?.type ?? unknown)
    }
  }
  return definitions.filter(({ name }) => found.has(name)).map(({ name, type, docs }) => ({ name, type, docs }))
}

/** The document itself: written out, also when parts of it refer to the whole. */
function rootType(
  root: unknown,
  convert: (schema: unknown) => Type,
  named: (schema: object) => Definition | undefined,
): Type {
  const type = convert(root)
  return (isRecord(root) ? named(root)?.type : undefined) ?? type
}

function isSmall(type: Type): boolean {
  if (type.kind === "array") return isSmall(type.items)
  return type.kind === "unknown" || type.kind === "never" || type.kind === "reference" || sizeOf(type) <= maxInlineSize
}

/** "Either a or b is required" speaks of properties that the parent describes. */
function withParentProperties(choice: unknown, parent: Schema): unknown {
  if (!isRecord(choice) || !isRecord(parent.properties) || !Array.isArray(choice.required)) return choice
  const own = isRecord(choice.properties) ? choice.properties : {}
  const known = parent.properties
  const missing = choice.required.filter(
    (name): name is string => typeof name === "string" && !Object.hasOwn(own, name) && Object.hasOwn(known, name),
  )
  if (missing.length === 0) return choice
  return { ...choice, properties: { ...own, ...Object.fromEntries(missing.map((name) => [name, known[name]])) } }
}

/** The values of the right type; all of them when none is, for then the type is the mistake. */
function enumType(values: unknown[], types: unknown[] | undefined): Type {
  const allowed = types === undefined ? values : values.filter((value) => types.some((type) => isOfType(value, type)))
  return union((allowed.length > 0 ? allowed : values).map((value) => valueType(value)))
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "null":
      return value === null
    case "array":
      return Array.isArray(value)
    case "object":
      return isRecord(value)
    case "integer":
      return typeof value === "number"
    default:
      return typeof value === type
  }
}

function primitiveType(type: string): Type {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return { kind: "primitive", name: type }
    case "integer":
    case "number":
      return { kind: "primitive", name: "number" }
    default:
      return anyObject
  }
}
