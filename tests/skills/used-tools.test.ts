import { expect, test } from "bun:test"
import { type KnownServer, type KnownServers, serverFolder, usedTools } from "../../src/skills/used-tools.ts"

const tool = (name: string) => ({ export: name, hash: "0", file: `${name}.ts` })
const servers: KnownServers = new Map<string, KnownServer>([
  [
    "git hub",
    { directory: "git-hub", tools: { list_issues: tool("listIssues"), constructor: tool("constructorTool") } },
  ],
  ["files", { directory: "files", tools: { read: tool("read") } }],
  ["dotted.name", { directory: "dotted", tools: { a: tool("a") } }],
])
const used = (code: string): string[] => usedTools(code, servers).map((each) => `${each.server} ${each.tool}`)

test("the tools of a script are found by their wrappers", () => {
  expect(used('import { listIssues as list, type X } from "../servers/git-hub/index.ts"')).toEqual([
    "git hub list_issues",
  ])
  expect(used('import { read } from "#servers/files"')).toEqual(["files read"])
  expect(used('import { read } from "./servers/files/read.ts"')).toEqual(["files read"])
  expect(used('import * as f from "#servers/files"\nawait f.read({})\nx.f.read()')).toEqual(["files read"])
  expect(used('import { nothing } from "#servers/files"\nimport { x } from "#servers/none"')).toEqual([])
})

test("the tools of a script are found where it requires their wrappers", () => {
  expect(used('const { listIssues: list, other } = require("../servers/git-hub/index.ts")')).toEqual([
    "git hub list_issues",
  ])
  expect(used('const files = require("#servers/files")\nfiles.read({})')).toEqual(["files read"])
  expect(used('const { read } = await import("#servers/files")')).toEqual(["files read"])
  expect(used('const { nothing } = require("#servers/files")\nconst x = require("fs")\nx.read()')).toEqual([])
})

test("the tools of a script are found by their names in calls", () => {
  expect(used('await callTool("files", "read", {})')).toEqual(["files read"])
  expect(used('await callTool<X>("files.read")')).toEqual(["files read"])
  expect(used("callTool('files__read'); callTool('dotted.name.a'); callTool('other/x')")).toEqual([
    "files read",
    "dotted.name a",
    "other x",
  ])
  expect(
    used(
      '// callTool("files", "read")\nconst a = \'callTool("files.read")\'; my.callTool("files.read"); callTool(name)',
    ),
  ).toEqual([])
})

test("only what leads into servers/ is a server's folder", () => {
  expect(serverFolder("../../servers/a/index.ts")).toBe("a")
  expect(serverFolder("#servers/a")).toBe("a")
  for (const other of ["./servers/index.json", "my-servers/a/index.ts", "#servers", "servers"]) {
    expect(serverFolder(other)).toBeUndefined()
  }
})
