import type { SchemaCase } from "../typescript.ts"

export const quirkCases: SchemaCase[] = [
  {
    name: "types by other names",
    given: {
      type: "object",
      properties: { a: { type: "float" }, b: { type: "STRING" }, c: { type: "any" }, d: "string", e: { type: "dict" } },
    },
    want: `{
  a?: number
  b?: string
  c?: unknown
  d?: string
  e?: { [key: string]: unknown }
}`,
  },
  { name: "types that nobody knows", given: { type: ["string", "constructor"] }, want: "unknown" },
  { name: "a type that is no name", given: { type: { a: 1 } }, want: "unknown" },
  {
    name: "required in draft-03",
    given: { type: "object", properties: { a: { type: "string", required: true }, b: { type: "string" } } },
    want: `{
  a: string
  b?: string
}`,
  },
  {
    name: "required that is no list",
    given: { type: "object", properties: { a: {} }, required: "a" },
    want: "{ a?: unknown }",
  },
  {
    name: "keywords of the wrong kind",
    given: { type: "object", properties: ["a"], required: [1, null], allOf: {}, anyOf: "x", items: 3, enum: "x" },
    want: "{ [key: string]: unknown }",
  },
  { name: "something else than a schema", given: [1], want: "unknown" },
  { name: "nothing", given: undefined, want: "unknown" },
  {
    name: "comments",
    given: {
      properties: {
        a: { type: "integer", minimum: 1, maximum: 100, default: 30, description: "Page size." },
        b: { type: "string", description: "Sort. Default: asc", default: "asc", deprecated: true },
      },
    },
    want: `{
  /** Page size (integer, 1..100, default 30) */
  a?: number
  /**
   * Sort. Default: asc
   * @deprecated
   */
  b?: string
}`,
  },
  {
    name: "draft-04 bounds",
    given: {
      properties: {
        a: { type: "number", minimum: 0, exclusiveMinimum: true },
        b: { type: "number", exclusiveMaximum: 5 },
      },
    },
    want: `{
  /** > 0 */
  a?: number
  /** < 5 */
  b?: number
}`,
  },
  {
    name: "lengths, patterns, formats and examples",
    given: {
      properties: {
        a: { type: "string", minLength: 1, maxLength: 9, pattern: "^*/$", format: "uri", examples: ["x", "y"] },
        b: {
          type: "array",
          minItems: 2,
          uniqueItems: true,
          items: { type: "string", format: "date", description: "A day." },
        },
      },
    },
    want: `{
  /** 1..9 characters, format uri, pattern ^*\\/$, e.g. "x", "y" */
  a?: string
  /** at least 2 items, no duplicates, each: A day, format date */
  b?: string[]
}`,
  },
  {
    name: "a comment that tries to end",
    given: { properties: { a: { description: "a */ b\u2028@ts-ignore\r\n@readonly\u202e\u0007 c", default: "*/" } } },
    want: `{
  /**
   * a *\\/ b
   * \\@ts-ignore
   * \\@readonly c (default "*\\/")
   */
  a?: unknown
}`,
  },
  {
    name: "the comment of an optional type",
    given: {
      properties: { a: { anyOf: [{ type: "string", format: "uri", description: "Where." }, { type: "null" }] } },
    },
    want: `{
  /** Where (format uri) */
  a?: string | null
}`,
  },
  {
    name: "the comment of a target that is written out",
    given: {
      properties: { a: { $ref: "#/$defs/S", description: "own" } },
      $defs: { S: { type: "string", description: "target", format: "uri" } },
    },
    want: `{
  /** own (format uri) */
  a?: string
}`,
  },
  {
    name: "constants with a word on each",
    given: {
      properties: {
        a: {
          description: "Order.",
          oneOf: [
            { const: "up", title: "Oldest first" },
            { const: "down", description: "Newest." },
          ],
        },
      },
    },
    want: `{
  /** Order ("up": Oldest first, "down": Newest) */
  a?: "up" | "down"
}`,
  },
  {
    name: "an array of a long choice",
    given: { items: { anyOf: [{ properties: { x: {}, y: {} } }, { type: "null" }] } },
    want: `Array<
  | {
      x?: unknown
      y?: unknown
    }
  | null
>`,
  },
]
