import type { SchemaCase } from "../typescript.ts"

export const referenceCases: SchemaCase[] = [
  {
    name: "a small target is written out",
    given: { $ref: "#/$defs/A", $defs: { A: { type: "string" } } },
    want: "string",
  },
  {
    name: "the whole document",
    given: { type: "object", properties: { children: { type: "array", items: { $ref: "#" } }, name: {} } },
    want: `{
  children?: Value[]
  name?: unknown
}`,
  },
  {
    name: "a recursive definition of draft-07",
    given: {
      $ref: "#/definitions/Node",
      definitions: {
        Node: { type: "object", properties: { next: { anyOf: [{ $ref: "#/definitions/Node" }, { type: "null" }] } } },
      },
    },
    want: `Node
export type Node = { next?: Node | null }`,
  },
  { name: "a reference to itself", given: { $ref: "#" }, want: "unknown /* refers to itself */" },
  {
    name: "unions that refer to each other",
    given: {
      properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/B" } },
      $defs: {
        A: { anyOf: [{ $ref: "#/$defs/B" }, { type: "string" }] },
        B: { anyOf: [{ $ref: "#/$defs/A" }, { type: "number" }] },
      },
    },
    want: `{
  a?: A
  b?: B
}
export type A = number | string
export type B = A | number`,
  },
  {
    name: "allOf in a circle",
    given: {
      $ref: "#/$defs/A",
      $defs: {
        A: { allOf: [{ $ref: "#/$defs/B" }, { properties: { a: { type: "string" } } }] },
        B: { allOf: [{ $ref: "#/$defs/A" }, { properties: { b: { type: "string" } } }] },
      },
    },
    want: `A
export type A = {
  b?: string
  a?: string
}`,
  },
  {
    name: "another member",
    given: {
      properties: {
        from: { type: "object", properties: { x: { type: "number" } } },
        to: { $ref: "#/properties/from" },
      },
    },
    want: `{
  from?: From
  to?: From
}
export type From = { x?: number }`,
  },
  {
    name: "a member of a member of a list",
    given: {
      properties: {
        a: { type: "array", items: { properties: { b: { enum: ["x", "y"] } } } },
        c: { $ref: "#/properties/a/items/properties/b" },
      },
    },
    want: `{
  a?: Array<{ b?: B }>
  c?: B
}
export type B = "x" | "y"`,
  },
  {
    name: "escapes in a pointer",
    given: { properties: { a: { $ref: "#/$defs/a~1b%20c~0d" } }, $defs: { "a/b c~d": { enum: ["x", "y"] } } },
    want: `{ a?: ABCD }
export type ABCD = "x" | "y"`,
  },
  {
    name: "an anchor",
    given: { properties: { a: { $ref: "#there" } }, $defs: { X: { $anchor: "there", enum: ["x", "y"] } } },
    want: `{ a?: There }
export type There = "x" | "y"`,
  },
  {
    name: "an identifier within the document",
    given: {
      $id: "https://x.test/root.json",
      properties: { a: { $ref: "item.json" }, b: { $ref: "item.json#/properties/q" } },
      $defs: { X: { $id: "item.json", properties: { q: { enum: ["a", "b"] } } } },
    },
    want: `{
  a?: Item
  b?: Q
}
export type Item = { q?: Q }
export type Q = "a" | "b"`,
  },
  {
    name: "a place that holds no schemas by itself",
    given: {
      properties: { a: { $ref: "#/components/schemas/Pet" } },
      components: {
        schemas: {
          Pet: { properties: { owner: { $ref: "#/components/schemas/Owner" } } },
          Owner: { enum: ["x", "y"] },
        },
      },
    },
    want: `{ a?: Pet }
export type Pet = { owner?: Owner }
export type Owner = "x" | "y"`,
  },
  {
    name: "a dynamic reference",
    given: {
      $dynamicAnchor: "node",
      properties: { kids: { type: "array", items: { $dynamicRef: "#node" } }, name: {} },
    },
    want: `{
  kids?: Value[]
  name?: unknown
}`,
  },
  {
    name: "the network is not asked",
    given: { properties: { a: { $ref: "https://example.com/x.json*/" } } },
    want: `{
  a?: unknown /* not in this document: https://example.com/x.json*\\/ */
}`,
  },
  {
    name: "a place that does not exist",
    given: { properties: { a: { $ref: "#/$defs/constructor" }, b: { $ref: "#/$defs/%zz" } }, $defs: {} },
    want: `{
  a?: unknown /* not in this document: #/$defs/constructor */
  b?: unknown /* not in this document: #/$defs/%zz */
}`,
  },
  {
    name: "two definitions with one name",
    given: {
      properties: { a: { $ref: "#/$defs/a-b" }, b: { $ref: "#/$defs/a_b" } },
      $defs: { "a-b": { enum: [1, 2] }, a_b: { enum: [3, 4] } },
    },
    want: `{
  a?: AB
  b?: AB2
}
export type AB = 1 | 2
export type AB2 = 3 | 4`,
  },
  {
    name: "a definition named as what we use",
    given: {
      properties: { a: { $ref: "#/$defs/Value" }, b: { type: "array", items: { $ref: "#/$defs/string" } } },
      $defs: { Value: { enum: [1, 2] }, string: { enum: [3, 4] } },
    },
    want: `{
  a?: Value2
  b?: String[]
}
export type Value2 = 1 | 2
export type String = 3 | 4`,
  },
  {
    name: "a tuple of itself",
    given: { prefixItems: [{ $ref: "#" }], items: { type: ["string", "null"] }, minItems: 0 },
    want: "[Value?, ...(string | null)[]]",
  },
  {
    name: "a choice among members that leads back to itself",
    given: {
      properties: { a: { $ref: "#" }, b: { type: "string" } },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    want: `| {
      a: Value
      b?: string
    }
  | {
      a?: Value
      b: string
    }`,
  },
]
