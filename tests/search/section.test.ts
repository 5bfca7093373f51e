import { expect, test } from "bun:test"
import type { Server } from "../../src/catalog.ts"
import { openIndex } from "../../src/search/open-index.ts"
import { searchIndex } from "../../src/search/search.ts"
import { indexServer } from "../../src/search/section.ts"
import { files, github, indexOf, server, tool } from "./catalog.ts"

test("the same server gives the same section, and its catalog is not changed", () => {
  const before = JSON.stringify(github)
  const first = JSON.stringify(indexServer(github))
  expect(JSON.stringify(indexServer(structuredClone(github)))).toBe(first)
  expect(JSON.stringify(github)).toBe(before)
})

test("a section finds the same after it was stored as JSON", () => {
  const stored = JSON.parse(JSON.stringify({ github: indexServer(github), filesystem: indexServer(files) }))
  const hits = searchIndex(indexOf(github, files), "comments on an issue")
  expect(hits.length).toBeGreaterThan(2)
  expect(searchIndex(openIndex(Object.entries(stored)), "comments on an issue")).toEqual(hits)
})

test("everything that a query needs is in it: titles, parameters at any depth, choices, the server", () => {
  const { tools } = server("s", { ...tool("alpha"), title: "Quarterly review" }, tool("beta"), tool("gamma"))
  const nested = { type: "object", properties: { invoice: { description: "Payment terms", enum: ["prepaid"] } } }
  const beta = { ...tool("beta"), inputSchema: { properties: { orders: { type: "array", items: nested } } } }
  const all: Server = { name: "ledger", description: "Bookkeeping for bakeries", tools: [...tools.slice(0, 1), beta] }
  const index = indexOf(all, server("other", tool("gamma"), tool("delta")))
  const first = (query: string) => searchIndex(index, query)[0]?.tool
  expect(first("quarterly reviews")).toBe("alpha")
  for (const query of ["order", "invoices", "terms of payment", "prepaid"]) expect(first(query)).toBe("beta")
  for (const query of ["ledger", "bakery"]) {
    expect(searchIndex(index, query).map((hit) => hit.server)).toEqual(["ledger", "ledger"])
  }
})

test("a compound name is found by the words that its description has", () => {
  const description = "How many questions were solved, in total"
  const index = indexOf(server("s", tool("leetstats", description), tool("gettotalsolved", description)))
  expect(searchIndex(index, "total solved").map((hit) => hit.tool)).toEqual(["gettotalsolved", "leetstats"])
})

test("odd schemas and a server without tools are indexed too", () => {
  const odd: unknown[] = [{}, { properties: null }, { properties: { a: true, b: null } }, { anyOf: "x", items: [1] }]
  const tools = odd.map((schema, place) => ({
    ...tool(`odd_${place}`),
    inputSchema: schema as Record<string, unknown>,
  }))
  const index = indexOf(server("odd", ...tools), server("empty"))
  expect(searchIndex(index, "odd")).toHaveLength(odd.length)
})

test("a section stays small when a description is long", () => {
  const long = tool("essay", Array.from({ length: 50_000 }, (_, number) => `word${number}`).join(" "))
  expect(JSON.stringify(indexServer(server("s", long))).length).toBeLessThan(10_000)
})
