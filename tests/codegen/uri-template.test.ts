import { describe, expect, test } from "bun:test"
import { parseUriTemplate, variablesOf } from "../../src/codegen/uri-template.ts"

describe("a URI template", () => {
  const cases = [
    { name: "without anything open", given: "a://b", want: ["a://b"] },
    { name: "with a variable", given: "a://{id}", want: ["a://", { operator: "", variables: ["id"] }] },
    {
      name: "with several, and an operator",
      given: "{/a,b.c}/x",
      want: [{ operator: "/", variables: ["a", "b.c"] }, "/x"],
    },
    { name: "with an asterisk", given: "{?tags*,q}", want: [{ operator: "?", variables: ["tags", "q"] }] },
    { name: "that is empty", given: "", want: [] },
    { name: "with the start of a value", given: "a://{id:3}", want: undefined },
    { name: "with an operator of the future", given: "a://{|id}", want: undefined },
    { name: "with an expression that never ends", given: "a://{id", want: undefined },
    { name: "with one in another", given: "a://{a{b}}", want: undefined },
    { name: "with nothing in it", given: "a://{}", want: undefined },
    { name: "with code in it", given: "a://{process.exit(1)}", want: undefined },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => {
      expect(parseUriTemplate(given)).toEqual(want as never)
    })
  }

  test("must be given what stands in its path, and may be given what goes by name", () => {
    const variables = variablesOf(parseUriTemplate("a://{id}{?q,id}{&id}{#part}") ?? [])
    expect([...variables]).toEqual([
      ["id", { required: true }],
      ["q", { required: false }],
      ["part", { required: true }],
    ])
  })
})
