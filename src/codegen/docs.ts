// What a schema says beyond its type, as short phrases for a comment.
import type { Docs } from "./ir.ts"
import { isRecord, normalizeSchema, type Schema } from "./schema-rules.ts"

const maxValueLength = 160
const maxExamples = 3

/** The comment of a schema. `follow` gives the schema that a reference leads to, when its type is written out. */
export function docsOf(given: unknown, follow: (schema: Schema) => unknown): Docs {
  const facts = new Map<string, string>()
  let description: string | undefined
  let deprecated = false
  for (const schema of sources(given, follow)) {
    description ??= textOf(schema.description)
    deprecated ||= schema.deprecated === true
    for (const [topic, fact] of factsOf(schema)) if (!facts.has(topic)) facts.set(topic, fact)
  }
  if (description !== undefined && saysDefault(description, facts.get("default"))) facts.delete("default")
  return {
    ...(description !== undefined && { description }),
    facts: [...facts.values()],
    ...(deprecated && { deprecated: true }),
  }
}

/** True for "… (default: 30)": the comment need not repeat it. */
function saysDefault(description: string, fact: string | undefined): boolean {
  const value = fact?.slice("default ".length).replace(/^"(.*)"$/, "$1")
  const said = /\bdefaults?\b(?: value)?(?: is| to)?[\s:=]*["'`]?(.*)/i.exec(description)?.[1]
  return value !== undefined && value !== "" && said?.startsWith(value) === true
}

/** The schema itself, then what it is an alias of: its target, or the one branch that is not null. */
function sources(given: unknown, follow: (schema: Schema) => unknown): Schema[] {
  const found: Schema[] = []
  let next = given
  while (isRecord(next) && found.length < 8) {
    const schema = normalizeSchema(next)
    found.push(schema)
    next = follow(next) ?? onlyBranch(schema)
  }
  return found
}

function onlyBranch(schema: Schema): unknown {
  for (const branches of [schema.anyOf, schema.oneOf, schema.allOf]) {
    if (!Array.isArray(branches)) continue
    const real = branches.filter((branch) => !(isRecord(branch) && (branch.type === "null" || branch.const === null)))
    if (real.length === 1) return real[0]
  }
  return undefined
}

function* factsOf(schema: Schema): Generator<[topic: string, fact: string]> {
  const { type, format, pattern, multipleOf, items } = schema
  if (Array.isArray(type) && type.includes("integer")) yield ["integer", "integer"]
  const range = rangeOf(schema)
  if (range) yield ["range", range]
  const length = countOf(schema.minLength, schema.maxLength, "character")
  if (length) yield ["length", length]
  const count = countOf(schema.minItems, schema.maxItems, "item")
  if (count) yield ["count", count]
  const members = countOf(schema.minProperties, schema.maxProperties, "member")
  if (members) yield ["members", members]
  if (schema.uniqueItems === true) yield ["unique", "no duplicates"]
  if (typeof format === "string" && format !== "") yield ["format", `format ${shorten(format)}`]
  if (typeof pattern === "string") yield ["pattern", `pattern ${shorten(pattern)}`]
  if (isRecord(schema.propertyNames) && typeof schema.propertyNames.pattern === "string") {
    yield ["names", `names match ${shorten(schema.propertyNames.pattern)}`]
  }
  if (typeof multipleOf === "number") yield ["multiple", `multiple of ${multipleOf}`]
  if (typeof schema.contentEncoding === "string") yield ["encoding", `encoded as ${shorten(schema.contentEncoding)}`]
  if (typeof schema.contentMediaType === "string") yield ["media", `content ${shorten(schema.contentMediaType)}`]
  if (schema.default !== undefined) yield ["default", `default ${valueText(schema.default)}`]
  const examples = Array.isArray(schema.examples)
    ? schema.examples
    : schema.example === undefined
      ? []
      : [schema.example]
  if (examples.length > 0) yield ["examples", `e.g. ${examples.slice(0, maxExamples).map(valueText).join(", ")}`]
  const choices = choicesOf(schema.oneOf ?? schema.anyOf)
  if (choices !== "") yield ["choices", choices]
  const each = isRecord(items) ? itemFacts(items) : ""
  if (each !== "") yield ["items", `each: ${each}`]
}

/** Constants with a word on each: `"a": the first, "b": the second`. */
function choicesOf(branches: unknown): string {
  if (!Array.isArray(branches)) return ""
  const said = branches.map((branch) => {
    const text = isRecord(branch) ? (textOf(branch.description) ?? textOf(branch.title)) : undefined
    const isNews = text !== undefined && branch.const !== undefined && text !== branch.const
    return isNews ? `${valueText(branch.const)}: ${text.replace(/\.$/, "")}` : ""
  })
  return said.filter((each) => each !== "").join(", ")
}

function itemFacts(items: Schema): string {
  const schema = normalizeSchema(items)
  const { items: _, ...own } = schema
  const facts = [...factsOf(own)].map(([, fact]) => fact)
  return [textOf(schema.description)?.replace(/\s*\.$/, ""), ...facts].filter(Boolean).join(", ")
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string | undefined {
  const [low, high] = [numberOf(minimum), numberOf(maximum)]
  const bounds = [
    numberOf(exclusiveMinimum) && `> ${exclusiveMinimum}`,
    numberOf(exclusiveMaximum) && `< ${exclusiveMaximum}`,
  ]
  const first =
    low === undefined ? high && `at most ${high}` : high === undefined ? `at least ${low}` : `${low}..${high}`
  return [first, ...bounds].filter(Boolean).join(", ") || undefined
}

/** Without the largest safe integers: a library writes them when nobody asked for a bound. */
function numberOf(value: unknown): string | undefined {
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? String(value) : undefined
}

function countOf(minimum: unknown, maximum: unknown, what: string): string | undefined {
  if (minimum === 1 && typeof maximum !== "number") return "not empty"
  const low = typeof minimum === "number" && minimum > 0 ? minimum : undefined
  const high = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined
  const plural = (count: number) => `${count} ${what}${count === 1 ? "" : "s"}`
  if (low === undefined) return high === undefined ? undefined : `at most ${plural(high)}`
  if (high === undefined) return `at least ${plural(low)}`
  return low === high ? plural(low) : `${low}..${plural(high)}`
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
}

function valueText(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "undefined")
}

function shorten(text: string): string {
  return text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength)}…`
}
