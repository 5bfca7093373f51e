// The form that a server wants filled in: its fields, and whether an answer fits one. No terminal here.

export interface Choice {
  value: string
  title: string
}

export interface Field {
  name: string
  title: string
  description: string | undefined
  kind: "string" | "number" | "integer" | "boolean" | "choice" | "choices"
  required: boolean
  choices: Choice[]
  default: unknown
  /** The limits of the schema: lengths, ranges, format. */
  limits: Record<string, unknown>
}

/** A value to send, nothing to send, or what is wrong with the answer. */
export type Answer = { value: unknown } | { problem: string } | "skip"

/** The fields of a requested schema, in its order. */
export function fieldsOf(requestedSchema: unknown): Field[] {
  const schema = objectOf(requestedSchema)
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(objectOf(schema.properties)).map(([name, value]) => {
    const property = objectOf(value)
    const choices = choicesOf(property.type === "array" ? objectOf(property.items) : property)
    return {
      name,
      title: typeof property.title === "string" ? property.title : name,
      description: typeof property.description === "string" ? property.description : undefined,
      kind: kindOf(property, choices),
      required: required.includes(name),
      choices,
      default: property.default,
      limits: property,
    }
  })
}

/** Reads what the user typed for a field. */
export function parseAnswer(field: Field, typed: string): Answer {
  const text = typed.trim()
  if (text === "") {
    if (field.default !== undefined) return { value: field.default }
    return field.required ? { problem: "an answer is needed" } : "skip"
  }
  switch (field.kind) {
    case "boolean":
      if (/^(y|yes|true)$/i.test(text)) return { value: true }
      return /^(n|no|false)$/i.test(text) ? { value: false } : { problem: "answer yes or no" }
    case "number":
    case "integer":
      return parseNumber(field, text)
    case "choice":
      return choose(field, text)
    case "choices":
      return chooseSeveral(field, text)
    case "string":
      return parseString(field, typed)
  }
}

function kindOf(property: Record<string, unknown>, choices: Choice[]): Field["kind"] {
  if (property.type === "array") return "choices"
  if (choices.length > 0) return "choice"
  const { type } = property
  return type === "number" || type === "integer" || type === "boolean" ? type : "string"
}

function choicesOf(schema: Record<string, unknown>): Choice[] {
  const titled = schema.oneOf ?? schema.anyOf
  if (Array.isArray(titled)) {
    return titled
      .map(objectOf)
      .map(({ const: value, title }) => ({ value: String(value), title: String(title ?? value) }))
  }
  if (!Array.isArray(schema.enum)) return []
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : []
  return schema.enum.map((value, index) => ({ value: String(value), title: String(names[index] ?? value) }))
}

function parseNumber({ kind, limits }: Field, text: string): Answer {
  const value = Number(text)
  if (kind === "integer" && !Number.isSafeInteger(value)) return { problem: "a whole number is needed" }
  if (!Number.isFinite(value)) return { problem: "a number is needed" }
  if (typeof limits.minimum === "number" && value < limits.minimum) return { problem: `at least ${limits.minimum}` }
  if (typeof limits.maximum === "number" && value > limits.maximum) return { problem: `at most ${limits.maximum}` }
  return { value }
}

function choose({ choices }: Field, text: string): Answer {
  const named = choices.find(({ value }) => value === text) ?? choices.find(({ title }) => title === text)
  const found = named ?? (/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined)
  return found === undefined ? { problem: `choose one of 1 to ${choices.length}` } : { value: found.value }
}

function chooseSeveral(field: Field, text: string): Answer {
  const answers = text.split(",").map((part) => choose(field, part.trim()))
  const problem = answers.find((answer) => typeof answer === "object" && "problem" in answer)
  if (problem !== undefined) return problem
  const value = [...new Set(answers.map((answer) => (answer as { value: unknown }).value))]
  const { minItems, maxItems } = field.limits
  if (typeof minItems === "number" && value.length < minItems) return { problem: `choose at least ${minItems}` }
  if (typeof maxItems === "number" && value.length > maxItems) return { problem: `choose at most ${maxItems}` }
  return { value }
}

function parseString({ limits }: Field, text: string): Answer {
  const { minLength, maxLength, format } = limits
  if (typeof minLength === "number" && text.length < minLength) return { problem: `at least ${minLength} characters` }
  if (typeof maxLength === "number" && text.length > maxLength) return { problem: `at most ${maxLength} characters` }
  return typeof format === "string" && formats[format]?.(text) === false
    ? { problem: `this is no ${format}` }
    : { value: text }
}

const formats: Record<string, (text: string) => boolean> = {
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  "date-time": (text) => /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text)),
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
