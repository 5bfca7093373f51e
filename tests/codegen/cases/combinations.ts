import type { SchemaCase } from "../typescript.ts"

export const combinationCases: SchemaCase[] = [
  {
    name: "an open object stays open",
    given: { allOf: [{ type: "object", additionalProperties: {} }, { properties: { a: { type: "string" } } }] },
    want: `{
  a?: string
  [key: string]: unknown
}`,
  },
  {
    name: "objects become one",
    given: {
      allOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        { properties: { b: { type: "number" } } },
      ],
    },
    want: `{
  a: string
  b?: number
}`,
  },
  {
    name: "a member in both becomes narrower",
    given: {
      allOf: [
        { properties: { a: { type: ["string", "null"] } } },
        { properties: { a: { type: "string" } }, required: ["a"] },
      ],
    },
    want: "{ a: string }",
  },
  {
    name: "a named object is merged",
    given: {
      allOf: [{ $ref: "#/$defs/Base" }, { properties: { b: { type: "number" } } }],
      $defs: { Base: { properties: { a: { type: "string" } }, required: ["a"] } },
    },
    want: `{
  a: string
  b?: number
}`,
  },
  {
    name: "one branch is that branch",
    given: {
      properties: { a: { allOf: [{ $ref: "#/$defs/Base" }], description: "why" } },
      $defs: { Base: { properties: { a: {}, b: {} } } },
    },
    want: `{
  /** why */
  a?: Base
}
export type Base = {
  a?: unknown
  b?: unknown
}`,
  },
  {
    name: "values become narrower",
    given: { allOf: [{ type: ["string", "null"] }, { type: "string" }, { enum: ["a", null] }] },
    want: '"a"',
  },
  {
    name: "types that exclude each other",
    given: { allOf: [{ type: "string" }, { type: "number" }] },
    want: "unknown /* the schema contradicts itself */",
  },
  {
    name: "a union of kinds beside common members",
    given: {
      properties: { c: { type: "string" } },
      oneOf: [
        { properties: { k: { const: "a" } }, required: ["k"] },
        { properties: { k: { const: "b" }, n: { type: "number" } }, required: ["k"] },
      ],
    },
    want: `{ c?: string } & (
  | { k: "a" }
  | {
      k: "b"
      n?: number
    }
)`,
  },
  {
    name: "one of two members is required",
    given: {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "number" } },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    want: `{
  a?: string
  b?: number
} & ({ a: string } | { b: number })`,
  },
  {
    name: "a discriminated union stays one",
    given: {
      oneOf: [
        { properties: { kind: { const: "a" }, x: { type: "string" } }, required: ["kind"] },
        { properties: { kind: { const: "b" }, y: { type: "string" } }, required: ["kind"] },
      ],
    },
    want: `| {
      kind: "a"
      x?: string
    }
  | {
      kind: "b"
      y?: string
    }`,
  },
  {
    name: "a union with a branch that says nothing",
    given: { type: "string", anyOf: [{ format: "uri" }, { type: "string", format: "email" }] },
    want: "string",
  },
  {
    name: "a union in a nullable object",
    given: { type: ["object", "null"], anyOf: [{ properties: { a: { type: "string" } } }, { type: "null" }] },
    want: "{ a?: string } | null",
  },
  { name: "not of everything", given: { not: {} }, want: "never" },
  { name: "not of something is left out", given: { type: "string", not: { const: "a" } }, want: "string" },
  {
    name: "conditions are left out",
    given: {
      properties: { a: { type: "string" } },
      if: { properties: { a: { const: "x" } } },
      // biome-ignore lint/suspicious/noThenProperty: it is the keyword that is tested
      then: { required: ["b"] },
      else: false,
    },
    want: "{ a?: string }",
  },
  { name: "empty lists of branches", given: { type: "string", allOf: [], anyOf: [], oneOf: [] }, want: "string" },
]
