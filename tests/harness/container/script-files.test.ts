import { afterAll, describe, expect, test } from "bun:test"
import { symlinkSync } from "node:fs"
import { relative } from "node:path"
import { collectScriptFiles } from "../../../src/harness/container/script-files.ts"
import { createProject } from "../../fixtures/project.ts"

const outside = createProject({ files: { "secret.ts": "export const secret = 1" } })
const project = createProject({
  files: {
    "mcp_config.json": '{"mcpServers": {}}',
    "package.json": '{"type": "module"}',
    ".env": "SECRET=1",
    ".hidden/a.ts": "",
    "data.json": "{}",
    "a.ts": 'import "./lib/b"\nexport * from "./lib/c.js"\nconst d = await import("./lib/d.ts")\nrequire("./lib")',
    "lib/b.ts": 'import "../a.ts"',
    "lib/c.ts": 'import "./e.mjs"',
    "lib/d.ts": "",
    "lib/e.mjs": "",
    "lib/index.ts": "",
    "lib/unused.ts": "",
    "skills/s.ts": 'import "../lib/d.ts"',
    "hostile.ts": `import "./mcp_config.json"; import "./.env"; import "./data.json"; import "./.hidden/a.ts"
      import "../../../etc/passwd"; import "${relative(".", "./")}../secret.ts"; import "./link.ts"; import "./env.ts"
      import "./missing.ts"; import "/etc/passwd"; import "./lib"`,
    "odd name.txt": 'import "./lib/d.ts"',
  },
})
symlinkSync(outside.path("secret.ts"), project.path("link.ts"))
symlinkSync(project.path(".env"), project.path("env.ts"))
afterAll(() => {
  project[Symbol.dispose]()
  outside[Symbol.dispose]()
})

function collect(name: string, mounted: string[] = []) {
  const root = project.directory
  const files = collectScriptFiles(
    { kind: "file", path: project.path(name) },
    { root, mounted: mounted.map((folder) => project.path(folder)) },
  )
  return files.map(({ path }) => relative(root, path)).sort()
}

describe("a script brings along", () => {
  test("itself, what it imports, what that imports, and the settings of the project", () => {
    expect(collect("a.ts")).toEqual([
      ...["a.ts", "lib/b.ts", "lib/c.ts", "lib/d.ts", "lib/e.mjs", "lib/index.ts", "package.json"],
    ])
  })

  test("no data, nothing hidden, nothing from elsewhere, whatever it says", () => {
    expect(collect("hostile.ts")).toEqual(["hostile.ts", "lib/index.ts", "package.json"])
  })

  test("not what is there anyway, but what that imports", () => {
    expect(collect("skills/s.ts", ["skills"])).toEqual(["lib/d.ts", "package.json"])
  })

  test("itself whatever it is called", () => {
    expect(collect("odd name.txt")).toEqual(["lib/d.ts", "odd name.txt", "package.json"])
  })

  test("what code that has no file imports", () => {
    const script = { kind: "code" as const, code: 'import "./lib/d.ts"', name: project.path("[eval].ts") }
    const files = collectScriptFiles(script, { root: project.directory, mounted: [] })
    expect(files.map(({ path }) => relative(project.directory, path))).toEqual(["package.json", "lib/d.ts"])
  })
})

test("a script that brings too much is refused", () => {
  using large = createProject({
    files: { "a.ts": `//${" ".repeat(9 << 20)}\nimport "./b.ts"`, "b.ts": " ".repeat(9 << 20) },
  })
  const script = { kind: "file" as const, path: large.path("a.ts") }
  expect(() => collectScriptFiles(script, { root: large.directory, mounted: [] })).toThrow(
    "more than the sandbox takes along",
  )
})
