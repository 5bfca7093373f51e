import { expect, test } from "bun:test"
import fc from "fast-check"
import { packPostings, unpackPostings } from "../../src/search/postings.ts"

test("which tools have a term survives packing exactly, their weights nearly", () => {
  const tools = fc.uniqueArray(fc.integer({ min: 0, max: 9_999 }), { maxLength: 50 })
  fc.assert(
    fc.property(tools, fc.double({ min: 0.05, max: 4, noNaN: true }), (numbers, weight) => {
      const sorted = numbers.toSorted((a, b) => a - b)
      const weights = new Float64Array(10_100)
      const having: number[] = []
      unpackPostings(packPostings(sorted.flatMap((number) => [number, weight])), 100, weights, having)
      expect(having).toEqual(sorted.map((number) => number + 100))
      const saturated = (value: number) => value / (value + 1)
      for (const place of having) expect(saturated(weights[place] ?? 0)).toBeCloseTo(saturated(weight), 1.8)
    }),
  )
})

test("a posting is a few characters that JSON does not escape", () => {
  const packed = packPostings(Array.from({ length: 100 }, (_, tool) => [tool * 3, 0.7]).flat())
  expect(packed).toMatch(/^[\w-]{200}$/)
})
