// The Inspector's command line as a client that is not ours: lists the tools strictly, and calls every one. Its
// dependencies do not go with ours, so it is installed beside them; that takes a while, and the registry.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { toolNames } from "../../src/server/surface.ts"
import { builtProgram } from "../fixtures/program.ts"
import { createProject, type Project, repository } from "../fixtures/project.ts"
import { type Listening, startHttp } from "./served.ts"

const version = "2.12.0"
const folder = mkdtempSync(join(tmpdir(), "mcp-exec-inspector-"))
const inspector = join(folder, "node_modules/.bin/mcp-inspector")
const isCi = process.env.CI === "true"
const isWanted = isCi || process.env.MCP_EXEC_TEST_INSPECTOR === "1"
const isThere = isWanted && install()
if (!isThere) console.warn("\n*** SKIPPED: the Inspector is not tried; set MCP_EXEC_TEST_INSPECTOR=1 ***\n")

let project: Project
let server: Listening

beforeAll(async () => {
  project = createProject({ servers: { own: { type: "builtin", name: "echo" } } })
  await project.run(["discover", "init", "own"])
  if (isThere) server = await startHttp(project, { program: [builtProgram()] })
}, 60_000)
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  project[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
})

const calls: Record<string, { args: object; want: string }> = {
  generate_wrappers: { args: { check: false }, want: "own: 4 tools" },
  search_tools: { args: { query: "add numbers" }, want: "own.add" },
  execute_script: { args: { code: "6 * 7" }, want: "42" },
  discover_schemas: { args: { tools: ["own.echo"] }, want: "own.echo" },
}

for (const way of ["stdio", "HTTP"]) {
  for (const era of ["legacy", "modern"]) {
    describe.skipIf(!isThere)(`the Inspector over ${way}, in the ${era} era,`, () => {
      test("finds nothing wrong with the tools", async () => {
        const { result } = await inspect(way, era, ["tools/list", "--strict"])
        expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([...toolNames])
      }, 30_000)

      test("calls every one of them", async () => {
        expect(Object.keys(calls).sort()).toEqual([...toolNames].sort())
        for (const [name, { args, want }] of Object.entries(calls)) {
          const words = ["tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)]
          const { result } = await inspect(way, era, words)
          expect({ name, failed: result.isError ?? false }).toEqual({ name, failed: false })
          expect(result.content[0].text).toContain(want)
        }
      }, 60_000)
    })
  }
}

async function inspect(way: string, era: string, [method = "", ...rest]: string[]) {
  const target = way === "HTTP" ? [server.url] : [builtProgram(), "serve"]
  const words = ["--cli", ...target, "--protocol-era", era, "--method", method, ...rest, "--format", "json", "-q"]
  const bin = join(repository, "node_modules/.bin")
  const child = Bun.spawn([join(bin, "node"), inspector, ...words], {
    cwd: project.directory,
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: project.directory, MCP_EXEC_CACHE_DIR: project.path(".cache") },
    stdout: "pipe",
    stderr: "pipe",
  })
  const texts = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  const [stdout, stderr, code] = await texts
  expect({ code, said: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, said: "" })
  if (method === "tools/list") expect(stderr).not.toContain("Warning: tool")
  return JSON.parse(stdout)
}

/** False when the registry cannot be reached, which CI does not accept. */
function install(): boolean {
  const words = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  const { exitCode, stderr } = Bun.spawnSync(["npm", ...words, `@modelcontextprotocol/inspector@${version}`], {
    stdout: "ignore",
    stderr: "pipe",
  })
  if (exitCode === 0 && existsSync(inspector)) return true
  if (isCi) throw new Error(`the Inspector cannot be installed: ${stderr}`)
  console.warn(`the Inspector cannot be installed: ${stderr}`)
  return false
}
