import { describe, expect, test } from "bun:test"
import { forgive } from "../../src/server/forgive.ts"

const value = "const __mcpExecValue = "

interface Case {
  name: string
  given: string
  /** The code up to what prints the value; as it was when absent. */
  want?: string
}

const cases: Case[] = [
  { name: "an expression", given: "1 + 1", want: `${value}1 + 1` },
  { name: "the last of several lines", given: "const a = 1\na", want: `const a = 1\n${value}a` },
  {
    name: "an expression of several lines",
    given: "xs\n  .map(f)\n  .join()",
    want: `${value}xs\n  .map(f)\n  .join()`,
  },
  { name: "types before it", given: "const a: number = 1\na", want: `const a: number = 1\n${value}a` },
  { name: "types in it", given: "const a = 1; a as number // it", want: `const a = 1; ${value}a as number // it` },
  { name: "a line that only looks like one", given: "f(a as never)\n+ b", want: `${value}f(a as never)\n+ b` },
  { name: "a fence", given: "```ts\nconst a: string = ''\na\n```", want: `const a: string = ''\n${value}a` },
  { name: "a fence without a language", given: "```\n1\n```\n", want: `${value}1` },
  { name: "a return", given: "return 5", want: `;${value}await (async () => {return 5\n})()` },
  {
    name: "a return among others, imports left outside",
    given: 'import { a } from "b"\nconst c: number = a\nif (c) return 1\nreturn 2',
    want: `import { a } from "b"\n;${value}await (async () => {const c: number = a\nif (c) return 1\nreturn 2\n})()`,
  },
  { name: "an awaited call", given: "await f()", want: `${value}await f()` },
]

const untouched: Case[] = [
  { name: "a declaration", given: "const y = a\n+ b" },
  { name: "a loop", given: "for (const x of []) { x }" },
  { name: "a return in a function", given: "function f() { return 1 }" },
  { name: "two values in one", given: "a, b" },
  { name: "a function that is exported", given: "export default async function main() {}\n1" },
  { name: "code that is wrong", given: "const = 1" },
  { name: "a return beside an export", given: "export const a = 1\nreturn a" },
  { name: "nothing", given: "" },
]

describe("code that models write yields", () => {
  for (const { name, given, want } of cases) {
    test(name, () => {
      const [code = ""] = forgive(given).split("\n;{ const value")
      expect(code).toBe(want as string)
    })
  }
})

describe("code is left alone when it has or is", () => {
  for (const { name, given } of untouched) test(name, () => expect(forgive(given)).toBe(given))
})

test("nothing moves to another line", () => {
  for (const { given, want } of cases) {
    if (given.startsWith("```") || want === undefined) continue
    const lineOf = (text: string) => text.split("\n").findIndex((line) => line.includes("2"))
    expect(lineOf(forgive(given))).toBe(lineOf(given))
  }
})
