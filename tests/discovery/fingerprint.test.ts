import { describe, expect, test } from "bun:test"
import { fingerprintOf } from "../../src/discovery/fingerprint.ts"

describe("a fingerprint", () => {
  const same: { name: string; values: [unknown, unknown] }[] = [
    {
      name: "other values",
      values: [
        { a: 1, b: ["x"] },
        { a: 2, b: ["y"] },
      ],
    },
    {
      name: "members in another order",
      values: [
        { a: 1, b: "x" },
        { b: "x", a: 1 },
      ],
    },
    {
      name: "items in another order",
      values: [
        [1, "x", { a: 1 }],
        [{ a: 1 }, 1, "x"],
      ],
    },
  ]
  for (const { name, values } of same) {
    test(`is the same for ${name}`, () => expect(fingerprintOf({}, values[0])).toBe(fingerprintOf({}, values[1])))
  }

  test("is another for whatever else differs", () => {
    const values = [null, true, 1, "x", [], {}, [1], [1, 1], [[1]], [[1], 1], { a: 1 }, { b: 1 }, { a: [1] }, { a: {} }]
    const nested = [{ a: { b: 1 } }, { a: { c: 1 } }, { a: 1, b: {} }, { b: 1, a: {} }, { a: {}, b: {} }]
    const found = [...values, ...nested].flatMap((value) => [fingerprintOf({}, value), fingerprintOf({ n: 1 }, value)])
    expect(new Set(found).size).toBe(found.length)
  })

  test("has eight digits, however large or deep the result is", () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    for (const value of [deep, "x".repeat(1e6), Array.from({ length: 1e5 }, () => ({ a: 1 }))]) {
      expect(fingerprintOf(undefined, value)).toMatch(/^[0-9a-f]{8}$/)
    }
  })
})
