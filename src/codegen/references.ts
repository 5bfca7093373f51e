// Where a `$ref` leads, within its document. Nothing is ever fetched: what lies outside is not known.
import { isRecord } from "./schema-rules.ts"

type Schema = Record<string, unknown>

export interface References {
  /** Schemas that something refers to, and a name for each. */
  targets: ReadonlyMap<object, string>
  /** The schema that a `$ref` (or `$dynamicRef`) in `from` means; undefined when the document lacks it. */
  resolve(from: Schema): unknown
}

const home = "schema://document/"
const holdsOne = [
  ..."items additionalItems additionalProperties unevaluatedProperties unevaluatedItems propertyNames".split(" "),
  ..."contains not if then else contentSchema".split(" "),
]
const holdsList = ["allOf", "anyOf", "oneOf", "prefixItems", "items", "type"]
const holdsMap = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]
const keywords = new Set([...holdsOne, ...holdsList, ...holdsMap, ""])
const maxSchemas = 50_000

/** Walks a document once: its identifiers, its anchors, and what is referred to. */
export function findReferences(root: unknown): References {
  if (!mayRefer(root)) return { targets: new Map(), resolve: () => undefined }
  const bases = new Map<object, string>()
  const places = new Map<string, unknown>([[home, root]])
  const targets = new Map<object, string>()

  const visit = (start: unknown, startBase: string) => {
    const waiting: [unknown, string][] = [[start, startBase]]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [schema, outer] = next
      if (!isRecord(schema) || bases.has(schema) || bases.size > maxSchemas) continue
      const base = baseOf(schema, outer)
      if (base !== outer && !places.has(base)) places.set(base, schema)
      for (const anchor of anchorsOf(schema)) places.set(`${base}#${anchor}`, schema)
      bases.set(schema, base)
      for (const child of subschemas(schema)) waiting.push([child, base])
    }
  }
  visit(root, home)

  const resolve = (from: Schema): unknown => {
    const reference = referenceOf(from)
    return reference === undefined ? undefined : locate(reference, bases.get(from) ?? home, places, root)
  }
  // A reference may lead to a part that holds no schemas by itself, such as #/components/schemas/x.
  for (const schema of bases.keys()) {
    const target = resolve(schema as Schema)
    if (!isRecord(target)) continue
    if (!targets.has(target)) targets.set(target, nameOf(referenceOf(schema as Schema) ?? "", target))
    visit(target, bases.get(schema) ?? home)
  }
  return { targets, resolve }
}

/** The reference that a schema makes, if it makes one. */
export function referenceOf({ $ref, $dynamicRef, $recursiveRef }: Schema): string | undefined {
  if (typeof $ref === "string") return $ref
  if (typeof $dynamicRef === "string") return $dynamicRef
  return typeof $recursiveRef === "string" ? $recursiveRef : undefined
}

/** False for a document that has no reference anywhere, which most have not. */
function mayRefer(root: unknown): boolean {
  const waiting: unknown[] = [root]
  for (let seen = 0; waiting.length > 0; seen++) {
    const value = waiting.pop()
    if (typeof value !== "object" || value === null) continue
    // One that goes on and on may be without end: it is walked with more care.
    if (seen > maxSchemas || referenceOf(value as Schema) !== undefined) return true
    for (const part of Object.values(value)) if (typeof part === "object") waiting.push(part)
  }
  return false
}

function subschemas(schema: Schema): unknown[] {
  const found: unknown[] = []
  for (const keyword of holdsOne) if (schema[keyword] !== undefined) found.push(schema[keyword])
  for (const keyword of holdsList) {
    const list = schema[keyword]
    if (Array.isArray(list)) for (const part of list) found.push(part)
  }
  for (const keyword of holdsMap) {
    const map = schema[keyword]
    if (isRecord(map)) for (const part of Object.values(map)) found.push(part)
  }
  return found
}

function baseOf(schema: Schema, outer: string): string {
  const id = schema.$id ?? (typeof schema.id === "string" && schema.id.includes("://") ? schema.id : undefined)
  if (typeof id !== "string" || id.startsWith("#")) return outer
  return absolute(id, outer)?.split("#")[0] ?? outer
}

function anchorsOf(schema: Schema): string[] {
  const ids = [schema.$id, schema.id].filter((id): id is string => typeof id === "string" && id.startsWith("#"))
  const anchors = [schema.$anchor, schema.$dynamicAnchor].filter((anchor) => typeof anchor === "string")
  return [...ids.map((id) => id.slice(1)), ...anchors]
}

function locate(reference: string, base: string, places: ReadonlyMap<string, unknown>, root: unknown): unknown {
  const whole = reference.startsWith("#") ? base + reference : absolute(reference, base)
  if (whole === undefined) return undefined
  const cut = whole.indexOf("#")
  const fragment = cut < 0 ? "" : whole.slice(cut + 1)
  const document = cut < 0 ? whole : whole.slice(0, cut)
  const start = places.get(document)
  if (fragment === "") return start ?? byBareName(reference, root)
  if (!fragment.startsWith("/")) return places.get(`${document}#${decode(fragment)}`) ?? byBareName(fragment, root)
  const found = follow(start, fragment)
  // Many generators move a schema with an `$id` and leave its pointers as if seen from the root.
  return found === undefined && reference.startsWith("#") ? follow(root, fragment) : found
}

/** Some documents give only the name of a definition. */
function byBareName(name: string, root: unknown): unknown {
  if (!isRecord(root)) return undefined
  for (const holder of [root.$defs, root.definitions]) {
    if (isRecord(holder) && Object.hasOwn(holder, name)) return holder[name]
  }
  return undefined
}

function follow(start: unknown, pointer: string): unknown {
  let value = start
  for (const part of pointer.split("/").slice(1)) {
    const key = unescapePart(part)
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Schema)[key]
  }
  return isRecord(value) || typeof value === "boolean" ? value : undefined
}

function unescapePart(part: string): string {
  return decode(part).replaceAll("~1", "/").replaceAll("~0", "~")
}

function absolute(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined
}

function decode(text: string): string {
  if (!text.includes("%")) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a percent sign that encodes nothing stands for itself
  }
}

/** The last part of a reference that names something, not a keyword or a position. */
function nameOf(reference: string, target: Schema): string {
  const parts = reference.split(/[#/]/).map(unescapePart)
  const named = parts.filter((part) => !keywords.has(part) && !/^\d+$/.test(part)).at(-1)
  const title = typeof target.title === "string" ? target.title : undefined
  return named?.replace(/\.json$/, "") ?? title ?? "Value"
}
