import { expect, test } from "bun:test"
import { openIndex } from "../../src/search/open-index.ts"
import { searchIndex } from "../../src/search/search.ts"
import { files, github, mail, segmentOf } from "./catalog.ts"

const segment = segmentOf(github, files, mail)

test("servers of several segments are found as if they were in one", () => {
  const apart = openIndex([segmentOf(mail), segmentOf(files, github)])
  for (const query of ["list", "file", "send a message", "sned a mesage"]) {
    const hits = searchIndex(apart, query)
    const score = ({ server, tool }: { server: string; tool: string }) => {
      return hits.find((hit) => hit.server === server && hit.tool === tool)?.score
    }
    const together = searchIndex(openIndex([segment]), query)
    expect(together.length).toBeGreaterThan(0)
    for (const hit of together) expect(score(hit)).toBeCloseTo(hit.score)
  }
})

test("a damaged segment, or one of another format, is left out and the others still answer", () => {
  const good = segmentOf({ ...files, name: "broken" })
  const [server] = good.servers
  const damaged: unknown[] = [
    null,
    "text",
    {},
    { ...good, format: 99 },
    { ...good, servers: "broken" },
    { ...good, servers: [null] },
    { ...good, servers: [{ ...server, tools: "read_file" }] },
    { ...good, servers: [{ ...server, tools: [1, 2] }] },
    { ...good, servers: [{ ...server, descriptions: undefined }] },
    { ...good, servers: [{ ...server, nameTerms: 7 }] },
    { ...good, buckets: undefined },
  ]
  for (const segmentOfOthers of damaged) {
    const index = openIndex([segment, segmentOfOthers])
    expect(index.servers.map(({ name }) => name)).toEqual(["filesystem", "github", "mail"])
    expect(searchIndex(index, "read file")[0]?.tool).toBe("read_file")
  }
})

test("buckets and postings that make no sense harm nobody", () => {
  const { servers, buckets, format } = segmentOf({ ...files, name: "junk" })
  const junk = buckets.map((bucket) => bucket.replace(/=\S+/g, "=_____zzzz~~é"))
  for (const broken of [junk, [], [null, 7], buckets.map(() => ({}))]) {
    const index = openIndex([segment, { format, servers, buckets: broken }])
    expect(searchIndex(index, "delete branch")[0]?.tool).toBe("delete_branch")
    expect(Array.isArray(searchIndex(index, "raed file"))).toBe(true)
  }
})

test("without segments there is nothing to find", () => {
  expect(searchIndex(openIndex([]), "list issues")).toEqual([])
})
