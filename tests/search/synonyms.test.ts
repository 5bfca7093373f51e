import { expect, test } from "bun:test"
import { synonymsOf } from "../../src/search/synonyms.ts"
import { stem } from "../../src/search/tokenize.ts"

test("words of one group stand for each other, in any form", () => {
  for (const [one, other] of [
    ["deleting", "remove"],
    ["folders", "directory"],
    ["repo", "repositories"],
  ] as const) {
    expect([...synonymsOf(stem(one)).keys()]).toContain(stem(other))
    expect([...synonymsOf(stem(other)).keys()]).toContain(stem(one))
  }
})

test("a spelling of the same thing counts more than a word that is only alike", () => {
  expect(synonymsOf("repo").get(stem("repository"))).toBeGreaterThan(synonymsOf("delet").get(stem("remove")) ?? 1)
})

test("no word stands for itself, and a word without synonyms has none", () => {
  expect(synonymsOf(stem("list")).has(stem("list"))).toBe(false)
  expect(synonymsOf("giraff").size).toBe(0)
  expect(synonymsOf("").size).toBe(0)
})
