import { describe, expect, test } from "bun:test"
import { parseQuery } from "../../src/search/query.ts"
import { numberWeight, quotedWeight } from "../../src/search/weights.ts"

describe("the terms of a query", () => {
  const cases: { name: string; given: string; want: Record<string, number> }[] = [
    { name: "leave out how it is asked", given: "Could you please show me the issues?", want: { issu: 1 } },
    { name: "are stop words when there is nothing else", given: "help", want: { help: 1 } },
    {
      name: "count less when quoted",
      given: "find 'red cats'",
      want: { find: 1, red: quotedWeight, cat: quotedWeight },
    },
    { name: "count less when numbers", given: "page 12", want: { page: 1, "12": numberWeight } },
    { name: "name the kind of a path", given: "open /tmp/notes", want: { open: 1, directori: 1, path: 1 } },
    { name: "name the type of a file", given: "open ~/a/b.csv.", want: { open: 1, file: 1, path: 1, csv: 0.7 } },
    { name: "name the kind of an address", given: "write to joe@example.com", want: { write: 1, email: 1 } },
    { name: "leave out encoded data", given: `decode ${"QUJD".repeat(50)}`, want: { decod: 1 } },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => expect(Object.fromEntries(parseQuery(given).terms)).toEqual(want))
  }
})

test("a query falls into clauses at the ends of sentences, at commas and at words that join", () => {
  const { clauses } = parseQuery("Find cheap flights, book a hotel and rent cars. Also check visas")
  expect(clauses.map((clause) => [...clause.keys()])).toEqual([
    ["find", "cheap", "flight"],
    ["book", "hotel"],
    ["rent", "car"],
    ["check", "visa"],
  ])
})

test("the full stop after a path ends the clause", () => {
  const { clauses } = parseQuery("Read /tmp/a.csv. Draw charts")
  expect(clauses.map((clause) => [...clause.keys()])).toEqual([
    ["read", "file", "path", "csv"],
    ["draw", "chart"],
  ])
})

test("a clause of nothing but values is none", () => {
  expect(parseQuery("compare, 'red', 17").clauses).toHaveLength(1)
})

test("words that stand together may be one word elsewhere", () => {
  expect(parseQuery("zip code").joined.get("zip")).toEqual(["zipcod"])
  expect(parseQuery("zip code").joined.get("code")).toEqual(["zipcod"])
})
