import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Server } from "../../src/catalog.ts"
import { readManifest } from "../../src/codegen/read-manifest.ts"
import { updateServers } from "../../src/codegen/update.ts"
import { readDiscovered } from "../../src/operations/read-discovered.ts"

const runtime = "export {}\n"
const server = (...tools: string[]): Server => ({
  name: "one",
  tools: tools.map((name) => ({ name, description: "", inputSchema: { type: "object" } })),
})

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "mcp-exec-discovered-")), "servers")
})
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }))

test("a discovered type stays with its tool when one comes that has a better claim to the name", async () => {
  await updateServers(folder, { servers: [server("list-issues")] }, { runtime })
  writeFileSync(join(folder, "one/types.discovered.ts"), "export type ListIssuesResult = string[]\n")
  const both = server("list-issues", "list_issues")
  const discovered = readDiscovered(folder, [both])
  expect(discovered).toEqual(new Map([["one", new Set(["list-issues"])]]))
  await updateServers(folder, { servers: [both] }, { runtime, discovered })
  const tools = readManifest(folder)?.servers.one?.tools ?? {}
  expect(Object.entries(tools).map(([name, { result }]) => [name, result])).toEqual([
    ["list-issues", "discovered"],
    ["list_issues", "unknown"],
  ])
  expect(readFileSync(join(folder, "one/listIssues.ts"), "utf8")).toContain('"one", "list-issues"')
  expect(readDiscovered(folder, [both])).toEqual(discovered)
})

test("servers without discovered types, and a folder that is not there, have none", async () => {
  expect(readDiscovered(folder, [server("a")])).toEqual(new Map())
  await updateServers(folder, { servers: [server("a")] }, { runtime })
  expect(readDiscovered(folder, [server("a")])).toEqual(new Map())
  for (const entry of [
    null,
    1,
    { directory: 5 },
    { directory: "one", tools: null },
    { directory: "one", tools: [1] },
  ]) {
    writeFileSync(join(folder, "index.json"), JSON.stringify({ format: 1, servers: { one: entry } }))
    writeFileSync(join(folder, "one/types.discovered.ts"), "export interface AResult {}\n")
    expect(readDiscovered(folder, [server("a")])).toEqual(new Map([["one", new Set(["a"])]]))
  }
})
