import { describe, expect, test } from "bun:test"
import { parse, problemsOf } from "./parse.ts"

describe("the limits of a server", () => {
  test("have defaults, and take what is given", () => {
    const defaults = { maxOutputTokens: 25_000, maxRuns: 4, maxWaiting: 32, callsPerMinute: 1200 }
    expect(parse({}).serve).toEqual(defaults)
    expect(parse({ serve: { maxRuns: 8 } }).serve).toEqual({ ...defaults, maxRuns: 8 })
  })

  for (const key of ["maxOutputTokens", "maxRuns", "maxWaiting", "callsPerMinute"]) {
    test(`must be whole numbers above 0: ${key}`, () => {
      for (const value of [0, -1, 1.5]) {
        const [problem, ...more] = problemsOf({ serve: { [key]: value } })
        expect(problem).toMatch(new RegExp(`^serve\\.${key}: found .*, allowed: a whole number above 0$`))
        expect(more).toEqual([])
      }
      expect(problemsOf({ serve: { [key]: "4" } })).toHaveLength(1)
    })
  }

  test("are an object, and a typo in it is told", () => {
    expect(problemsOf({ serve: true })).toEqual(["serve: found a boolean, allowed: an object"])
    expect(parse({ serve: { maxRun: 1 } }).warnings).toEqual([
      'mcp_config.json: serve.maxRun looks like a typo of "maxRuns"',
    ])
  })
})
