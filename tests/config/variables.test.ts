import { expect, test } from "bun:test"
import { serverSchema } from "../../src/config/schema.ts"
import { variablesOf } from "../../src/config/variables.ts"
import { placeholder } from "../fixtures/config.ts"

const cases = [
  { name: "none", given: { type: "stdio", command: "run" }, want: [] },
  {
    name: "those of every field, each once, sorted",
    given: {
      type: "stdio",
      command: `${placeholder("P")}/run`,
      args: [placeholder("B"), `--key=${placeholder("env:A")}`],
      env: { KEY: placeholder("B") },
      cwd: placeholder("C:-/tmp"),
    },
    want: ["A", "B", "C", "P"],
  },
  {
    name: "those of a URL and its headers, although nothing is no URL",
    given: { type: "http", url: placeholder("HOST"), headers: { Authorization: `Bearer ${placeholder("TOKEN")}` } },
    want: ["HOST", "TOKEN"],
  },
  {
    name: "not what is meant literally",
    given: { type: "stdio", command: "run", args: [`$${placeholder("A")}`] },
    want: [],
  },
  { name: "not what is no variable", given: { type: "stdio", command: "run", args: [placeholder("a b")] }, want: [] },
]

test.each(cases)("the variables of a server: $name", ({ given, want }) => {
  expect(variablesOf(serverSchema.parse(given))).toEqual(want)
})
