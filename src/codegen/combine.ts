// Unions and intersections of types, simplified as far as a reader would.
import { type Docs, isAnyObject, type ObjectType, type Property, type Type, unknown } from "./ir.ts"

/** Finds what a name stands for; undefined while that is still being worked out. */
export interface Lookup {
  (name: string): Type | undefined
  /** How many names were opened on the way here. */
  level?: number
  /** Steps that may still be taken; without it, as many as it takes. */
  budget?: { steps: number }
}

// Merging copies a named type into each place: beyond this size the name is kept instead.
const maxMergedSize = 400
// Types that speak of each other could be merged without end.
const maxLevel = 3

/** Said of a schema that is not followed to its end. */
export const tooLong = "the schema goes on too deep or too long"

/** One of several types. Nothing is said when one of them says nothing. */
export function union(given: readonly Type[]): Type {
  const [only] = given
  if (given.length === 1 && only !== undefined) return only
  const members = new Map<string, Type>()
  for (const type of flatten(given)) {
    if (type.kind === "unknown" && !type.circular) return type
    if (type.kind !== "never" && type.kind !== "unknown") members.set(keyOf(loud(type)), type)
  }
  const [yes, no] = [keyOf({ kind: "literal", value: true }), keyOf({ kind: "literal", value: false })]
  const both = members.has(yes) && members.has(no)
  const boolean: Type = { kind: "primitive", name: "boolean" }
  if (both) members.set(yes, boolean)
  if (both || members.has(keyOf(boolean))) for (const key of both ? [no] : [yes, no]) members.delete(key)
  // What was made of two values may be among the others already.
  const unique = both
    ? [...new Map([...members.values()].map((type) => [keyOf(loud(type)), type])).values()]
    : [...members.values()]
  const sorted = [...unique.filter((type) => !isNull(type)), ...unique.filter(isNull)]
  if (sorted.length === 0) return given.some((type) => type.kind === "unknown") ? unknown : { kind: "never" }
  return sorted.length === 1 ? (sorted[0] as Type) : { kind: "union", members: sorted }
}

/** All of several types at once. */
export function intersection(given: readonly Type[], lookup: Lookup): Type {
  let result: Type = unknown
  for (const type of given) {
    const next = meet(result, type, lookup)
    if (next === undefined) return { kind: "unknown", why: "the schema contradicts itself" }
    result = next
  }
  return result
}

/** What is both one and the other; undefined when nothing can be. */
function meet(a: Type, b: Type, lookup: Lookup): Type | undefined {
  if (a.kind === "unknown") return b
  if (b.kind === "unknown") return a
  if (lookup.budget !== undefined && --lookup.budget.steps < 0) return { kind: "unknown", why: tooLong }
  if (a.kind === "never" || b.kind === "never") return { kind: "never" }
  if (isAnyObject(a) && b.kind === "object") return b
  if (isAnyObject(b) && a.kind === "object") return a
  if (a.kind === b.kind && keyOf(a) === keyOf(b)) return a
  if (a.kind === "reference") return meetReference(a, b, lookup)
  if (b.kind === "reference") return meetReference(b, a, lookup)
  if (a.kind === "union") return meetUnion(a.members, b, lookup)
  if (b.kind === "union") return meetUnion(b.members, a, lookup)
  if (a.kind === "intersection") return meetAll(a.members, b, lookup)
  if (b.kind === "intersection") return meetAll(b.members, a, lookup)
  if (a.kind === "object" && b.kind === "object") return mergeObjects(a, b, lookup)
  if (a.kind === "primitive" && b.kind === "literal") return a.name === typeof b.value ? b : undefined
  if (b.kind === "primitive" && a.kind === "literal") return b.name === typeof a.value ? a : undefined
  if (a.kind === "array" && b.kind === "array") return meetItems(a.items, b.items, lookup)
  if (a.kind === "tuple" && b.kind === "array") return a
  if (a.kind === "array" && b.kind === "tuple") return b
  return a.kind === "tuple" && b.kind === "tuple" ? join([a, b]) : undefined
}

function meetReference(reference: Type & { kind: "reference" }, other: Type, lookup: Lookup): Type | undefined {
  const target = lookup(reference.name)
  if (target === undefined || sizeOf(target) > maxMergedSize) return join([reference, other])
  if (isAnyObject(other) && isObjectLike(target, lookup)) return reference
  const result = meet(target, other, deeper(lookup))
  return result !== undefined && keyOf(result) === keyOf(target) ? reference : result
}

function deeper(lookup: Lookup): Lookup {
  const level = (lookup.level ?? 0) + 1
  return Object.assign((name: string) => (level < maxLevel ? lookup(name) : undefined), { ...lookup, level })
}

function meetUnion(members: Type[], other: Type, lookup: Lookup): Type | undefined {
  // Copying an object's properties into every member would say the same at greater length.
  if (other.kind === "object" && !isAnyObject(other)) {
    const objects = members.filter((member) => isObjectLike(member, lookup))
    if (objects.length > 1) return join([other, union(objects)])
  }
  if (other.kind === "union" && members.length * other.members.length > 64) return join([union(members), other])
  const possible = members.flatMap((member) => meet(member, other, lookup) ?? [])
  return possible.length === 0 ? undefined : union(possible)
}

function meetAll(members: Type[], other: Type, lookup: Lookup): Type | undefined {
  const possible = members.every((member) => meet(member, other, lookup) !== undefined)
  return possible ? join([...members, other]) : undefined
}

function meetItems(a: Type, b: Type, lookup: Lookup): Type | undefined {
  const items = meet(a, b, lookup)
  return items && { kind: "array", items }
}

/** One object type with the members of both. */
export function mergeObjects(a: ObjectType, b: ObjectType, lookup: Lookup): ObjectType {
  const properties = new Map<string, Property>(a.properties.map((property) => [property.name, property]))
  for (const property of b.properties) {
    const first = properties.get(property.name)
    properties.set(property.name, first === undefined ? property : mergeProperty(first, property, lookup))
  }
  const others = a.others && b.others ? intersection([a.others, b.others], lookup) : (a.others ?? b.others)
  return { kind: "object", properties: [...properties.values()], ...(others && { others }) }
}

function mergeProperty(a: Property, b: Property, lookup: Lookup): Property {
  return {
    name: a.name,
    type: intersection([a.type, b.type], lookup),
    required: a.required || b.required,
    docs: mergeDocs(a.docs, b.docs),
  }
}

/** The first description, and all facts. */
export function mergeDocs(a: Docs, b: Docs): Docs {
  const description = a.description ?? b.description
  return {
    ...(description !== undefined && { description }),
    facts: [...new Set([...a.facts, ...b.facts])],
    ...((a.deprecated || b.deprecated) && { deprecated: true }),
  }
}

/** Members of an index signature: TypeScript wants every listed property to fit it. */
export function indexSignature(type: ObjectType): Type | undefined {
  const { others, properties } = type
  if (others === undefined || others.kind === "unknown" || properties.length === 0) return others
  const types = properties.map((property) => property.type)
  const small = types.every((each) => sizeOf(each) <= 12)
  return small ? union([others, ...types]) : { kind: "unknown", why: "as the listed members have other types" }
}

export function isObjectLike(type: Type, lookup: Lookup): boolean {
  if (type.kind === "reference") {
    const target = lookup(type.name)
    return target !== undefined && isObjectLike(target, deeper(lookup))
  }
  if (type.kind === "union") return type.members.every((member) => isObjectLike(member, lookup))
  if (type.kind === "intersection") return type.members.some((member) => isObjectLike(member, lookup))
  return type.kind === "object"
}

/** How many nodes a type has, written out. */
export function sizeOf(type: Type): number {
  return partsOf(type).reduce((total, part) => total + sizeOf(part), 1)
}

/** The named types that a type speaks of. */
export function namesIn(type: Type): string[] {
  return type.kind === "reference" ? [type.name] : partsOf(type).flatMap(namesIn)
}

function partsOf(type: Type): Type[] {
  switch (type.kind) {
    case "array":
      return [type.items]
    case "tuple":
      return type.rest ? [...type.items, type.rest] : type.items
    case "object":
      return [...type.properties.map((property) => property.type), ...(type.others ? [type.others] : [])]
    case "union":
    case "intersection":
      return type.members
    default:
      return []
  }
}

function flatten(types: readonly Type[]): Type[] {
  return types.flatMap((type) => (type.kind === "union" ? type.members : [type]))
}

function join(given: readonly Type[]): Type {
  const members = given.flatMap((type) => (type.kind === "intersection" ? type.members : [type]))
  return { kind: "intersection", members: [...new Map(members.map((type) => [keyOf(type), type])).values()] }
}

/** Printed, silence and openness look the same. */
function loud(type: Type): Type {
  return isAnyObject(type) ? { kind: "object", properties: [], others: unknown } : type
}

function isNull(type: Type): boolean {
  return type.kind === "primitive" && type.name === "null"
}

/** The same for types that are the same. */
function keyOf(type: Type): string {
  if (type.kind === "primitive" || type.kind === "reference") return `${type.kind} ${type.name}`
  return JSON.stringify(type.kind === "literal" ? type.value : type)
}
