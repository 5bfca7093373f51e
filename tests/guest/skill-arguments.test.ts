import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { arg } from "../../src/guest/skill.ts"
import { readArguments } from "../../src/guest/skill-arguments.ts"
import { type ArgumentsCase, bad, cwd, good, number, several, text } from "./skill-arguments-cases.ts"

function read({ args, words, env = {} }: Omit<ArgumentsCase, "name">) {
  return readArguments({ name: "demo", description: "", args }, words, { cwd, env })
}

describe("arguments that are right", () => {
  for (const { name, want, ...given } of good) {
    test(name, () => expect(read(given)).toEqual({ kind: "values", values: want }))
  }
})

describe("arguments that are wrong", () => {
  for (const { name, want, ...given } of bad) {
    test(name, () => expect(problemsOf(given)).toEqual(want))
  }

  test("JSON is broken", () => {
    expect(problemsOf({ args: { j: arg.json() }, words: ["--j={a:1}"] })[0]).toStartWith(
      '--j must be JSON; found "{a:1}" (',
    )
  })

  test("a long value is cut in the complaint", () => {
    const [problem] = problemsOf({ args: number, words: [`--n=${"9".repeat(1e6)}x`] })
    expect(problem?.length).toBeLessThan(120)
  })

  test("the error shows the usage line, and all problems", () => {
    const result = read({ args: { a: text, n: arg.integer() }, words: ["--n=x"] })
    if (result.kind !== "refused") throw new Error(result.kind)
    expect(result.error).toMatchObject({
      code: "E_USAGE",
      message: 'demo:\n  --a is required\n  --n must be an integer, as in 42; found "x"',
      hint: "Usage: mcp-exec exec demo --a <string> [--n <integer>]",
    })
  })
})

test("help wins over everything that is wrong, but not behind --", () => {
  for (const words of [["--", "--help"], ["--help"], ["-h"], ["--wat", "--help"], ["--a", "--help"]]) {
    expect(read({ args: { a: text }, words })).toEqual({ kind: "help" })
  }
  expect(read({ args: {}, words: ["--", "--", "-h"] }).kind).toBe("refused")
})

test("any words give values or a usage error, never an exception", () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom("--", "--url", "--quiet", "--tag", "--no-quiet", "-1", "--max-items=3"),
  )
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(["help", "values", "refused"]).toContain(read({ args: several, words }).kind)
    }),
  )
})

function problemsOf(given: Omit<ArgumentsCase, "name">): string[] {
  const result = read(given)
  if (result.kind !== "refused") throw new Error(JSON.stringify(result))
  return (result.error.details as { problems: string[] }).problems
}
