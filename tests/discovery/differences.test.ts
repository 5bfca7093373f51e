import { describe, expect, test } from "bun:test"
import { differencesFrom } from "../../src/discovery/differences.ts"
import { addSample, emptyShape, type ToolShape } from "../../src/discovery/shape.ts"
import { settleWords } from "../../src/discovery/words.ts"

function shapeOf(samples: readonly unknown[]): ToolShape {
  const shape = emptyShape()
  for (const [at, sample] of samples.entries()) addSample(shape, { at }, sample)
  return shape
}

const states = [1, 2, 3].map(() => ({
  list: Array.from({ length: 30 }, (_, at) => ({ state: ["open", "closed"][at % 2] })),
}))

describe("results that no longer fit", () => {
  const cases: { name: string; known: unknown[]; now: unknown; want: string[] }[] = [
    { name: "the same again", known: [{ a: 1 }, { a: 2 }], now: { a: 3 }, want: [] },
    { name: "a new member", known: [{ a: 1 }, { a: 2 }], now: { a: 1, b: 1 }, want: ["b is new"] },
    {
      name: "a member that is gone",
      known: [
        { a: 1, b: 1 },
        { a: 2, b: 2 },
      ],
      now: { a: 1 },
      want: ["b may be missing"],
    },
    { name: "a member that was optional anyway", known: [{ a: 1, b: 1 }, { a: 2 }], now: { a: 1 }, want: [] },
    { name: "a member that is gone after one sample", known: [{ a: 1, b: 1 }], now: { a: 1 }, want: [] },
    { name: "another type", known: [{ a: 1 }, { a: 2 }], now: { a: "x" }, want: ["a is a string, was a number"] },
    {
      name: "another type at the top",
      known: ["x", "y"],
      now: { a: 1 },
      want: ["the result is an object, was a string"],
    },
    { name: "null", known: [{ a: 1 }, { a: 2 }], now: { a: null }, want: ["a may be null"] },
    { name: "anything where only null was known", known: [{ a: null }, { a: null }], now: { a: [1] }, want: [] },
    { name: "anything where nothing was known", known: [{ a: [] }, { a: [] }], now: { a: [{ b: 1 }] }, want: [] },
    {
      name: "a place below arrays",
      known: [[[{ a: 1 }]], [[{ a: 1 }]]],
      now: [[{ a: true }]],
      want: ["[][].a is a boolean, was a number"],
    },
    { name: "a map with other keys", known: [{ "1": 1 }, { "2": 2 }], now: { "3": 3, x: 4 }, want: [] },
    {
      name: "a map with other values",
      known: [{ "1": 1 }, { "2": 2 }],
      now: { "3": "x" },
      want: ["* is a string, was a number"],
    },
    { name: "members that somebody has chosen", known: [{ a: 1 }, { b: 1 }], now: { c: 1, "1": 2 }, want: [] },
    {
      name: "another type of a member that somebody has chosen",
      known: [{ a: 1 }, { b: 1 }],
      now: { a: "x", c: 1 },
      want: ["a is a string, was a number"],
    },
    { name: "a word of an enum", known: states, now: { list: [{ state: "open" }] }, want: [] },
    {
      name: "a new word of an enum",
      known: states,
      now: { list: [{ state: "merged" }] },
      want: ["list[].state has a value that was not known"],
    },
  ]
  for (const { name, known, now, want } of cases) {
    test(`${name}: ${want.join(", ") || "fits"}`, () => {
      const before = shapeOf(known)
      settleWords(before)
      expect(differencesFrom(before, shapeOf([now]))).toEqual(want)
    })
  }

  test("are told in at most twenty lines, and never with a value", () => {
    const now = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`key${"x".repeat(at)}`, "hunter2"]))
    const differences = differencesFrom(shapeOf([{ a: 1 }, { a: 2 }]), shapeOf([now]))
    expect(differences).toHaveLength(20)
    expect(differences.join()).not.toContain("hunter2")
  })
})
