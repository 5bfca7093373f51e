// What a schema says beyond its type, as short phrases for a comment.
import type { Docs } from "./ir.ts"
import { isRecord, normalizeSchema, type Schema, typesOf } from "./schema-rules.ts"

const maxValueLength = 160
const maxExamples = 3
const maxAliases = 8

/** The comment of a schema. `follow` gives the schema that a reference leads to, when its type is written out. */
export function docsOf(given: unknown, follow: (schema: Schema) => unknown): Docs {
  const facts = new Map<string, string>()
  let description: string | undefined
  let deprecated = false
  // The schema itself, then what it is an alias of: its target, or the one branch that is not null.
  let next = given
  for (let steps = 0; steps < maxAliases && isRecord(next); steps++) {
    const schema = normalizeSchema(next)
    next = follow(next) ?? onlyBranch(schema)
    description ??= textOf(schema.description)
    deprecated ||= schema.deprecated === true
    addFacts(facts, schema)
  }
  if (description !== undefined && saysDefault(description, facts.get("default"))) facts.delete("default")
  const docs: Docs = { facts: facts.size === 0 ? [] : [...facts.values()] }
  if (description !== undefined) docs.description = description
  if (deprecated) docs.deprecated = true
  return docs
}

/** True for "… (default: 30)": the comment need not repeat it. */
function saysDefault(description: string, fact: string | undefined): boolean {
  if (fact === undefined) return false
  const value = fact.slice("default ".length).replace(/^"(.*)"$/, "$1")
  const said = /\bdefaults?\b(?: value)?(?: is| to)?[\s:=]*["'`]?(.*)/i.exec(description)?.[1]
  return value !== "" && said?.startsWith(value) === true
}

function onlyBranch(schema: Schema): unknown {
  for (const branches of [schema.anyOf, schema.oneOf, schema.allOf]) {
    if (!Array.isArray(branches)) continue
    const real = branches.filter((branch) => !(isRecord(branch) && (branch.type === "null" || branch.const === null)))
    if (real.length === 1) return real[0]
  }
  return undefined
}

/** Adds what nothing is known of yet, by topic. */
function addFacts(facts: Map<string, string>, schema: Schema): void {
  const { format, pattern, multipleOf, items } = schema
  const add = (topic: string, fact: string | undefined) => {
    if (fact !== undefined && fact !== "" && !facts.has(topic)) facts.set(topic, fact)
  }
  if (typesOf(schema)?.includes("integer")) add("integer", "integer")
  add("range", rangeOf(schema))
  add("length", countOf(schema.minLength, schema.maxLength, "character"))
  add("count", countOf(schema.minItems, schema.maxItems, "item"))
  add("members", countOf(schema.minProperties, schema.maxProperties, "member"))
  if (schema.uniqueItems === true) add("unique", "no duplicates")
  if (typeof format === "string" && format !== "") add("format", `format ${shorten(format)}`)
  if (typeof pattern === "string") add("pattern", `pattern ${shorten(pattern)}`)
  if (isRecord(schema.propertyNames) && typeof schema.propertyNames.pattern === "string") {
    add("names", `names match ${shorten(schema.propertyNames.pattern)}`)
  }
  if (typeof multipleOf === "number") add("multiple", `multiple of ${multipleOf}`)
  if (typeof schema.contentEncoding === "string") add("encoding", `encoded as ${shorten(schema.contentEncoding)}`)
  if (typeof schema.contentMediaType === "string") add("media", `content ${shorten(schema.contentMediaType)}`)
  if (schema.default !== undefined) add("default", `default ${valueText(schema.default)}`)
  const examples = Array.isArray(schema.examples)
    ? schema.examples
    : schema.example === undefined
      ? []
      : [schema.example]
  if (examples.length > 0) add("examples", `e.g. ${examples.slice(0, maxExamples).map(valueText).join(", ")}`)
  add("choices", choicesOf(schema.oneOf ?? schema.anyOf))
  const each = isRecord(items) ? itemFacts(items) : ""
  if (each !== "") add("items", `each: ${each}`)
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
  const facts = new Map<string, string>()
  addFacts(facts, { ...schema, items: undefined })
  return [textOf(schema.description)?.replace(/\s*\.$/, ""), ...facts.values()].filter(Boolean).join(", ")
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string | undefined {
  if ((minimum ?? maximum ?? exclusiveMinimum ?? exclusiveMaximum) === undefined) return undefined
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
  if (minimum === undefined && maximum === undefined) return undefined
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
