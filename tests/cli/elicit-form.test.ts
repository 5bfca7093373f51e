import { describe, expect, test } from "bun:test"
import { fieldsOf, parseAnswer } from "../../src/cli/elicit-form.ts"

const titled = [
  { const: "r", title: "Red" },
  { const: "g", title: "Green" },
]

function answer(property: Record<string, unknown>, typed: string, required = true) {
  const [field] = fieldsOf({ type: "object", properties: { field: property }, required: required ? ["field"] : [] })
  if (field === undefined) throw new Error("no field")
  return parseAnswer(field, typed)
}

interface Case {
  name: string
  property: Record<string, unknown>
  typed: string
  want: unknown
}

const accepted: Case[] = [
  { name: "a string as it is", property: { type: "string" }, typed: "42 ", want: "42 " },
  { name: "an email address", property: { type: "string", format: "email" }, typed: "a@b.c", want: "a@b.c" },
  { name: "a date", property: { type: "string", format: "date" }, typed: "2026-01-31", want: "2026-01-31" },
  { name: "a number", property: { type: "number" }, typed: "1.5", want: 1.5 },
  { name: "an integer", property: { type: "integer", minimum: 1, maximum: 9 }, typed: " 9 ", want: 9 },
  { name: "yes", property: { type: "boolean" }, typed: "Y", want: true },
  { name: "no", property: { type: "boolean" }, typed: "no", want: false },
  { name: "a choice by number", property: { type: "string", enum: ["a", "b"] }, typed: "2", want: "b" },
  { name: "a choice by value", property: { type: "string", enum: ["2", "1"] }, typed: "2", want: "2" },
  { name: "a choice by title", property: { type: "string", oneOf: titled }, typed: "Green", want: "g" },
  { name: "a choice by legacy name", property: { enum: ["a"], enumNames: ["First"] }, typed: "First", want: "a" },
  {
    name: "several choices",
    property: { type: "array", items: { anyOf: titled } },
    typed: "1, Green,r",
    want: ["r", "g"],
  },
  { name: "the default for nothing", property: { type: "number", default: 7 }, typed: "", want: 7 },
]

describe("a field accepts", () => {
  for (const { name, property, typed, want } of accepted) {
    test(name, () => expect(answer(property, typed)).toEqual({ value: want }))
  }

  test("nothing when it is optional", () => expect(answer({ type: "string" }, " ", false)).toBe("skip"))
})

const refused: Case[] = [
  { name: "nothing when it is required", property: { type: "string" }, typed: "", want: "an answer is needed" },
  { name: "a word for a number", property: { type: "number" }, typed: "x", want: "a number is needed" },
  { name: "a fraction for an integer", property: { type: "integer" }, typed: "1.5", want: "a whole number is needed" },
  { name: "too little", property: { type: "number", minimum: 3 }, typed: "2", want: "at least 3" },
  { name: "too much", property: { type: "number", maximum: 3 }, typed: "4", want: "at most 3" },
  { name: "maybe", property: { type: "boolean" }, typed: "maybe", want: "answer yes or no" },
  { name: "a choice that is not there", property: { enum: ["a", "b"] }, typed: "3", want: "choose one of 1 to 2" },
  {
    name: "too few choices",
    property: { type: "array", minItems: 2, items: { enum: ["a", "b"] } },
    typed: "1",
    want: "choose at least 2",
  },
  { name: "too short a text", property: { type: "string", minLength: 3 }, typed: "ab", want: "at least 3 characters" },
  { name: "too long a text", property: { type: "string", maxLength: 1 }, typed: "ab", want: "at most 1 characters" },
  {
    name: "a wrong email address",
    property: { type: "string", format: "email" },
    typed: "ab",
    want: "this is no email",
  },
  { name: "a wrong date", property: { type: "string", format: "date" }, typed: "2026-13-01", want: "this is no date" },
  { name: "a wrong address", property: { type: "string", format: "uri" }, typed: "here", want: "this is no uri" },
]

describe("a field refuses", () => {
  for (const { name, property, typed, want } of refused) {
    test(name, () => expect(answer(property, typed)).toEqual({ problem: want as string }))
  }
})

test("a form that is none has no fields", () => {
  for (const schema of [undefined, null, "x", {}, { properties: [] }]) expect(fieldsOf(schema)).toEqual([])
})
