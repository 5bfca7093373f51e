// One argument's value from its text. Strict: what could be read in two ways is refused in words.
import { suggest } from "../suggest.ts"
import type { ArgumentDeclaration } from "./skill-declaration.ts"

export interface Where {
  /** What the value is called in a complaint, as in `--limit`. */
  label: string
  /** What a relative path is relative to. */
  cwd: string
}

export type Reading = { value: unknown } | { problem: string }

const longestShown = 60
const truths: Readonly<Record<string, boolean>> = { true: true, false: false, yes: true, no: false, 1: true, 0: false }

/** Reads the texts that were given for an argument: several for a list, one for everything else. */
export function readValue(argument: ArgumentDeclaration, texts: readonly string[], where: Where): Reading {
  return argument.kind === "list" ? readList(argument, texts, where) : readOne(argument, texts[0] ?? "", where)
}

function readOne(argument: ArgumentDeclaration, text: string, where: Where): Reading {
  switch (argument.kind) {
    case "number":
    case "integer":
      return readNumber(argument.kind, argument, text, where)
    case "boolean":
      return readBoolean(text, where)
    case "enum":
      return readEnum(argument.values ?? [], text, where)
    case "json":
      return readJson(text, where)
    case "file":
      return readFile(text, where)
    default:
      return { value: text }
  }
}

function readNumber(
  kind: "number" | "integer",
  { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: ArgumentDeclaration,
  text: string,
  { label }: Where,
): Reading {
  // Number() takes "", " ", "0x10" and "1e999" for numbers.
  const form = kind === "integer" ? /^[+-]?\d+$/ : /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
  const value = Number(text)
  if (!form.test(text) || !Number.isFinite(value)) {
    const wanted = kind === "integer" ? "an integer, as in 42" : "a number, as in 1.5"
    return { problem: `${label} must be ${wanted}; found ${shown(text)}` }
  }
  if (kind === "integer" && !Number.isSafeInteger(value)) return { problem: `${label} is too large: ${shown(text)}` }
  if (value < min) return { problem: `${label} must be at least ${min}; found ${text}` }
  if (value > max) return { problem: `${label} must be at most ${max}; found ${text}` }
  return { value }
}

function readBoolean(text: string, { label }: Where): Reading {
  const value = Object.hasOwn(truths, text.toLowerCase()) ? truths[text.toLowerCase()] : undefined
  return value === undefined ? { problem: `${label} must be true or false; found ${shown(text)}` } : { value }
}

function readEnum(values: readonly string[], text: string, { label }: Where): Reading {
  if (values.includes(text)) return { value: text }
  const meant = suggest(text, values)
  const question = meant === undefined ? "" : `; did you mean ${meant}?`
  return { problem: `${label} must be one of ${values.join(", ")}; found ${shown(text)}${question}` }
}

function readJson(text: string, { label }: Where): Reading {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { problem: `${label} must be JSON; found ${shown(text)} (${reason})` }
  }
}

function readFile(text: string, { label, cwd }: Where): Reading {
  if (text === "") return { problem: `${label} must be the path of a file; found ""` }
  // Loaded on use: few skills take files.
  const { resolve } = process.getBuiltinModule("node:path")
  const { statSync } = process.getBuiltinModule("node:fs")
  const value = resolve(cwd, text)
  let isFolder: boolean
  try {
    isFolder = statSync(value).isDirectory()
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? ` (${error.code})` : ""
    return { problem: `${label} must be a file that exists; found ${shown(text)}${reason}` }
  }
  return isFolder ? { problem: `${label} must be a file; ${shown(text)} is a folder` } : { value }
}

/** Each text is an item; a single one may be a JSON array of them. */
function readList(argument: ArgumentDeclaration, texts: readonly string[], where: Where): Reading {
  const kind = argument.of ?? "string"
  const array = texts.length === 1 ? arrayIn(texts[0] ?? "") : undefined
  if (array?.some((item) => typeof item !== (kind === "string" ? "string" : "number"))) {
    return { problem: `${where.label} must be a list of ${kind}s; found ${shown(texts[0] ?? "")}` }
  }
  const items = array?.map(String) ?? texts
  const readings = items.map((item) => readOne({ ...argument, kind }, item, where))
  const wrong = readings.find((reading) => "problem" in reading)
  return wrong ?? { value: readings.map((reading) => "value" in reading && reading.value) }
}

function arrayIn(text: string): unknown[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined // an item that happens to begin with a bracket
  }
}

/** A text in quotes, cut when it is long. */
export function shown(text: string): string {
  return JSON.stringify(text.length > longestShown ? `${text.slice(0, longestShown)}…` : text)
}
