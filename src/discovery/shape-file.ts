// Shapes as they are stored: JSON, in which what was never seen is left out. Whoever reads it back trusts
// nothing: what is not a shape is not known.
import { emptyShape, noShape, type ObjectShape, type Shape, type ToolShape } from "./shape.ts"

const format = 2

/** The text of a file with the shapes of tools. */
export function writeShapes(tools: ReadonlyMap<string, ToolShape>): string {
  const sorted = [...tools].sort(([a], [b]) => (a < b ? -1 : 1))
  const entries = sorted.map(([tool, { root, depth, samples }]) => {
    return [tool, { depth, samples: [...samples].sort(), shape: toJson(root) }] as const
  })
  return `${JSON.stringify({ format, tools: Object.fromEntries(entries) })}\n`
}

/** The shapes in a file's text. What cannot be read is left out: it is learned again. */
export function readShapes(text: string): Map<string, ToolShape> {
  const found = new Map<string, ToolShape>()
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return found // cut short, or somebody's own
  }
  if (!isRecord(file) || file.format !== format || !isRecord(file.tools)) return found
  for (const [tool, entry] of Object.entries(file.tools)) {
    const shape = isRecord(entry) ? toolShape(entry) : undefined
    if (shape !== undefined) found.set(tool, shape)
  }
  return found
}

function toolShape({ depth, samples, shape }: Record<string, unknown>): ToolShape | undefined {
  const { depth: deepest } = emptyShape()
  if (!isCount(depth) || depth > deepest || !isStrings(samples) || samples.length === 0) return undefined
  const root = fromJson(shape, depth)
  return root && { root, depth, samples: new Set(samples) }
}

function toJson(shape: Shape): Record<string, unknown> {
  const { count, words, array, object, deep, ...kinds } = shape
  const seen = Object.entries(kinds).filter(([, number]) => number > 0)
  return {
    count,
    ...Object.fromEntries(seen),
    ...(words !== false &&
      words.size > 0 && { words: Object.fromEntries([...words].sort(([a], [b]) => (a < b ? -1 : 1))) }),
    ...(array && { array: { count: array.count, items: toJson(array.items) } }),
    ...(object && { object: objectToJson(object) }),
    ...(deep && { deep }),
  }
}

function objectToJson({ count, empty, members, map, folded }: ObjectShape): Record<string, unknown> {
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    count,
    ...(empty > 0 && { empty }),
    members: Object.fromEntries(sorted.map(([key, member]) => [key, toJson(member)])),
    ...(map && { map: toJson(map) }),
    ...(folded && { folded }),
  }
}

/** Undefined when a part of it is not what it should be. */
function fromJson(value: unknown, depth: number): Shape | undefined {
  if (!isRecord(value) || depth < 0) return undefined
  const shape = noShape()
  for (const kind of ["count", "null", "boolean", "number", "string"] as const) {
    const number = value[kind] ?? 0
    if (!isCount(number)) return undefined
    shape[kind] = number
  }
  if (value.deep === true) shape.deep = true
  const words = isRecord(value.words) ? Object.entries(value.words) : []
  if (!words.every((word): word is [string, number] => isCount(word[1]))) return undefined
  // Texts of which no words are kept were not an enum, and never will be.
  shape.words = shape.string > 0 && words.length === 0 ? false : new Map(words)
  if (value.array !== undefined) {
    const items = isRecord(value.array) ? fromJson(value.array.items, depth - 1) : undefined
    if (items === undefined || !isRecord(value.array) || !isCount(value.array.count)) return undefined
    shape.array = { count: value.array.count, items }
  }
  if (value.object !== undefined) {
    const object = objectFromJson(value.object, depth)
    if (object === undefined) return undefined
    shape.object = object
  }
  return shape
}

function objectFromJson(value: unknown, depth: number): ObjectShape | undefined {
  if (!isRecord(value) || !isCount(value.count) || !isRecord(value.members)) return undefined
  const { count, empty = 0 } = value
  if (!isCount(empty)) return undefined
  const object: ObjectShape = { count, empty, members: new Map() }
  for (const [key, member] of Object.entries(value.members)) {
    const shape = fromJson(member, depth - 1)
    if (shape === undefined) return undefined
    object.members.set(key, shape)
  }
  if (value.folded === true) object.folded = true
  if (value.map === undefined) return object
  const map = fromJson(value.map, depth - 1)
  return map && { ...object, map }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string")
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
