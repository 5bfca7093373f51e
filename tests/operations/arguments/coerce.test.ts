import { describe, expect, test } from "bun:test"
import { coerce } from "../../../src/operations/arguments/coerce.ts"

interface Case {
  name: string
  schema: unknown
  given: string | string[]
  /** Absent when the text does not fit. */
  want?: unknown
}

const self = { anyOf: [{ $ref: "#" }] }

const cases: Case[] = [
  {
    name: "a string stays a string even when it looks like a number",
    schema: { type: "string" },
    given: "42",
    want: "42",
  },
  {
    name: "a string stays a string even when it looks like JSON",
    schema: { type: "string" },
    given: '{"a":1}',
    want: '{"a":1}',
  },
  { name: "an empty text is an empty string", schema: { type: "string" }, given: "", want: "" },
  { name: "a number is parsed", schema: { type: "number" }, given: "-1.5e3", want: -1500 },
  { name: "a word is no number", schema: { type: "number" }, given: "five" },
  { name: "nothing is no number", schema: { type: "number" }, given: "" },
  { name: "hexadecimal is no number", schema: { type: "number" }, given: "0x10" },
  { name: "an infinite number is none", schema: { type: "number" }, given: "1e999" },
  { name: "an integer is parsed", schema: { type: "integer" }, given: "10", want: 10 },
  { name: "a fraction is no integer", schema: { type: "integer" }, given: "1.5" },
  { name: "an integer that a double cannot hold is refused", schema: { type: "integer" }, given: "9007199254740993" },
  { name: "true is a boolean", schema: { type: "boolean" }, given: "true", want: true },
  { name: "yes is no boolean", schema: { type: "boolean" }, given: "yes" },
  { name: "null is null", schema: { type: "null" }, given: "null", want: null },
  { name: "an object is JSON", schema: { type: "object" }, given: '{"a":[1]}', want: { a: [1] } },
  { name: "an array is no object", schema: { type: "object" }, given: "[1]" },
  { name: "an object is implied by properties", schema: { properties: {} }, given: "{}", want: {} },
  { name: "an array is JSON", schema: { type: "array", items: { type: "number" } }, given: "[1,2]", want: [1, 2] },
  {
    name: "one text becomes an array of one",
    schema: { type: "array", items: { type: "string" } },
    given: "a",
    want: ["a"],
  },
  {
    name: "a repeated key becomes an array",
    schema: { type: "array", items: { type: "integer" } },
    given: ["1", "2"],
    want: [1, 2],
  },
  { name: "a wrong item is refused", schema: { type: "array", items: { type: "integer" } }, given: ["1", "x"] },
  {
    name: "items may be a text in brackets that is no JSON",
    schema: { type: "array" },
    given: "[draft",
    want: ["[draft"],
  },
  {
    name: "a tuple takes each item by its own schema",
    schema: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
    given: ["1", "2"],
    want: ["1", 2],
  },
  { name: "a repeated key for one value is refused", schema: { type: "string" }, given: ["a", "b"] },
  { name: "nullable by type list", schema: { type: ["number", "null"] }, given: "null", want: null },
  { name: "nullable by keyword", schema: { type: "number", nullable: true }, given: "null", want: null },
  { name: "nullable by anyOf", schema: { anyOf: [{ type: "string" }, { type: "null" }] }, given: "x", want: "x" },
  { name: "of string or number, a number is a number", schema: { type: ["string", "number"] }, given: "5", want: 5 },
  {
    name: "of string or number, a word is a string",
    schema: { oneOf: [{ type: "string" }, { type: "number" }] },
    given: "v5",
    want: "v5",
  },
  {
    name: "of one or several, a repeated key is several",
    schema: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    given: ["a", "b"],
    want: ["a", "b"],
  },
  {
    name: "of one or several, one is one",
    schema: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    given: "a",
    want: "a",
  },
  { name: "an enum of strings takes one of them", schema: { enum: ["on", "off"] }, given: "on", want: "on" },
  { name: "an enum refuses others", schema: { type: "string", enum: ["on", "off"] }, given: "maybe" },
  { name: "an enum of numbers gives numbers", schema: { enum: [1, 2] }, given: "2", want: 2 },
  { name: "an enum of texts that look like numbers gives texts", schema: { enum: ["1", "2"] }, given: "2", want: "2" },
  { name: "an empty enum is ignored", schema: { type: "string", enum: [] }, given: "x", want: "x" },
  { name: "a const takes itself", schema: { const: true }, given: "true", want: true },
  { name: "a reference is followed", schema: { $ref: "#/$defs/Count" }, given: "3", want: 3 },
  { name: "an escaped reference is followed", schema: { $ref: "#/$defs/a~1b%20c" }, given: "3", want: 3 },
  { name: "a reference to nowhere takes anything", schema: { $ref: "#/$defs/None" }, given: "x", want: "x" },
  { name: "a foreign reference takes anything", schema: { $ref: "https://example.com/a.json" }, given: "x", want: "x" },
  { name: "allOf is merged", schema: { allOf: [{ $ref: "#/$defs/Count" }, { minimum: 1 }] }, given: "3", want: 3 },
  { name: "a schema that refers to itself ends", schema: self, given: "x", want: "x" },
  { name: "without a type, a number is a number", schema: {}, given: "5", want: 5 },
  { name: "without a type, JSON is JSON", schema: true, given: '["a"]', want: ["a"] },
  { name: "without a type, null is null", schema: {}, given: "null", want: null },
  { name: "without a type, a text is a text", schema: {}, given: "hello", want: "hello" },
  { name: "without a type, quotes are kept", schema: {}, given: '"5"', want: '"5"' },
  { name: "without a type, a version is not rounded", schema: {}, given: "1.10", want: "1.10" },
  {
    name: "without a type, a long number keeps its digits",
    schema: {},
    given: "12345678901234567890",
    want: "12345678901234567890",
  },
  { name: "without a type, a repeated key becomes an array", schema: {}, given: ["1", "x"], want: [1, "x"] },
  { name: "an unknown type takes anything", schema: { type: "any" }, given: "5", want: 5 },
  { name: "a false schema takes nothing", schema: false, given: "x" },
]

describe("a text becomes what the schema asks for", () => {
  const definitions = { Count: { type: "integer" }, "a/b c": { type: "integer" } }
  for (const { name, schema, given, ...rest } of cases) {
    test(name, () => {
      const root = schema === self ? self : { $defs: definitions }
      const coerced = coerce(Array.isArray(given) ? given : [given], schema, root)
      expect(coerced).toEqual("want" in rest ? { value: rest.want } : undefined)
    })
  }
})
