import { afterEach, beforeEach, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Catalog, Server } from "../../src/catalog.ts"
import { generateFiles } from "../../src/codegen/generate.ts"
import { checkServers, readManifest, updateServers } from "../../src/codegen/update.ts"
import { readTree, sorted } from "./trees.ts"
import { runtime } from "./typescript.ts"

const server = (name: string, ...tools: string[]): Server => ({
  name,
  tools: tools.map((tool) => ({ name: tool, description: `Does ${tool}.`, inputSchema: { type: "object" } })),
})
const catalog: Catalog = { servers: [server("one", "a", "b"), server("two", "c")] }

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "mcp-exec-update-")), "servers")
})
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }))

test("what is written is what is generated", async () => {
  await updateServers(folder, catalog, { runtime })
  expect(readTree(folder)).toEqual(sorted(generateFiles(catalog, { runtime })))
})

test("nothing is written when servers offer the same again", async () => {
  const first = await updateServers(folder, catalog, { runtime })
  const second = await updateServers(folder, catalog, { runtime })
  expect(second.write).toEqual([])
  expect(second.remove).toEqual([])
  expect(second.unchanged.length).toBeGreaterThanOrEqual(first.write.length - catalog.servers.length)
})

test("only the server that changed is written, and what it no longer has goes", async () => {
  await updateServers(folder, catalog, { runtime })
  const changed = { servers: [server("one", "b", "d"), server("two", "c")] }
  const { write, remove } = await updateServers(folder, changed, { runtime })
  expect(write).toEqual(["one/README.md", "one/d.ts", "one/index.ts", "index.json"])
  expect(remove).toEqual(["one/a.ts"])
  expect(readTree(folder)).toEqual(sorted(generateFiles(changed, { runtime })))
})

test("a server that gives no answer keeps its last good files", async () => {
  await updateServers(folder, catalog, { runtime })
  const before = readTree(folder)
  const rest = { servers: [server("one", "a", "b")] }
  await updateServers(folder, rest, { runtime, unreachable: ["two", "never-seen"] })
  expect(readTree(folder)).toEqual(before)
  expect(Object.keys(readManifest(folder)?.servers ?? {})).toEqual(["one", "two"])
})

test("a server that is no longer configured goes, but not its owner's helpers", async () => {
  await updateServers(folder, catalog, { runtime })
  writeFileSync(join(folder, "two/utils.ts"), "export const mine = 1\n")
  await updateServers(folder, { servers: [server("one", "a")] }, { runtime })
  expect(existsSync(join(folder, "two/c.ts"))).toBe(false)
  expect(existsSync(join(folder, "two/README.md"))).toBe(false)
  expect(readFileSync(join(folder, "two/utils.ts"), "utf8")).toBe("export const mine = 1\n")
})

test("files that somebody has changed or deleted are made again", async () => {
  await updateServers(folder, catalog, { runtime })
  writeFileSync(join(folder, "one/a.ts"), "broken")
  rmSync(join(folder, "two/index.ts"))
  const plan = checkServers(folder, catalog, { runtime })
  expect(plan.write).toEqual(["one/a.ts", "two/index.ts"])
  expect(readFileSync(join(folder, "one/a.ts"), "utf8")).toBe("broken")
  await updateServers(folder, catalog, { runtime })
  expect(readTree(folder)).toEqual(sorted(generateFiles(catalog, { runtime })))
})

test("a manifest that cannot be read is no memory, and no obstacle", async () => {
  for (const text of ["", "null", '{"format":1,"servers":{"one":null,"two":{}}}', '{"format":2}']) {
    await updateServers(folder, catalog, { runtime })
    writeFileSync(join(folder, "index.json"), text)
    await updateServers(folder, catalog, { runtime })
    expect(readTree(folder)).toEqual(sorted(generateFiles(catalog, { runtime })))
  }
})
