import { expect, test } from "bun:test"
import { explainDiagnostic } from "../../../src/skills/types/explain.ts"
import { readMembers } from "../../../src/skills/types/members.ts"
import type { KnownServer } from "../../../src/skills/used-tools.ts"

const wrapper = `export type AddParams = {
  /** first: "quoted" */
  a: number
  "b-c"?: { x: string }
}
export type AddResult = { sum: number; other?: string }
`
const servers = new Map<string, KnownServer>([
  ["calc", { directory: "calc", tools: { add: { export: "add", hash: "", file: "calc/add.ts" } } }],
])
const explain = (code: string, at: string, message: string, number = 2322) => {
  const before = code.slice(0, code.indexOf(at)).split("\n")
  const position = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  const diagnostic = { file: "a.ts", ...position, code: number, message, details: [] }
  return explainDiagnostic(diagnostic, { code, servers, wrapper: () => wrapper })
}
const imported = 'import { add } from "#servers/calc"\n'

test("the members of a type are those of its first level", () => {
  expect(readMembers(wrapper, "AddParams")).toEqual([
    { name: "a", required: true },
    { name: "b-c", required: false },
  ])
  expect(readMembers(wrapper, "AddResult").map(({ name }) => name)).toEqual(["sum", "other"])
  expect(readMembers("", "AddParams")).toEqual([])
})

test("a complaint inside a tool's call is about the tool", () => {
  const message = "Type 'string' is not assignable to type 'number'."
  expect(explain(`${imported}await add({ a: "x" })`, 'a: "x"', message)).toEqual({
    message: "calc.add: argument 'a' must be number, found string",
    ...{ line: 2, column: 13, code: "TS2322", tool: "calc.add", argument: "a", expected: "number", found: "string" },
  })
})

test("a complaint elsewhere is about the script", () => {
  const message = "Type 'string' is not assignable to type 'number'."
  expect(explain(`${imported}await add({ a: other({ y: "x" }) })`, 'y: "x"', message)).toMatchObject({ message })
  expect(explain(`${imported}const z: number = "x"`, "z:", message)).not.toHaveProperty("tool")
  expect(explain('const add = other\nadd({ a: "x" })', 'a: "x"', message)).not.toHaveProperty("tool")
})

test("what is said of servers is safe to show", () => {
  const odd = "Module '\"../servers/__proto__/index.ts\"' has no exported member 'constructor'."
  expect(explain(imported, "add", odd, 2305).message).toContain("servers/ has no server '__proto__'")
})
