import { expect, test } from "bun:test"
import { openIndex } from "../../src/search/open-index.ts"
import { searchIndex } from "../../src/search/search.ts"
import { indexServer, type ServerSection } from "../../src/search/section.ts"
import { files, github, mail } from "./catalog.ts"

const sections = new Map([github, files, mail].map((server) => [server.name, indexServer(server)]))

test("the order of sections does not matter", () => {
  const reversed = [...sections].reverse()
  for (const query of ["list", "file", "send a message"]) {
    expect(searchIndex(openIndex(reversed), query)).toEqual(searchIndex(openIndex(sections), query))
  }
})

test("a damaged section, or one of another format, is left out and the others still answer", () => {
  const good = indexServer(files)
  const damaged: unknown[] = [
    null,
    "text",
    {},
    { ...good, format: 99 },
    { ...good, tools: "read_file" },
    { ...good, tools: [1, 2] },
    { ...good, buckets: undefined },
    { ...good, buckets: [null] },
    { ...good, name: 7 },
  ]
  for (const section of damaged) {
    const index = openIndex([...sections, ["broken", section as ServerSection]])
    expect(index.servers.map(({ name }) => name)).toEqual(["filesystem", "github", "mail"])
    expect(searchIndex(index, "read file")[0]?.tool).toBe("read_file")
  }
})

test("postings that make no sense harm nobody", () => {
  const section = indexServer(files)
  const junk = section.buckets.map((bucket) => bucket.replace(/=\S+/g, "=_____zzzz~~é"))
  const index = openIndex([...sections, ["junk", { ...section, buckets: junk }]])
  expect(searchIndex(index, "delete branch")[0]?.tool).toBe("delete_branch")
  expect(Array.isArray(searchIndex(index, "read file"))).toBe(true)
})

test("without sections there is nothing to find", () => {
  expect(searchIndex(openIndex(new Map()), "list issues")).toEqual([])
})
