import { afterEach, beforeEach, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Catalog, Server } from "../../src/catalog.ts"
import { generateFiles } from "../../src/codegen/generate.ts"
import { readManifest } from "../../src/codegen/read-manifest.ts"
import { checkServers, updateServers } from "../../src/codegen/update.ts"
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

test("a tool that is added renames nobody, and one that was there keeps its file", async () => {
  const exportsOf = () => {
    const tools = Object.entries(readManifest(folder)?.servers.one?.tools ?? {})
    return Object.fromEntries(tools.map(([name, tool]) => [name, tool.export]))
  }
  await updateServers(folder, { servers: [server("one", "list-issues")] }, { runtime })
  const { write, remove } = await updateServers(
    folder,
    { servers: [server("one", "list_issues", "list-issues", "listIssues")] },
    { runtime },
  )
  expect(remove).toEqual([])
  expect(write).not.toContain("one/listIssues.ts")
  const all = exportsOf()
  expect(all["list-issues"]).toBe("listIssues")
  expect(new Set(Object.values(all)).size).toBe(3)
  await updateServers(folder, { servers: [server("one", "list_issues", "listIssues")] }, { runtime })
  expect(exportsOf()).toEqual({ list_issues: all.list_issues as string, listIssues: all.listIssues as string })
})

test("servers that differ in case keep their folders, whoever comes or gives no answer", async () => {
  await updateServers(folder, { servers: [server("github", "a")] }, { runtime })
  await updateServers(folder, { servers: [server("GitHub", "b")] }, { runtime, unreachable: ["github"] })
  const [upper, lower] = ["GitHub", "github"].map((name) => readManifest(folder)?.servers[name]?.directory as string)
  expect(lower).toBe("github")
  expect(upper).toMatch(/^GitHub_[0-9a-f]{6}$/)
  expect(readTree(folder).get("github/a.ts")).toContain('"github", "a"')
  expect(readTree(folder).get(`${upper}/b.ts`)).toContain('"GitHub", "b"')
  await updateServers(folder, { servers: [server("github", "a")] }, { runtime, unreachable: ["GitHub"] })
  expect(checkServers(folder, { servers: [server("GitHub", "b"), server("github", "a")] }, { runtime })).toMatchObject({
    write: [],
    remove: [],
  })
  // The other way round: who has never answered leaves no trace, but its name is not given away.
  await updateServers(folder, { servers: [] }, { runtime })
  await updateServers(folder, { servers: [server("github", "a")] }, { runtime, unreachable: ["GitHub"] })
  const first = readManifest(folder)?.servers.github?.directory
  await updateServers(folder, { servers: [server("GitHub", "b"), server("github", "a")] }, { runtime })
  expect(readManifest(folder)?.servers.github?.directory).toBe(first as string)
})

test("a manifest that somebody has changed gives nobody a name or a folder of its own choice", async () => {
  const given: Server = {
    ...server("one", "a", "b"),
    prompts: [{ name: "p" }],
    resourceTemplates: [{ uriTemplate: "r://{id}", name: "r" }],
  }
  const want = sorted(generateFiles({ servers: [given] }, { runtime }))
  const changes: [from: string | RegExp, to: string][] = [
    ['"export":"a"', '"export":"default"'],
    ['"export":"a"', '"export":"b"'],
    ['"export":"pPrompt"', '"export":"a"'],
    ['"export":"rResource"', '"export":"x; process.exit()"'],
    ['"file":"one/a.ts"', '"file":"../../a.ts"'],
    ['"directory":"one"', '"directory":".."'],
    [/"prompts":\{[^}]*\}\}/, '"prompts":null'],
    [/"tools":\{/, '"tools":1,"other":{'],
  ]
  for (const [from, to] of changes) {
    await updateServers(folder, { servers: [given] }, { runtime })
    expect(readTree(folder)).toEqual(want)
    const text = readFileSync(join(folder, "index.json"), "utf8")
    expect(text.replace(from, to)).not.toBe(text)
    writeFileSync(join(folder, "index.json"), text.replace(from, to))
    await updateServers(folder, { servers: [given] }, { runtime })
    expect(readTree(folder)).toEqual(want)
  }
  const text = readFileSync(join(folder, "index.json"), "utf8")
  writeFileSync(join(folder, "index.json"), text.replace('"directory":"one"', '"directory":".."'))
  await updateServers(folder, { servers: [] }, { runtime, unreachable: ["one"] })
  expect(readManifest(folder)?.servers).toEqual({})
})

test("prompts and resources come and go with their files", async () => {
  const plain = server("one", "a")
  const full: Server = { ...plain, prompts: [{ name: "p" }], resources: [{ uri: "r://1", name: "r" }] }
  await updateServers(folder, { servers: [plain] }, { runtime })
  const { write } = await updateServers(folder, { servers: [full] }, { runtime })
  expect(write).toEqual(["one/README.md", "one/index.ts", "one/prompts.ts", "one/resources.ts", "index.json"])
  rmSync(join(folder, "one/prompts.ts"))
  expect((await updateServers(folder, { servers: [full] }, { runtime })).write).toEqual(["one/prompts.ts"])
  const { remove } = await updateServers(folder, { servers: [plain] }, { runtime })
  expect(remove).toEqual(["one/prompts.ts", "one/resources.ts"])
  expect(readTree(folder)).toEqual(sorted(generateFiles({ servers: [plain] }, { runtime })))
})
