import { describe, expect, test } from "bun:test"
import type { JsonSchema } from "../../src/catalog.ts"
import { blanksIn, guessArguments } from "../../src/discovery/guess-arguments.ts"

const local = { directory: "/project/workspace" }
const guess = (inputSchema: JsonSchema, name = "get_it") => guessArguments({ name, inputSchema }, local)
const one = (schema: unknown, property = "it") =>
  guess({ type: "object", properties: { [property]: schema }, required: [property] })[property]

describe("arguments", () => {
  const cases: { name: string; property?: string; schema: unknown; want: unknown }[] = [
    { name: "an example", schema: { type: "string", examples: ["acme/app"], default: "x" }, want: "acme/app" },
    { name: "an example in the older spelling", schema: { type: "string", example: "acme/app" }, want: "acme/app" },
    { name: "a default", schema: { type: "string", default: "main" }, want: "main" },
    { name: "a default that is false", schema: { type: "boolean", default: false }, want: false },
    { name: "an enum", schema: { type: "string", enum: ["open", "closed"] }, want: "open" },
    { name: "a constant", schema: { const: 7 }, want: 7 },
    { name: "a date", schema: { type: "string", format: "date" }, want: "2026-01-01" },
    { name: "a point in time", schema: { type: "string", format: "date-time" }, want: "2026-01-01T00:00:00Z" },
    { name: "an address", schema: { type: "string", format: "uri" }, want: "https://example.com" },
    { name: "a flag", schema: { type: "boolean" }, want: false },
    { name: "a count", property: "limit", schema: { type: "integer" }, want: 1 },
    { name: "a number with a limit", schema: { type: "number", minimum: 10 }, want: 10 },
    { name: "a number below one", schema: { type: "number", maximum: 0 }, want: 0 },
    { name: "a directory", property: "path", schema: { type: "string" }, want: "/project/workspace" },
    {
      name: "a working directory",
      property: "workingDirectory",
      schema: { type: "string" },
      want: "/project/workspace",
    },
    { name: "a query", property: "searchQuery", schema: { type: "string" }, want: "test" },
    { name: "a pattern", property: "pattern", schema: { type: "string" }, want: "*" },
    {
      name: "a list",
      property: "urls",
      schema: { type: "array", items: { type: "string" } },
      want: ["https://example.com"],
    },
    { name: "one of several types", schema: { type: ["null", "integer"] }, want: 1 },
    { name: "a branch that can be guessed", schema: { anyOf: [{ type: "string" }, { type: "boolean" }] }, want: false },
    { name: "parts of a whole", schema: { allOf: [{ type: "integer" }, { minimum: 3 }] }, want: 3 },
    {
      name: "an object, with what it requires",
      schema: { type: "object", properties: { a: { type: "boolean" }, b: { type: "string" } }, required: ["a"] },
      want: { a: false },
    },
  ]
  for (const { name, property, schema, want } of cases)
    test(`are guessed: ${name}`, () => expect<unknown>(one(schema, property)).toEqual(want))

  test("that are optional are left out", () => {
    expect(guess({ type: "object", properties: { a: { type: "string", default: "x" } } })).toEqual({})
  })

  test("follow references, also those that lead in a circle", () => {
    const schema = {
      properties: { a: { $ref: "#/$defs/day" }, b: { $ref: "#/$defs/loop" }, c: { $ref: "#/$defs/no" } },
      required: ["a", "b", "c"],
      $defs: { day: { type: "string", format: "date" }, loop: { $ref: "#/$defs/loop" } },
    }
    expect(guess(schema)).toMatchObject({ a: "2026-01-01", b: expect.stringContaining("<fill in") })
  })

  test("of a schema without an end are left blank at some depth", () => {
    const schema = { properties: { a: { $ref: "#" } }, required: ["a"] }
    expect(blanksIn(guess(schema)).length).toBe(1)
  })

  const blanks: { name: string; property: string; schema: JsonSchema; tool?: string }[] = [
    { name: "a name", property: "owner", schema: { type: "string", description: "Who owns it.\nA login." } },
    { name: "an identifier", property: "issue_number", schema: { type: "integer" } },
    { name: "a file", property: "path", schema: { type: "string" }, tool: "read_file" },
    { name: "the path of a file", property: "filePath", schema: { type: "string" } },
    { name: "a uuid", property: "session", schema: { type: "string", format: "uuid" } },
    { name: "a text that must fit a pattern", property: "query", schema: { type: "string", pattern: "^[A-Z]{3}$" } },
    { name: "a text that must be long", property: "query", schema: { type: "string", minLength: 10 } },
  ]
  for (const { name, property, schema, tool } of blanks) {
    test(`that cannot be guessed are left blank, visibly: ${name}`, () => {
      const given = guess({ properties: { [property]: schema }, required: [property] }, tool)
      expect(given[property]).toStartWith(`<fill in: ${property} (`)
      expect(blanksIn(given)).toEqual([property])
    })
  }

  test("say in a blank what is wanted, on one line", () => {
    expect(one({ type: "string", description: "Who owns it.\nA login." }, "owner")).toBe(
      "<fill in: owner (string): Who owns it. A login.>",
    )
  })

  test("are looked through for blanks everywhere", () => {
    expect(blanksIn({ a: [{ b: "<fill in: x>" }], c: "<fill in: y>", d: "<filled in>" })).toEqual(["a[0].b", "c"])
  })
})
