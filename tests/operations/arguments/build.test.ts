import { describe, expect, test } from "bun:test"
import type { JsonSchema } from "../../../src/catalog.ts"
import { describeError, type ErrorDescription, exitCodeFor } from "../../../src/errors.ts"
import { type ArgumentPair, buildArguments, usageLine } from "../../../src/operations/arguments/build.ts"

const read: JsonSchema = {
  type: "object",
  properties: { path: { type: "string" }, head: { type: "number" }, mode: { enum: ["text", "binary"] } },
  required: ["path"],
  additionalProperties: false,
}

function build(
  inputSchema: JsonSchema,
  pairs: Record<string, string> | ArgumentPair[],
  base?: Record<string, unknown>,
) {
  const list = Array.isArray(pairs) ? pairs : Object.entries(pairs).map(([key, text]) => ({ key, text }))
  return buildArguments("files", { name: "read", description: "", inputSchema }, list, base)
}

function errorOf(act: () => unknown): ErrorDescription & { exitCode: number } {
  try {
    act()
  } catch (error) {
    return { ...describeError(error), exitCode: exitCodeFor(error) }
  }
  throw new Error("it did not fail")
}

describe("arguments are built", () => {
  test("from pairs, coerced by the schema", () => {
    expect(build(read, { path: "1", head: "5" })).toEqual({ path: "1", head: 5 })
  })

  test("from an object and pairs, which win", () => {
    expect(build(read, { head: "5" }, { path: "a", head: 1 })).toEqual({ path: "a", head: 5 })
  })

  test("with explicit JSON untouched", () => {
    const pairs = [{ key: "head", json: "five" }]
    expect(build(read, pairs, { path: "a" })).toEqual({ path: "a", head: "five" })
  })

  test("with explicit JSON and texts for one array", () => {
    const schema = { properties: { tags: { type: "array" } } }
    expect(
      build(schema, [
        { key: "tags", text: "a" },
        { key: "tags", json: 5 },
      ]),
    ).toEqual({ tags: ["a", 5] })
  })

  test("with keys the schema does not list, where it allows them", () => {
    expect(build({ properties: { a: { type: "string" } } }, { b: "5" })).toEqual({ b: 5 })
  })

  test("with additional keys by their schema", () => {
    expect(build({ additionalProperties: { type: "string" } }, { b: "5" })).toEqual({ b: "5" })
  })

  test("with keys that match a pattern", () => {
    const schema = { patternProperties: { "^x-": { type: "string" } }, additionalProperties: false }
    expect(build(schema, { "x-id": "5" })).toEqual({ "x-id": "5" })
  })

  test("from the branches of a union at the top", () => {
    const schema = {
      oneOf: [{ properties: { id: { type: "string" } } }, { properties: { page: { type: "integer" } } }],
    }
    expect(build(schema, { id: "5", page: "5" })).toEqual({ id: "5", page: 5 })
  })

  test("with a key that is the name of something every object has", () => {
    const built = build({ properties: {} }, { __proto__x: "1", constructor: "a" })
    expect(built).toEqual({ __proto__x: 1, constructor: "a" })
    expect(Object.keys(build({}, [{ key: "__proto__", text: "a" }]))).toEqual(["__proto__"])
  })
})

describe("wrong arguments are refused", () => {
  test("with key, expected and found for a wrong type", () => {
    expect(errorOf(() => build(read, { path: "a", head: "many" }))).toEqual({
      code: "E_TOOL_ARGUMENTS",
      exitCode: 2,
      server: "files",
      tool: "read",
      message: 'files.read: head must be a number, found "many"',
      hint: 'Usage: mcp-exec call files.read path=<string> [head=<number>] [mode=<"text"|"binary">]',
      details: { key: "head", expected: "number", found: ["many"] },
    })
  })

  test("with the allowed values for a wrong choice", () => {
    const { message } = errorOf(() => build(read, { path: "a", mode: "hex" }))
    expect(message).toBe('files.read: mode must be "text" | "binary", found "hex"')
  })

  test("with a suggestion for an unknown key", () => {
    const { message, hint } = errorOf(() => build(read, { path: "a", haed: "5" }))
    expect(message).toBe("files.read: there is no argument haed; it takes path, head, mode")
    expect(hint).toStartWith("Did you mean head? Usage: mcp-exec call files.read")
  })

  test("when the tool takes none", () => {
    const { message } = errorOf(() => build({ type: "object", additionalProperties: false }, { a: "1" }))
    expect(message).toBe("files.read: there is no argument a; it takes no arguments")
  })

  test("with the names of required ones that are missing", () => {
    const schema = { properties: { from: {}, to: {}, by: {} }, required: ["from", "to"] }
    const { message, hint, details } = errorOf(() => build(schema, { by: "me" }))
    expect(message).toBe("files.read: missing arguments from, to")
    expect(hint).toBe("Usage: mcp-exec call files.read from=<any> to=<any> [by=<any>]")
    expect(details).toEqual({ missing: ["from", "to"] })
  })

  test("with a suggestion when a required one was misspelled and strangers are allowed", () => {
    const { hint } = errorOf(() => build({ properties: { path: {} }, required: ["path"] }, { pth: "a" }))
    expect(hint).toStartWith("Did you mean path instead of pth?")
  })

  test("when one value was given twice", () => {
    const { message } = errorOf(() =>
      build(read, [
        { key: "path", text: "a" },
        { key: "path", text: "b" },
      ]),
    )
    expect(message).toBe("files.read: path was given 2 times and takes one value")
  })
})

test("the usage line puts required arguments first", () => {
  const inputSchema = {
    properties: {
      limit: { type: "integer" },
      tags: { type: "array", items: { type: "string" } },
      query: { type: "string" },
    },
    required: ["query"],
  }
  const line = usageLine("web", { name: "search", description: "", inputSchema })
  expect(line).toBe("mcp-exec call web.search query=<string> [limit=<integer>] [tags=<string[]>]")
})
