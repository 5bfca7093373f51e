import { describe, expect, test } from "bun:test"
import { arg } from "../../src/guest/skill.ts"
import type { ArgumentDeclaration } from "../../src/guest/skill-declaration.ts"
import { inputSchemaOf } from "../../src/skills/input-schema.ts"

const schemaOf = (args?: Record<string, ArgumentDeclaration>) =>
  inputSchemaOf({ name: "it", description: "Does it.", ...(args && { args }) })

describe("the input schema of a skill", () => {
  const cases: { name: string; given: ArgumentDeclaration; want: Record<string, unknown> }[] = [
    { name: "a string", given: arg.string({ description: "Where" }), want: { type: "string", description: "Where" } },
    { name: "a number", given: arg.number({ min: 0, max: 1 }), want: { type: "number", minimum: 0, maximum: 1 } },
    { name: "an integer", given: arg.integer({ default: 10 }), want: { type: "integer", default: 10 } },
    { name: "a boolean", given: arg.boolean({ default: false }), want: { type: "boolean", default: false } },
    { name: "an enum", given: arg.enum(["a", "b"]), want: { type: "string", enum: ["a", "b"] } },
    { name: "an enum of nothing", given: { kind: "enum", values: [] }, want: { type: "string" } },
    { name: "a list", given: arg.list(), want: { type: "array", items: { type: "string" } } },
    {
      name: "a list of integers",
      given: arg.list({ of: "integer", min: 1 }),
      want: { type: "array", items: { type: "integer", minimum: 1 } },
    },
    { name: "JSON", given: arg.json({ default: { a: 1 } }), want: { default: { a: 1 } } },
    { name: "a file", given: arg.file(), want: { type: "string", description: "the path of a file" } },
  ]
  for (const { name, given, want } of cases) {
    test(`describes ${name}`, () => {
      expect(schemaOf({ it: given })).toEqual({ type: "object", properties: { it: want }, additionalProperties: false })
    })
  }

  test("requires what a run cannot do without", () => {
    const { required } = schemaOf({
      url: arg.string({ required: true }),
      limit: { kind: "integer", required: true, default: 1 },
      token: arg.string({ required: true, env: "TOKEN" }),
      note: arg.string(),
    })
    expect(required).toEqual(["url"])
  })

  test("of a skill without arguments takes nothing", () => {
    expect(schemaOf()).toEqual({ type: "object", properties: {}, additionalProperties: false })
  })

  test("keeps names that mean something to JavaScript", () => {
    const args = JSON.parse('{"__proto__":{"kind":"string"},"constructor":{"kind":"string"}}')
    expect(Object.keys(schemaOf(args).properties as object)).toEqual(["__proto__", "constructor"])
  })
})
