// Text from a command line → the value that a schema asks for.
import type { JsonSchema } from "../../catalog.ts"
import { type Alternative, alternativesOf } from "./schema.ts"

/** A box, because the value itself may be null or undefined. */
export interface Coerced {
  value: unknown
}

// A text that fits several types becomes the narrowest: of `string | number`, "5" is the number.
const narrowestFirst = ["literal", "null", "boolean", "integer", "number", "object", "array", "string", "any"]

/** The value for all texts given for one name. Undefined when they do not fit. */
export function coerce(texts: readonly string[], schema: unknown, root: JsonSchema): Coerced | undefined {
  const alternatives = alternativesOf(schema, root).toSorted((a, b) => rank(a) - rank(b))
  const [text] = texts
  if (texts.length === 1 && text !== undefined) {
    for (const alternative of alternatives) {
      const coerced = coerceOne(text, alternative)
      if (coerced !== undefined) return coerced
    }
  }
  for (const alternative of alternatives) {
    if (alternative.kind === "any" && texts.length > 1) return { value: texts.map(guess) }
    if (alternative.kind !== "array") continue
    const items = texts.map((item, index) => coerce([item], alternative.first[index] ?? alternative.items, root))
    if (items.every((item) => item !== undefined)) return { value: items.map((item) => item.value) }
  }
  return undefined
}

/** True when several values for one name can become an array. */
export function takesSeveral(schema: unknown, root: JsonSchema): boolean {
  return alternativesOf(schema, root).some(({ kind }) => kind === "array" || kind === "any")
}

function rank(alternative: Alternative): number {
  return narrowestFirst.indexOf(alternative.kind)
}

function coerceOne(text: string, alternative: Alternative): Coerced | undefined {
  switch (alternative.kind) {
    case "literal": {
      const { value } = alternative
      const same = typeof value === "string" ? value === text : JSON.stringify(value) === canonical(text)
      return same ? { value } : undefined
    }
    case "string":
      return { value: text }
    case "null":
      return text === "null" ? { value: null } : undefined
    case "boolean":
      return text === "true" || text === "false" ? { value: text === "true" } : undefined
    case "number":
      return coerceNumber(text)
    case "integer":
      return coerceInteger(text)
    case "object":
    case "array": {
      const parsed = parse(text)
      const fits = typeof parsed?.value === "object" && parsed.value !== null
      return fits && Array.isArray(parsed.value) === (alternative.kind === "array") ? parsed : undefined
    }
    case "any":
      return { value: guess(text) }
  }
}

function coerceNumber(text: string): Coerced | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? { value } : undefined
}

/** An integer that a double cannot hold would reach the server as another one: refused. */
function coerceInteger(text: string): Coerced | undefined {
  const coerced = coerceNumber(text)
  return Number.isSafeInteger(coerced?.value) ? coerced : undefined
}

/** Without a type: JSON where nothing is lost by it, else the text. `1.10` and `007` stay text. */
function guess(text: string): unknown {
  const parsed = parse(text)
  if (parsed === undefined || typeof parsed.value === "string") return text
  return typeof parsed.value === "number" && String(parsed.value) !== text ? text : parsed.value
}

function canonical(text: string): string | undefined {
  const parsed = parse(text)
  return parsed === undefined ? undefined : JSON.stringify(parsed.value)
}

function parse(text: string): Coerced | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    // Not JSON: the caller knows what that means.
    return undefined
  }
}
