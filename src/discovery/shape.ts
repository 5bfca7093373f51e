// The shape of results: which members, which types, how often each was seen, and never a value. Shapes add
// up: it makes no difference in which order samples come, or in how many runs.
import { fingerprintOf } from "./fingerprint.ts"

/** What was seen in one place of the samples. */
export interface Shape {
  /** How many values were seen here. */
  count: number
  null: number
  boolean: number
  number: number
  string: number
  /** How often each text was seen, while they may be the few words of an enum; false once they cannot be. */
  words: Map<string, number> | false
  array?: { count: number; items: Shape }
  /** `map` has what was seen below keys that are data themselves, such as numbers or addresses. */
  object?: ObjectShape
  /** Something in this place lies too deep to be looked at. */
  deep?: true
}

export interface ObjectShape {
  count: number
  /** How many of them had no members. */
  empty: number
  members: Map<string, Shape>
  map?: Shape
  /** There were so many members that all of them are in `map` now. */
  folded?: true
}

/** What is known of a tool's results. */
export interface ToolShape {
  root: Shape
  /** How deep it goes: less when a tool's results differ so much that they would fill the memory. */
  depth: number
  /** By fingerprint, and round where it is not the first. The same call, answered alike, is one sample a round. */
  samples: Set<string>
}

const deepest = 40
// Types of more places than this help nobody, and take long to infer.
const mostNodes = 4_000
const mostMembers = 300
const mostSamples = 1000
const mostWords = 8
// A word of a program: a text of people has capitals and spaces.
const wordPattern = /^(?:[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)$/
const longestWord = 24

/** A shape of which nothing has been seen. */
export function emptyShape(): ToolShape {
  return { root: noShape(), depth: deepest, samples: new Set() }
}

/** Adds one result, and what the tool was asked for it. In another round the same call is another sample. */
export function addSample(shape: ToolShape, args: unknown, value: unknown, round = 0): void {
  add(shape.root, value, shape.depth)
  const fingerprint = fingerprintOf(args, value)
  shape.samples = firstOf(shape.samples.add(round === 0 ? fingerprint : `${fingerprint}.${round}`))
  keepSmall(shape)
}

/** Adds everything that another shape knows. */
export function addShape(shape: ToolShape, other: ToolShape): void {
  if (other.depth < shape.depth) limit(shape, other.depth)
  merge(shape.root, other.root, shape.depth)
  shape.samples = firstOf(shape.samples.union(other.samples))
  keepSmall(shape)
}

/** Nothing has been seen here. */
export function noShape(): Shape {
  return { count: 0, null: 0, boolean: 0, number: 0, string: 0, words: new Map() }
}

/** How many samples there are, without those that only repeat others. */
export function countDifferent({ samples }: ToolShape): number {
  return new Set([...samples].map((sample) => sample.split(".")[0])).size
}

/** No member is in all of them, as in rows whose columns somebody has chosen: others may have others. */
export function isOpen({ count, empty, members }: ObjectShape): boolean {
  return members.size > 0 && members.values().every((member) => member.count < count - empty)
}

function add(shape: Shape, value: unknown, depth: number): void {
  shape.count++
  if (value === null || value === undefined) shape.null++
  else if (typeof value === "boolean") shape.boolean++
  else if (typeof value === "number" || typeof value === "bigint") shape.number++
  else if (typeof value === "string") addText(shape, value)
  else if (depth === 0) shape.deep = true
  else if (Array.isArray(value)) addArray(shape, value, depth)
  else addObject(shape, value as object, depth)
}

function addText(shape: Shape, text: string): void {
  shape.string++
  if (shape.words === false) return
  const seen = shape.words.get(text)
  const fits = seen !== undefined || (text.length <= longestWord && wordPattern.test(text))
  if (!fits || (seen === undefined && shape.words.size === mostWords)) shape.words = false
  else shape.words.set(text, (seen ?? 0) + 1)
}

function addArray(shape: Shape, items: unknown[], depth: number): void {
  shape.array ??= { count: 0, items: noShape() }
  shape.array.count++
  for (const item of items) add(shape.array.items, item, depth - 1)
}

function addObject(shape: Shape, object: object, depth: number): void {
  shape.object ??= { count: 0, empty: 0, members: new Map() }
  const known = shape.object
  const entries = Object.entries(object)
  known.count++
  if (entries.length === 0) known.empty++
  for (const [key, value] of entries) add(placeOf(known, key), value, depth - 1)
  if (known.members.size > mostMembers) foldMembers(known, depth)
}

function placeOf(object: ObjectShape, key: string): Shape {
  const member = object.members.get(key)
  if (member !== undefined) return member
  if (object.folded || looksLikeData(key)) {
    object.map ??= noShape()
    return object.map
  }
  const made = noShape()
  object.members.set(key, made)
  return made
}

/** Nobody gives names to this many members: the keys are data. */
function foldMembers(object: ObjectShape, depth: number): void {
  object.map ??= noShape()
  for (const member of object.members.values()) merge(object.map, member, depth - 1)
  object.members.clear()
  object.folded = true
}

/** Adds the second to the first. */
function merge(shape: Shape, other: Shape, depth: number): void {
  mergeWords(shape, other)
  for (const kind of ["count", "null", "boolean", "number", "string"] as const) shape[kind] += other[kind]
  if (other.deep || (depth === 0 && (other.array || other.object))) shape.deep = true
  if (depth === 0) return
  if (other.array !== undefined) {
    shape.array ??= { count: 0, items: noShape() }
    shape.array.count += other.array.count
    merge(shape.array.items, other.array.items, depth - 1)
  }
  if (other.object !== undefined) {
    shape.object ??= { count: 0, empty: 0, members: new Map() }
    mergeObject(shape.object, other.object, depth)
  }
}

function mergeObject(object: ObjectShape, other: ObjectShape, depth: number): void {
  object.count += other.count
  object.empty += other.empty
  if (other.folded && !object.folded) foldMembers(object, depth)
  for (const [key, member] of other.members) merge(placeOf(object, key), member, depth - 1)
  if (other.map !== undefined) {
    object.map ??= noShape()
    merge(object.map, other.map, depth - 1)
  }
  if (object.members.size > mostMembers) foldMembers(object, depth)
}

function mergeWords(shape: Shape, other: Shape): void {
  if (shape.words === false || other.words === false) {
    shape.words = false
    return
  }
  for (const [word, count] of other.words) shape.words.set(word, (shape.words.get(word) ?? 0) + count)
  if (shape.words.size > mostWords) shape.words = false
}

/** Of too many, those that would be kept in whatever order they came. */
function firstOf(samples: Set<string>): Set<string> {
  return samples.size <= mostSamples ? samples : new Set([...samples].sort().slice(0, mostSamples))
}

/** Looks less deep until there is room for the rest. What is kept depends on all samples, not on their order. */
function keepSmall(shape: ToolShape): void {
  while (shape.depth > 0 && sizeOf(shape.root) > mostNodes) limit(shape, shape.depth - 1)
}

function limit(shape: ToolShape, depth: number): void {
  shape.depth = depth
  cut(shape.root, depth)
}

function cut(shape: Shape, depth: number): void {
  if (depth === 0) {
    if (shape.array || shape.object) shape.deep = true
    delete shape.array
    delete shape.object
    return
  }
  for (const part of partsOf(shape)) cut(part, depth - 1)
}

function sizeOf({ array, object }: Shape): number {
  let size = 1
  if (array !== undefined) size += sizeOf(array.items)
  if (object?.map !== undefined) size += sizeOf(object.map)
  if (object !== undefined) for (const member of object.members.values()) size += sizeOf(member)
  return size
}

function partsOf({ array, object }: Shape): Shape[] {
  return [...(array ? [array.items] : []), ...(object?.members.values() ?? []), ...(object?.map ? [object.map] : [])]
}

/** True for a key that somebody made up when the data was made, not when the program was written. */
function looksLikeData(key: string): boolean {
  if (/^\d+$|[/@(]|^\d{4}-\d\d/.test(key) || key.length > 80) return true
  const digits = key.replace(/\D/g, "").length
  const isHexadecimal = key.length >= 12 && digits > 0 && /^[0-9a-f-]+$/i.test(key)
  return isHexadecimal || (key.length >= 8 && digits * 2 > key.length)
}
