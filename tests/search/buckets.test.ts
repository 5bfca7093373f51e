import { expect, test } from "bun:test"
import { fillBuckets, findPostings, termsBeside, termsIn } from "../../src/search/buckets.ts"

const terms = Array.from({ length: 700 }, (_, number) => `${"abcdefg"[number % 7]}${"xyz"[number % 3]}${number}`)
const postings = new Map([...terms, "a", "ab", "abc", "必应"].map((term) => [term, `P-${term}`]))

test("each term's postings are found, and no other's", () => {
  const buckets = fillBuckets(postings)
  expect(buckets.length).toBeGreaterThan(10)
  for (const [term, posting] of postings) expect(findPostings(buckets, term)).toBe(posting)
  for (const term of ["", "b", "abcd", "P-a", "必", "constructor"]) expect(findPostings(buckets, term)).toBe("")
})

test("terms that begin alike are beside each other", () => {
  const buckets = fillBuckets(postings)
  const alike = [...postings.keys()].filter((term) => term.startsWith("bx"))
  expect(termsBeside(buckets, "bxxx")).toEqual(expect.arrayContaining(alike))
})

test("no terms make one empty bucket", () => {
  expect(fillBuckets(new Map())).toEqual([""])
  expect(findPostings([""], "a")).toBe("")
})

test("all terms of the buckets are what was put in", () => {
  expect(new Map(fillBuckets(postings).flatMap(termsIn))).toEqual(new Map(postings))
})

test("a bucket that is no text holds nothing", () => {
  expect(findPostings([null] as unknown as string[], "a")).toBe("")
  expect(termsBeside([7] as unknown as string[], "a")).toEqual([])
})
