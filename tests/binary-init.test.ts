// The first minute with the program as it is shipped: one file, an empty folder, nothing else installed.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { builtProgram } from "./fixtures/program.ts"
import { createProject, type Project } from "./fixtures/project.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-binary-init-"))
const binary = join(root, "mcp-exec")
let project: Project

beforeAll(() => {
  copyFileSync(builtProgram(), binary)
  project = createProject()
}, 120_000)
afterAll(() => {
  project[Symbol.dispose]()
  rmSync(root, { recursive: true })
})

const run = (...args: string[]) => project.run(args, { program: [binary], env: { PATH: "/usr/bin:/bin" } })

test("init, ls, cat, call and exec work one after the other", async () => {
  const init = await run("init", "--agent", "claude")
  expect(init).toMatchObject({ code: 0, stderr: "" })
  expect(init.stdout).toMatch(/^created +skills\/search-files.ts$/m)

  const ls = await run("ls")
  expect(ls.stdout).toContain("search-files")
  expect(ls.stdout).toContain("filesystem")
  expect((await run("cat", "filesystem.write_file")).stdout).toContain("content: string")
  const call = await run("call", "filesystem.write_file", "path=a.txt", "content=a needle")
  expect(call.code).toBe(0)

  expect((await run("cat", "search-files")).stdout).toContain("pattern")
  const skill = await run("exec", "search-files", "--pattern", "needle")
  expect(skill).toMatchObject({ code: 0 })
  expect(skill.stdout).toContain("a.txt")
}, 120_000)

test("a script finds #servers/ through package.json, and without it", async () => {
  project.write({
    "scripts/count.ts": `import { readGraph } from "#servers/memory"
      console.log((await readGraph()).entities.length)`,
  })
  expect(await run("exec", "scripts/count.ts")).toEqual({ code: 0, stdout: "0\n", stderr: "" })
  for (const name of ["package.json", "tsconfig.json", "deno.json"]) rmSync(project.path(name))
  expect(await run("exec", "scripts/count.ts")).toEqual({ code: 0, stdout: "0\n", stderr: "" })
}, 120_000)
