import { describe, expect, test } from "bun:test"
import type { Normalize } from "../../src/config/schema.ts"
import { createFieldNames } from "../../src/mcp/normalize-fields.ts"

const cases: { normalize: Normalize; given: unknown; want: unknown }[] = [
  { normalize: "none", given: { "system.id": 1 }, want: { "system.id": 1 } },
  {
    normalize: "ado-pascal-case",
    given: { "system.id": 1, "microsoft.vsts.x": 2, "custom.field": 3, wef_1: 4, WeF_2: 5, system: 6, "System.x": 7 },
    want: { "System.Id": 1, "Microsoft.Vsts.x": 2, "Custom.Field": 3, WEF_1: 4, WEF_2: 5, system: 6, "System.x": 7 },
  },
  {
    normalize: "ado-pascal-case",
    given: [{ fields: { "system.title": "system.title" } }, "system.title", null],
    want: [{ fields: { "System.Title": "system.title" } }, "system.title", null],
  },
  {
    normalize: "camelCase",
    given: { user_name: 1, "first-name": 2, HTTPServer: 3, "a b": 4, "x@y.z": 5, _id: 6, "": 7 },
    want: { userName: 1, firstName: 2, httpServer: 3, aB: 4, "x@y.z": 5, _id: 6, "": 7 },
  },
  {
    normalize: "snake_case",
    given: { userName: 1, HTTPServer: 2, already_so: 3, "https://x/y": 4 },
    want: { user_name: 1, http_server: 2, already_so: 3, "https://x/y": 4 },
  },
  {
    normalize: { old: "new", constructor: "maker" },
    given: { old: { old: 1 }, constructor: 2, toString: 3 },
    want: { new: { new: 1 }, maker: 2, toString: 3 },
  },
]

describe("keys are renamed, values are not", () => {
  for (const { normalize, given, want } of cases) {
    test(`${JSON.stringify(normalize)}: ${JSON.stringify(given)}`, () => {
      const before = structuredClone(given)
      expect(createFieldNames(normalize, () => {}).value(given)).toEqual(want)
      expect(given).toEqual(before)
    })
  }
})

test("of two keys that would become one both stay, and it is told", () => {
  const clashes: string[][] = []
  const { value } = createFieldNames("camelCase", (...names) => clashes.push(names))
  expect(value({ user_name: 1, userName: 2, "user-name": 3 })).toEqual({ user_name: 1, userName: 2, "user-name": 3 })
  expect(value({ user_name: 1, "user-name": 3 })).toEqual({ userName: 1, "user-name": 3 })
  expect(clashes).toEqual([
    ["user_name", "userName"],
    ["user-name", "userName"],
    ["user-name", "userName"],
  ])
})

test("a key named __proto__ stays a key", () => {
  const { value } = createFieldNames("camelCase", () => {})
  const result = value(JSON.parse('{"__proto__": {"a_b": 1}, "c_d": 2}'))
  expect(JSON.stringify(result)).toBe('{"__proto__":{"aB":1},"cD":2}')
})

test("the declared type of a result follows", () => {
  const outputSchema = {
    type: "object",
    properties: {
      user_name: { type: "string" },
      required: { properties: { a_b: true } },
      self: { $ref: "#/properties/user_name" },
    },
    required: ["user_name"],
    $defs: { some_type: { properties: { c_d: { const: { e_f: "g_h" } } } } },
  }
  const tool = { name: "get_user", description: "", inputSchema: { properties: { user_id: {} } }, outputSchema }
  const renamed = createFieldNames("camelCase", () => {}).tool(tool)
  expect(renamed.inputSchema).toEqual(tool.inputSchema)
  expect(renamed.outputSchema).toEqual({
    type: "object",
    properties: {
      userName: { type: "string" },
      required: { properties: { aB: true } },
      self: { $ref: "#/properties/userName" },
    },
    required: ["userName"],
    $defs: { some_type: { properties: { cD: { const: { eF: "g_h" } } } } },
  })
})

test("of two properties that would become one both stay in the declared type, required or not", () => {
  const outputSchema = { properties: { user_name: {}, userName: {} }, required: ["user_name"] }
  const renamed = createFieldNames("camelCase", () => {}).tool({
    name: "get_user",
    description: "",
    inputSchema: {},
    outputSchema,
  })
  expect(renamed.outputSchema).toEqual(outputSchema)
})

test("without a strategy the value is the same object", () => {
  const value = { a_b: 1 }
  expect(createFieldNames(undefined, () => {}).value(value)).toBe(value)
})
