// Shapes → types. quicktype decides what a reader would: which objects are the same thing, which are maps,
// what to call them. It never sees a value, and none of its text is used: types are printed by the
// generator's own printer, which makes keys harmless.
import type { Type as GraphType } from "quicktype-core"
import { union } from "../codegen/combine.ts"
import { type Definition, type Type, unknown } from "../codegen/ir.ts"
import { typeName } from "../codegen/names.ts"
import type { ToolShape } from "./shape.ts"
import { graphOf, type Quicktype } from "./shape-graph.ts"

export interface InferOptions {
  /** What the names of the tool's types begin with; that of its result is this and "Result". */
  type: string
  /** Names that are taken. Those of new types are added. */
  taken: Set<string>
  /** Every member may be missing. */
  allOptional: boolean
}

/** Loads quicktype. */
export async function loadQuicktype(): Promise<Quicktype> {
  return await import("quicktype-core")
}

/** The types of a tool's results: first that of the result, then those it speaks of. */
export function inferTypes(
  quicktype: Quicktype,
  { root }: ToolShape,
  { type, taken, allOptional }: InferOptions,
): Definition[] {
  const result = `${type}Result`
  const { top, isOpen } = graphOf(quicktype, root, { name: result, allOptional })
  const definitions: Definition[] = []
  const names = new Map<number, string>()
  const name = (graphType: GraphType): string => {
    const known = names.get(graphType.index)
    if (known !== undefined) return known
    const made = typeName(nameFor(graphType, type), (each) => taken.has(each))
    taken.add(made)
    names.set(graphType.index, made)
    // Its place is before those that it speaks of.
    const definition: Definition = { name: made, type: unknown, docs: { facts: [] } }
    definitions.push(definition)
    definition.type = bodyOf(graphType)
    return made
  }
  const bodyOf = (graphType: GraphType): Type => {
    const body = typeOf(graphType, name)
    return body.kind === "object" && isOpen(graphType) ? { ...body, others: unknown } : body
  }
  taken.add(result)
  const first: Definition = { name: result, type: unknown, docs: { facts: [] } }
  if (top === undefined) return [first]
  if (hasMembers(top)) names.set(top.index, result)
  first.type = hasMembers(top) ? bodyOf(top) : use(top, name)
  return [first, ...definitions]
}

/** After the key below which it was found; what has none is an item of the result. */
function nameFor(graphType: GraphType, type: string): string {
  const found = typeName(graphType.getCombinedName(), () => false)
  if (found.startsWith(`${type}Result`)) return `${type}Item`
  return found === "Result" ? `${type}Value` : `${type}${found}`
}

/** A type where it is used: objects go by their names. */
function use(type: GraphType, name: (type: GraphType) => string): Type {
  return hasMembers(type) ? { kind: "reference", name: name(type) } : typeOf(type, name)
}

/** Of an object without any, nothing is known but that it is one. */
function hasMembers(type: GraphType): boolean {
  return type.kind === "class" && (type as ObjectGraphType).getProperties().size > 0
}

type ObjectGraphType = InstanceType<Quicktype["ObjectType"]>

function typeOf(type: GraphType, name: (type: GraphType) => string): Type {
  switch (type.kind) {
    case "bool":
      return { kind: "primitive", name: "boolean" }
    case "integer":
    case "double":
      return { kind: "primitive", name: "number" }
    case "string":
      return { kind: "primitive", name: "string" }
    case "enum":
      return enumType(type as InstanceType<Quicktype["EnumType"]>)
    case "array":
      return { kind: "array", items: use((type as InstanceType<Quicktype["ArrayType"]>).items, name) }
    case "union":
      return unionType(type as InstanceType<Quicktype["UnionType"]>, name)
    case "class":
    case "map":
    case "object":
      return objectType(type as ObjectGraphType, name)
    default:
      // Nothing but null was seen, or nothing at all: that says nothing about what else there may be.
      return unknown
  }
}

function enumType({ cases }: InstanceType<Quicktype["EnumType"]>): Type {
  return union([...cases].sort().map((value) => ({ kind: "literal", value })))
}

function unionType({ members }: InstanceType<Quicktype["UnionType"]>, name: (type: GraphType) => string): Type {
  const sorted = [...members].sort((a, b) => (a.kind < b.kind ? -1 : 1))
  return union(
    sorted.map((member) => (member.kind === "null" ? { kind: "primitive", name: "null" } : use(member, name))),
  )
}

function objectType(type: ObjectGraphType, name: (type: GraphType) => string): Type {
  const properties = [...type.getProperties()].sort(([a], [b]) => (a < b ? -1 : 1))
  const others = type.getAdditionalProperties()
  return {
    kind: "object",
    properties: properties.map(([key, property]) => ({
      name: key,
      type: use(property.type, name),
      required: !property.isOptional,
      docs: { facts: [] },
    })),
    ...(others && { others: use(others, name) }),
    ...(properties.length === 0 && others === undefined && { others: unknown }),
  }
}
