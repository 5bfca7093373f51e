import { expect, test } from "bun:test"
import { wordsOf } from "../../../src/operations/library/find-script.ts"

const cases = [
  { given: [], want: [] },
  { given: ["a b", "--c"], want: ["a b", "--c"] },
  { given: { url: "https://a.b/?c=d", limit: 5 }, want: ["--url=https://a.b/?c=d", "--limit=5"] },
  { given: { loud: true, fast: false }, want: ["--loud=true", "--fast=false"] },
  { given: { tags: ["a", "b,c"] }, want: ['--tags=["a","b,c"]'] },
  { given: { data: { a: [1] }, numbers: [1, 2] }, want: ['--data={"a":[1]}', "--numbers=[1,2]"] },
  { given: { absent: undefined, nothing: null, text: "--x" }, want: ["--text=--x"] },
]

for (const { given, want } of cases) {
  test(`arguments ${JSON.stringify(given)} become words`, () => expect(wordsOf(given)).toEqual(want))
}
