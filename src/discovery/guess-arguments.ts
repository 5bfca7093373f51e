// Arguments with which a tool that only reads can be called: what its schema offers itself (examples,
// defaults, enums), and values that are harmless anywhere. What cannot be guessed is left blank, visibly.
import type { JsonSchema, Tool } from "../catalog.ts"

type Schema = Record<string, unknown>

/** Where a tool may look without harm. */
export interface LocalValues {
  /** A directory that the server may read. */
  directory: string
}

const deepest = 6
const blankPattern = /^<fill in: .*>$/s

/** Arguments for a tool: those that it requires, and no others. */
export function guessArguments(tool: Pick<Tool, "name" | "inputSchema">, local: LocalValues): Schema {
  return new Guesser(tool, local).object(tool.inputSchema, 0)
}

/** Where blanks are left in arguments, as paths. */
export function blanksIn(value: unknown, path = ""): string[] {
  if (typeof value === "string") return blankPattern.test(value) ? [path] : []
  if (typeof value !== "object" || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => blanksIn(item, `${path}[${index}]`))
  return Object.entries(value).flatMap(([key, part]) => blanksIn(part, path === "" ? key : `${path}.${key}`))
}

/** A value that nobody takes for a real one. */
export function blank(name: string, schema: Schema): string {
  const about = [schema.title, schema.description].find((text) => typeof text === "string" && text.trim() !== "")
  const words = `${name} (${typeNameOf(schema)})${about === undefined ? "" : `: ${oneLine(String(about))}`}`
  return `<fill in: ${words}>`
}

class Guesser {
  readonly #root: JsonSchema
  readonly #local: LocalValues
  readonly #wantsFile: boolean

  constructor({ name, inputSchema }: Pick<Tool, "name" | "inputSchema">, local: LocalValues) {
    this.#root = inputSchema
    this.#local = local
    const words = wordsOf(name)
    const isAbout = (wanted: string[]) => wanted.some((word) => words.includes(word))
    this.#wantsFile =
      isAbout(["file", "files", "document", "media", "image"]) && !isAbout(["list", "search", "find", "info"])
  }

  object(given: unknown, depth: number): Schema {
    const schema = this.#resolve(given)
    const properties = isRecord(schema.properties) ? schema.properties : {}
    const required = Array.isArray(schema.required) ? schema.required : []
    const names = [...new Set(required.filter((name): name is string => typeof name === "string"))]
    return Object.fromEntries(names.map((name) => [name, this.#value(name, own(properties, name), depth + 1)]))
  }

  #value(name: string, given: unknown, depth: number): unknown {
    const schema = this.#resolve(given)
    const offered = offeredValue(schema)
    if (offered !== undefined) return offered
    if (depth > deepest) return blank(name, schema)
    for (const branch of [schema.anyOf, schema.oneOf].filter(Array.isArray).flat()) {
      const value = this.#value(
        name,
        { ...schema, anyOf: undefined, oneOf: undefined, ...this.#resolve(branch) },
        depth + 1,
      )
      if (blanksIn(value).length === 0) return value
    }
    switch (kindOf(schema)) {
      case "boolean":
        return false
      case "integer":
      case "number":
        return numberFor(name, schema)
      case "array":
        return [this.#value(singular(name), schema.items ?? {}, depth + 1)]
      case "object":
        return this.object(schema, depth)
      case "null":
        return null
      default:
        return this.#text(name, schema)
    }
  }

  #text(name: string, schema: Schema): string {
    const byFormat = typeof schema.format === "string" ? ofFormat.get(schema.format) : undefined
    const value = byFormat ?? this.#textFor(wordsOf(name))
    return value !== undefined && fits(value, schema) ? value : blank(name, schema)
  }

  #textFor(words: readonly string[]): string | undefined {
    const last = words.at(-1) ?? ""
    const has = (...wanted: string[]) => wanted.some((word) => words.includes(word))
    const isDirectory = has("dir", "directory", "folder", "cwd", "root", "workspace")
    if (isDirectory || (last === "path" && !has("file") && !this.#wantsFile)) return this.#local.directory
    if (last === "url" || last === "uri") return "https://example.com"
    if (last === "glob" || last === "pattern") return "*"
    if (["query", "q", "search", "keyword", "keywords", "term", "text", "message", "prompt"].includes(last))
      return "test"
    if (has("timezone", "tz")) return "UTC"
    if (has("language", "lang", "locale")) return "en"
    if (has("date", "day")) return "2026-01-01"
    return undefined
  }

  #resolve(given: unknown): Schema {
    let schema = isRecord(given) ? given : {}
    for (let step = 0; step < deepest && typeof schema.$ref === "string"; step++) {
      const { $ref, ...rest } = schema
      schema = { ...pointedAt(this.#root, $ref as string), ...rest }
    }
    const parts = Array.isArray(schema.allOf) ? schema.allOf.filter(isRecord) : []
    return Object.assign({}, ...parts, schema)
  }
}

const ofFormat = new Map([
  ["date", "2026-01-01"],
  ["date-time", "2026-01-01T00:00:00Z"],
  ["time", "00:00:00Z"],
  ["uri", "https://example.com"],
  ["url", "https://example.com"],
  ["hostname", "example.com"],
  ["ipv4", "127.0.0.1"],
  ["ipv6", "::1"],
  ["regex", "."],
])

/** What the schema itself says may be sent. */
function offeredValue(schema: Schema): unknown {
  const { examples, example, enum: values } = schema
  const [first] = Array.isArray(examples) ? examples : []
  const [one] = Array.isArray(values) ? values : []
  return [first, example, schema.default, schema.const, one].find((value) => value !== undefined && value !== null)
}

function numberFor(name: string, { minimum, exclusiveMinimum, maximum }: Schema): number | string {
  // The number of something that exists cannot be guessed; a count can.
  if (["id", "number", "pid"].includes(wordsOf(name).at(-1) ?? "") && wordsOf(name).length > 1)
    return blank(name, { type: "number" })
  const lowest = typeof minimum === "number" ? minimum : typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : 1
  return typeof maximum === "number" && maximum < lowest ? maximum : lowest
}

function fits(value: string, { minLength, maxLength, pattern }: Schema): boolean {
  if (typeof minLength === "number" && value.length < minLength) return false
  if (typeof maxLength === "number" && value.length > maxLength) return false
  if (typeof pattern !== "string") return true
  try {
    return new RegExp(pattern, "u").test(value)
  } catch {
    return false // a pattern in another dialect: who knows
  }
}

function kindOf({ type, properties, items }: Schema): unknown {
  const types = Array.isArray(type) ? type : [type]
  const known = types.find((each) => typeof each === "string" && each !== "null") ?? types[0]
  return known ?? (isRecord(properties) ? "object" : items === undefined ? "string" : "array")
}

function typeNameOf(schema: Schema): string {
  return String(kindOf(schema))
}

function pointedAt(root: JsonSchema, reference: string): Schema {
  let at: unknown = root
  for (const part of reference.replace(/^#\/?/, "").split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~")
    if (key !== "") at = isRecord(at) ? own(at, key) : undefined
  }
  return isRecord(at) ? at : {}
}

function own(fields: Schema, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function wordsOf(name: string): string[] {
  const split = name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").toLowerCase()
  return split.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "")
}

function singular(name: string): string {
  return name.endsWith("s") ? name.slice(0, -1) : name
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

function isRecord(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
