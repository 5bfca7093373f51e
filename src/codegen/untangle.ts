// TypeScript looks into the members of an intersection while it works out what a name stands for. A
// named type that is an intersection, and speaks of itself inside, would have no answer: such ones
// are written as unions of whole objects instead.
import { type Lookup, mergeObjects, namesIn, union } from "./combine.ts"
import { anyObject, type Definition, type ObjectType, type Type } from "./ir.ts"

const maxObjects = 16

/** The same definitions, none of which refers to itself in a way that TypeScript refuses. */
export function untangle(definitions: readonly Definition[]): Definition[] {
  const types = new Map(definitions.map(({ name, type }) => [name, type]))
  const speaksOf = new Map(definitions.map(({ name, type }) => [name, new Set(namesIn(type))]))
  const lookup: Lookup = (name) => types.get(name)
  return definitions.map((definition) => {
    const isTangled = (part: Type) => reaches(namesIn(part), definition.name, speaksOf)
    return { ...definition, type: rewrite(definition.type, isTangled, lookup) }
  })
}

function reaches(from: readonly string[], goal: string, speaksOf: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const seen = new Set<string>()
  const waiting = [...from]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === goal) return true
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...(speaksOf.get(next) ?? []))
  }
  return false
}

/** Goes no further than objects: their members are looked at later, when names have their meaning. */
function rewrite(type: Type, isTangled: (part: Type) => boolean, lookup: Lookup): Type {
  const inner = (part: Type) => rewrite(part, isTangled, lookup)
  switch (type.kind) {
    case "array":
      return { ...type, items: inner(type.items) }
    case "tuple":
      return { ...type, items: type.items.map(inner), ...(type.rest && { rest: inner(type.rest) }) }
    case "union":
      return union(type.members.map(inner))
    case "intersection":
      return isTangled(type) ? union(wholeObjects(type.members, lookup)) : type
    default:
      return type
  }
}

/** Every way to choose among the members' alternatives, each as one object. Too many become one that says less. */
function wholeObjects(members: readonly Type[], lookup: Lookup): Type[] {
  let results: ObjectType[] = [anyObject]
  for (const member of members) {
    const choices = objectsOf(member, lookup)
    if (choices.length === 0 || results.length * choices.length > maxObjects) continue
    results = results.flatMap((result) =>
      choices.map((choice) => (result.silent ? choice : mergeObjects(result, choice, lookup))),
    )
  }
  return results
}

function objectsOf(type: Type, lookup: Lookup, depth = 0): ObjectType[] {
  if (type.kind === "object") return [type]
  if (depth > 4) return []
  if (type.kind === "union") {
    const choices = type.members.map((member) => objectsOf(member, lookup, depth + 1))
    return choices.some((choice) => choice.length === 0) ? [] : choices.flat()
  }
  const target = type.kind === "reference" ? lookup(type.name) : undefined
  return target === undefined ? [] : objectsOf(target, lookup, depth + 1)
}
