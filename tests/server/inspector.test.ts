// The Inspector's command line as a client that is not ours: lists the tools strictly, and calls every one.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { toolNames } from "../../src/server/surface.ts"
import { installPackage } from "../fixtures/installed.ts"
import { builtProgram } from "../fixtures/program.ts"
import { createProject, type Project, repository } from "../fixtures/project.ts"
import { type Listening, startHttp } from "./served.ts"

const inspector = installPackage({
  name: "@modelcontextprotocol/inspector@2.12.0",
  file: ".bin/mcp-inspector",
  variable: "MCP_EXEC_TEST_INSPECTOR",
})
const { isThere } = inspector

let project: Project
let server: Listening

beforeAll(async () => {
  project = createProject({ servers: { own: { type: "builtin", name: "echo" } } })
  await project.run(["discover", "init", "own"])
  if (isThere) server = await startHttp(project, { program: [builtProgram()] })
}, 120_000)
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  project[Symbol.dispose]()
  inspector[Symbol.dispose]()
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
      }, 120_000)

      test("calls every one of them", async () => {
        expect(Object.keys(calls).sort()).toEqual([...toolNames].sort())
        for (const [name, { args, want }] of Object.entries(calls)) {
          const words = ["tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)]
          const { result } = await inspect(way, era, words)
          expect({ name, failed: result.isError ?? false }).toEqual({ name, failed: false })
          expect(result.content[0].text).toContain(want)
        }
      }, 120_000)
    })
  }
}

async function inspect(way: string, era: string, [method = "", ...rest]: string[]) {
  const target = way === "HTTP" ? [server.url] : [builtProgram(), "serve"]
  const words = ["--cli", ...target, "--protocol-era", era, "--method", method, ...rest, "--format", "json", "-q"]
  const bin = join(repository, "node_modules/.bin")
  const child = Bun.spawn([join(bin, "node"), inspector.path(".bin/mcp-inspector"), ...words], {
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
