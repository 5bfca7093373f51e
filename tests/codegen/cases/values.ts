import type { SchemaCase } from "../typescript.ts"

export const valueCases: SchemaCase[] = [
  { name: "true admits everything", given: true, want: "unknown" },
  { name: "false admits nothing", given: false, want: "never" },
  { name: "an empty schema says nothing", given: {}, want: "unknown" },
  { name: "a string", given: { type: "string" }, want: "string" },
  { name: "a list of types is a union", given: { type: ["string", "null"] }, want: "string | null" },
  { name: "integers are numbers", given: { type: ["integer", "number"] }, want: "number" },
  { name: "nullable adds null", given: { type: "string", nullable: true }, want: "string | null" },
  {
    name: "nullable adds null to an enum without it",
    given: { type: "string", enum: ["a"], nullable: true },
    want: '"a" | null',
  },
  { name: "a constant", given: { const: 0 }, want: "0" },
  { name: "null as a constant", given: { const: null }, want: "null" },
  {
    name: "an object as a constant",
    given: { const: { a: [1, "x"], "b-c": null } },
    want: `{
  a: [1, "x"]
  "b-c": null
}`,
  },
  {
    name: "an enum of any values",
    given: { enum: ["a", 1, true, null, { x: 1 }, [1, 2]] },
    want: '"a" | 1 | true | { x: 1 } | [1, 2] | null',
  },
  { name: "an empty enum says nothing", given: { type: "string", enum: [] }, want: "string" },
  { name: "an empty enum without a type", given: { enum: [] }, want: "unknown" },
  { name: "an enum whose values contradict the type", given: { type: "string", enum: [1, 2] }, want: "1 | 2" },
  { name: "an enum narrowed by its type", given: { type: "string", enum: ["a", null] }, want: '"a"' },
  { name: "an enum with null", given: { type: ["string", "null"], enum: ["a", "b", null] }, want: '"a" | "b" | null' },
  { name: "values given twice", given: { enum: ["a", "a"] }, want: '"a"' },
  { name: "true and false are boolean", given: { enum: [true, false] }, want: "boolean" },
  {
    name: "numbers that cannot be written",
    given: { enum: [Number.POSITIVE_INFINITY, -1, 1e21] },
    want: "number | -1 | 1e+21",
  },
  {
    name: "strings with everything that could end them",
    given: { enum: ['"', "\\", "\n", "\u2028", "*/", "`", "\u202e", "\ud800"] },
    want: '"\\"" | "\\\\" | "\\n" | "\\u2028" | "*/" | "`" | "\\u202e" | "\\ud800"',
  },
  {
    name: "a literal beside its type stays for the reader",
    given: { anyOf: [{ enum: ["auto"] }, { type: "string" }] },
    want: '"auto" | string',
  },
  {
    name: "a long enum fills its lines",
    given: { enum: Array.from({ length: 12 }, (_, at) => `value-number-${at}`) },
    want: `| "value-number-0" | "value-number-1" | "value-number-2" | "value-number-3" | "value-number-4"
  | "value-number-5" | "value-number-6" | "value-number-7" | "value-number-8" | "value-number-9"
  | "value-number-10" | "value-number-11"`,
  },
]
