import { expect, test } from "bun:test"
import type { Server } from "../../src/catalog.ts"
import { openIndex } from "../../src/search/open-index.ts"
import { searchIndex } from "../../src/search/search.ts"
import { indexServer, joinServers, type Segment, takeApart } from "../../src/search/segment.ts"
import { files, github, indexOf, mail, segmentOf, server, tool } from "./catalog.ts"

test("the same servers give the same segment in any order, and their catalog is not changed", () => {
  const before = JSON.stringify(github)
  expect(JSON.stringify(segmentOf(structuredClone(github), files, mail))).toBe(
    JSON.stringify(segmentOf(mail, github, files)),
  )
  expect(JSON.stringify(github)).toBe(before)
})

test("a segment finds the same after it was stored as JSON", () => {
  const stored = JSON.parse(JSON.stringify(segmentOf(github, files)))
  const hits = searchIndex(indexOf(github, files), "comments on an issue")
  expect(hits.length).toBeGreaterThan(2)
  expect(searchIndex(openIndex([stored]), "comments on an issue")).toEqual(hits)
})

test("a segment that was taken apart and joined again is the same, with others between and without some", () => {
  const pair = segmentOf(github, mail)
  expect(joinServers(takeApart(pair))).toEqual(pair)
  expect(joinServers([...takeApart(pair), indexServer(files)])).toEqual(segmentOf(files, github, mail))
  const [first] = takeApart(pair)
  expect(joinServers(first === undefined ? [] : [first])).toEqual(segmentOf(github))
})

test("what is damaged in a segment is not taken along", () => {
  const segment = segmentOf(files)
  const damaged = [null, " =", " word", " read=~~~~zzzz", ...segment.buckets] as Segment["buckets"]
  const parts = takeApart({ ...segment, buckets: damaged })
  expect(parts.map((part) => part.server.name)).toEqual(["filesystem"])
  expect(parts[0]?.weights.map((terms) => [...terms.values()].every(Number.isFinite))).toEqual([true, true, true, true])
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

test("a segment stays small when a description is long", () => {
  const long = tool("essay", Array.from({ length: 50_000 }, (_, number) => `word${number}`).join(" "))
  expect(JSON.stringify(segmentOf(server("s", long)).buckets).length).toBeLessThan(10_000)
})
