// What results have that the known shape does not: the reason why a type is no longer true, in words.
import { addShape, isOpen, noShape, type Shape, type ToolShape } from "./shape.ts"

const mostDifferences = 20

/** How results differ from what is known; empty when they fit. */
export function differencesFrom(known: ToolShape, seen: ToolShape): string[] {
  const found: string[] = []
  compare(known.root, seen.root, { path: "", isOnly: known.samples.size === 1, depth: known.depth }, (difference) => {
    if (found.length < mostDifferences) found.push(difference)
  })
  return found
}

interface Place {
  path: string
  /** All that is known comes from one sample: its type says that every member may be missing. */
  isOnly: boolean
  depth: number
}

type Report = (difference: string) => void

const kinds = ["boolean", "number", "string", "array", "object"] as const

function compare(known: Shape, seen: Shape, place: Place, report: Report): void {
  // Where nothing but null was seen, the type is unknown, and so it is below what was not looked at.
  const before = kinds.filter((kind) => has(known, kind))
  if (known.deep || before.length === 0) return
  const now = kinds.filter((kind) => has(seen, kind) && !has(known, kind))
  if (seen.null > 0 && known.null === 0) report(`${nameOf(place)} may be null`)
  for (const kind of now)
    report(`${nameOf(place)} is ${nouns[kind]}, was ${before.map((each) => nouns[each]).join(" or ")}`)
  const added = known.words === false || seen.words === false ? [] : [...seen.words.keys()].filter(isNewIn(known.words))
  const isEnum = known.words !== false && known.words.size > 0
  if (isEnum && (added.length > 0 || seen.words === false)) report(`${nameOf(place)} has a value that was not known`)
  if (known.array && seen.array) {
    compare(known.array.items, seen.array.items, { ...place, path: `${place.path}[]` }, report)
  }
  if (known.object && seen.object) compareObjects(known, seen, place, report)
}

function compareObjects({ object: known }: Shape, { object: seen }: Shape, place: Place, report: Report): void {
  if (known === undefined || seen === undefined) return
  const below = (key: string): Place => ({ ...place, path: place.path === "" ? key : `${place.path}.${key}` })
  // A map: its values are of one type, whatever the key.
  const values = known.map && allValues(known, place.depth)
  if (values !== undefined) {
    for (const [key, member] of seen.members) compare(values, member, below(key), report)
    if (seen.map) compare(values, seen.map, below("*"), report)
    return
  }
  const mayHaveOthers = isOpen(known)
  if (seen.map && !mayHaveOthers) report(`${nameOf(place)} has keys that are data`)
  for (const [key, member] of seen.members) {
    const before = known.members.get(key)
    if (before !== undefined) compare(before, member, below(key), report)
    else if (!mayHaveOthers) report(`${nameOf(below(key))} is new`)
  }
  for (const [key, member] of known.members) {
    const now = seen.members.get(key)
    const wasRequired = member.count === known.count && !place.isOnly
    if (wasRequired && (now?.count ?? 0) < seen.count) report(`${nameOf(below(key))} may be missing`)
  }
}

function allValues({ map, members }: NonNullable<Shape["object"]>, depth: number): Shape {
  const sum: ToolShape = { root: noShape(), depth, samples: new Set() }
  for (const root of [...(map ? [map] : []), ...members.values()]) addShape(sum, { ...sum, root })
  return sum.root
}

function has(shape: Shape, kind: (typeof kinds)[number]): boolean {
  return kind === "array" || kind === "object" ? shape[kind] !== undefined : shape[kind] > 0
}

function isNewIn(words: ReadonlyMap<string, number>): (word: string) => boolean {
  return (word) => !words.has(word)
}

const nouns = { boolean: "a boolean", number: "a number", string: "a string", array: "an array", object: "an object" }

function nameOf({ path }: Place): string {
  return path === "" ? "the result" : path
}
