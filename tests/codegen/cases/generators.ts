// What the libraries that write schemas produce, as servers send it.
import type { SchemaCase } from "../typescript.ts"

export const generatorCases: SchemaCase[] = [
  {
    name: "Go: the root is a reference",
    given: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://github.com/acme/x/args",
      $ref: "#/$defs/Args",
      $defs: {
        Args: {
          properties: { name: { type: "string" }, opts: { $ref: "#/$defs/Opts" } },
          additionalProperties: false,
          type: "object",
          required: ["name"],
        },
        Opts: {
          properties: { tags: { items: { type: "string" }, type: "array" }, next: { $ref: "#/$defs/Opts" } },
          type: "object",
          additionalProperties: false,
        },
      },
    },
    want: `Args
export type Args = {
  name: string
  opts?: Opts
}
export type Opts = {
  tags?: string[]
  next?: Opts
}`,
  },
  {
    name: "pydantic 2: optional references and pairs",
    given: {
      type: "object",
      title: "A",
      properties: {
        filter: { anyOf: [{ $ref: "#/$defs/Filter" }, { type: "null" }], default: null, title: "Filter" },
        mode: { $ref: "#/$defs/Mode", default: "fast" },
        pair: { maxItems: 2, minItems: 2, prefixItems: [{ type: "integer" }, { type: "string" }], type: "array" },
      },
      $defs: {
        Filter: {
          type: "object",
          properties: { q: { type: "string" }, sub: { items: { $ref: "#/$defs/Filter" }, type: "array" } },
          required: ["q"],
        },
        Mode: { enum: ["fast", "slow"], type: "string", title: "Mode" },
      },
    },
    want: `{
  /** default null */
  filter?: Filter | null
  /** default "fast" */
  mode?: Mode
  /** 2 items */
  pair?: [number, string]
}
export type Filter = {
  q: string
  sub?: Filter[]
}
export type Mode = "fast" | "slow"`,
  },
  {
    name: "pydantic: a discriminated union with a mapping",
    given: {
      type: "object",
      properties: {
        pet: {
          discriminator: { mapping: { cat: "#/$defs/Cat", dog: "#/$defs/Dog" }, propertyName: "kind" },
          oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }],
        },
      },
      required: ["pet"],
      $defs: {
        Cat: {
          type: "object",
          properties: { kind: { const: "cat", type: "string" }, lives: { type: "integer" } },
          required: ["kind"],
        },
        Dog: {
          type: "object",
          properties: { kind: { const: "dog", type: "string" }, friend: { $ref: "#/$defs/Cat" } },
          required: ["kind"],
        },
      },
    },
    want: `{ pet: Cat | Dog }
export type Cat = {
  kind: "cat"
  /** integer */
  lives?: number
}
export type Dog = {
  kind: "dog"
  friend?: Cat
}`,
  },
  {
    name: "OpenAPI: kinds that extend one that lists itself",
    given: {
      oneOf: [{ $ref: "#/components/schemas/Dog" }, { $ref: "#/components/schemas/Cat" }],
      components: {
        schemas: {
          Pet: {
            type: "object",
            properties: {
              id: { type: "integer", format: "int64" },
              friends: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
            },
            required: ["id"],
          },
          Dog: {
            allOf: [
              { $ref: "#/components/schemas/Pet" },
              { properties: { kind: { enum: ["dog"] }, bark: { type: "boolean" } }, required: ["kind"] },
            ],
          },
          Cat: {
            allOf: [
              { $ref: "#/components/schemas/Pet" },
              { properties: { kind: { enum: ["cat"] } }, required: ["kind"] },
            ],
          },
        },
      },
    },
    want: `Dog | Cat
export type Dog = {
  /** integer, format int64 */
  id: number
  friends?: Pet[]
  kind: "dog"
  bark?: boolean
}
export type Pet = {
  /** integer, format int64 */
  id: number
  friends?: Pet[]
}
export type Cat = {
  /** integer, format int64 */
  id: number
  friends?: Pet[]
  kind: "cat"
}`,
  },
  {
    name: "OpenAPI 3.0: a nullable reference",
    given: {
      type: "object",
      properties: { p: { nullable: true, allOf: [{ $ref: "#/$defs/P" }] } },
      $defs: { P: { type: "object", properties: { n: { type: "string" } }, required: ["n"] } },
    },
    want: `{ p?: P | null }
export type P = { n: string }`,
  },
  {
    name: "OpenAPI: a schema below a path",
    given: {
      type: "object",
      properties: { a: { $ref: "#/paths/~1users~1{id}/get/schema" } },
      paths: { "/users/{id}": { get: { schema: { type: "object", properties: { id: { type: "integer" } } } } } },
    },
    want: `{ a?: Schema }
export type Schema = {
  /** integer */
  id?: number
}`,
  },
  {
    name: "zod: any JSON",
    given: {
      $ref: "#/definitions/json",
      definitions: {
        json: {
          anyOf: [
            { type: ["string", "number", "boolean", "null"] },
            { type: "array", items: { $ref: "#/definitions/json" } },
            { type: "object", additionalProperties: { $ref: "#/definitions/json" } },
          ],
        },
      },
    },
    want: `Json
export type Json = string | number | boolean | Json[] | { [key: string]: Json } | null`,
  },
  {
    name: ".NET: nullable objects, and a list of a list's items",
    given: {
      type: "object",
      properties: {
        address: {
          type: ["object", "null"],
          properties: { street: { type: ["string", "null"] }, zip: { type: "string" } },
          required: ["zip"],
        },
        list: {
          type: ["array", "null"],
          items: { type: ["object", "null"], properties: { parent: { $ref: "#/properties/list/items" } } },
        },
        e: { enum: ["A", "B", null] },
      },
    },
    want: `{
  address?:
    | {
        street?: string | null
        zip: string
      }
    | null
  list?: List[] | null
  e?: "A" | "B" | null
}
export type List = { parent?: List } | null`,
  },
  {
    name: "TypeBox: recursion by a name that is an identifier",
    given: {
      type: "object",
      properties: {
        node: {
          $id: "Node",
          type: "object",
          properties: { id: { type: "string" }, nodes: { type: "array", items: { $ref: "Node" } } },
          required: ["id", "nodes"],
        },
      },
    },
    want: `{ node?: Node }
export type Node = {
  id: string
  nodes: Node[]
}`,
  },
  {
    name: "identifiers relative to the document's",
    given: {
      $id: "https://x.test/schemas/root.json",
      type: "object",
      properties: { a: { $ref: "defs.json#/definitions/A" }, b: { $ref: "/schemas/defs.json" } },
      $defs: {
        d: {
          $id: "defs.json",
          type: "object",
          properties: { z: { type: "boolean" } },
          definitions: { A: { type: "string", enum: ["q"] } },
        },
      },
    },
    want: `{
  a?: "q"
  b?: Defs
}
export type Defs = { z?: boolean }`,
  },
  {
    name: "names of generics, encoded and not",
    given: {
      type: "object",
      properties: {
        a: { $ref: "#/definitions/Map%3Cstring%2Cnumber%3E" },
        b: { $ref: "#/definitions/Foo<Bar>" },
        c: { $ref: "#/definitions/com.acme.Thing" },
      },
      definitions: {
        "Map<string,number>": { type: "object", additionalProperties: { type: "number" } },
        "Foo<Bar>": { type: "object", properties: { k: { type: "string" } } },
        "com.acme.Thing": { type: "object", properties: { self: { $ref: "#/definitions/com.acme.Thing" } } },
      },
    },
    want: `{
  a?: MapStringNumber
  b?: FooBar
  c?: ComAcmeThing
}
export type MapStringNumber = { [key: string]: number }
export type FooBar = { k?: string }
export type ComAcmeThing = { self?: ComAcmeThing }`,
  },
]
