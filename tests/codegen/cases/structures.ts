import type { SchemaCase } from "../typescript.ts"

export const structureCases: SchemaCase[] = [
  { name: "an array of anything", given: { type: "array" }, want: "unknown[]" },
  { name: "an array", given: { type: "array", items: { type: "string" } }, want: "string[]" },
  {
    name: "an array of a union",
    given: { type: "array", items: { type: ["string", "number"] } },
    want: "Array<string | number>",
  },
  { name: "items without a type", given: { items: { type: "boolean" } }, want: "boolean[]" },
  { name: "an array that stays empty", given: { type: "array", items: false }, want: "never[]" },
  {
    name: "arrays in arrays",
    given: { type: "array", items: { type: "array", items: { type: "number" } } },
    want: "number[][]",
  },
  {
    name: "a tuple",
    given: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
    want: "[string, number]",
  },
  {
    name: "a tuple of draft-07",
    given: { type: "array", items: [{ type: "string" }], additionalItems: { type: "number" } },
    want: "[string, ...number[]]",
  },
  {
    name: "a closed tuple of draft-07",
    given: { items: [{ type: "string" }], additionalItems: false },
    want: "[string]",
  },
  {
    name: "a tuple with optional places and a rest",
    given: { prefixItems: [{ type: "string" }, { type: "number" }], minItems: 1, items: { type: "boolean" } },
    want: "[string, number?, ...boolean[]]",
  },
  {
    name: "items survive nullable types",
    given: { type: ["array", "null"], items: { type: "string" } },
    want: "string[] | null",
  },
  {
    name: "an object",
    given: { type: "object", properties: { a: { type: "string" }, "b-c": { type: "number" } }, required: ["a"] },
    want: `{
  a: string
  "b-c"?: number
}`,
  },
  { name: "an object that says nothing", given: { type: "object" }, want: "{ [key: string]: unknown }" },
  {
    name: "an object without members",
    given: { type: "object", additionalProperties: false },
    want: "{ [key: string]: never }",
  },
  {
    name: "a map",
    given: { type: "object", additionalProperties: { type: "number" } },
    want: "{ [key: string]: number }",
  },
  {
    name: "an open object",
    given: { type: "object", properties: { a: { type: "string" }, b: {} }, additionalProperties: true },
    want: `{
  a?: string
  b?: unknown
  [key: string]: unknown
}`,
  },
  {
    name: "listed and additional members of different types",
    given: {
      properties: { a: { type: "string" }, b: { type: "boolean" } },
      required: ["b"],
      additionalProperties: { type: "number" },
    },
    want: `{
  a?: string
  b: boolean
  [key: string]: number | string | boolean | undefined
}`,
  },
  {
    name: "unevaluated members",
    given: { properties: { a: { type: "string" } }, unevaluatedProperties: { type: "string" } },
    want: `{
  a?: string
  [key: string]: string | undefined
}`,
  },
  {
    name: "members by pattern",
    given: { type: "object", patternProperties: { "^x": { type: "string" } }, additionalProperties: false },
    want: "{ [key: string]: string }",
  },
  {
    name: "members by several patterns",
    given: { type: "object", patternProperties: { "^x": { type: "string" }, "^y": { type: "number" } } },
    want: "{ [key: string]: string | number }",
  },
  {
    name: "a list of member names",
    given: {
      type: "object",
      propertyNames: { enum: ["a", "b"] },
      additionalProperties: { type: "number" },
      required: ["a"],
    },
    want: `{
  a: number
  b?: number
}`,
  },
  {
    name: "a pattern for member names",
    given: { type: "object", propertyNames: { pattern: "^a" }, additionalProperties: { type: "number" } },
    want: "{ [key: string]: number }",
  },
  {
    name: "a required member that is not described",
    given: { type: "object", properties: { a: { type: "string" } }, required: ["a", "z"] },
    want: `{
  a: string
  z: unknown
}`,
  },
  {
    name: "a required member of a map",
    given: { type: "object", additionalProperties: { type: "number" }, required: ["z"] },
    want: `{
  z: number
  [key: string]: number
}`,
  },
  {
    name: "a required member that need not match the pattern",
    given: { type: "object", patternProperties: { "^x-": { type: "string" } }, required: ["id"] },
    want: `{
  id: unknown
  [key: string]: unknown
}`,
  },
  {
    name: "names that objects have by themselves",
    given: {
      properties: JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"number"}}'),
      required: ["__proto__"],
    },
    want: `{
  __proto__: string
  constructor?: number | Object["constructor"]
}`,
  },
  {
    name: "names that need quotes",
    given: { properties: { "": {}, "a b": {}, 'q"\n*/': {}, "1": {}, new: {}, readonly: {}, "\u202e": {} } },
    want: `{
  "1"?: unknown
  ""?: unknown
  "a b"?: unknown
  "q\\"\\n*/"?: unknown
  new?: unknown
  readonly?: unknown
  "\\u202e"?: unknown
}`,
  },
  {
    name: "boolean schemas as members",
    given: { properties: { a: true, b: false } },
    want: `{
  a?: unknown
  b?: never
}`,
  },
]
