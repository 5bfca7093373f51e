// The npm package as its users have it: packed, installed in a fresh folder, used under Bun, Deno and Node.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { version } from "../../src/version.ts"
import { repository } from "../fixtures/project.ts"

const bin = join(repository, "node_modules/.bin")
const installs = {
  npm: ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"],
  bun: [join(bin, "bun"), "add"],
}
const runtimes = {
  Bun: { install: installs.bun, run: [join(bin, "bun"), "run"] },
  Deno: { install: installs.npm, run: [join(bin, "deno"), "run", "-A"] },
  Node: { install: installs.npm, run: [join(bin, "node")] },
}

const directory = mkdtempSync(join(tmpdir(), "mcp-exec-package-"))
const tarball = join(directory, `mcp-exec-${version}.tgz`)
afterAll(() => rmSync(directory, { recursive: true }))

beforeAll(async () => {
  await succeed([join(bin, "bun"), join(repository, "scripts/build-package.ts"), join(directory, "built")], repository)
  await succeed(["npm", "pack", "./built", "--loglevel=error"], directory)
}, 120_000)

const use = `import { callTool, createMcpExec } from "mcp-exec"
import { createMcpExec as sameByOtherName } from "mcp-exec/library"

const servers = { echo: { type: "builtin", name: "echo" }, files: { type: "builtin", name: "filesystem", args: ["."] } }
const other = await createMcpExec({ config: { mcpServers: {} } })
const mcp = await createMcpExec({ config: { mcpServers: servers } })
const seen = {}
seen.oneModule = createMcpExec === sameByOtherName
seen.call = await mcp.callTool("echo.add", { a: 1, b: 2 })
seen.child = (await mcp.callTool("files.list_directory", { path: "." })).content.includes("use.mjs")
seen.generated = (await mcp.generate()).servers.map(({ name, ok }) => [name, ok])
const typescript = \`import { callTool } from "mcp-exec"
import { add } from "./servers/echo/index.ts"
enum Kind { first = 4 }
const { sum } = await add({ a: Kind.first as number, b: 1 })
console.log(JSON.stringify([sum, await callTool("echo.echo", { x: 1 }), "createMcpExec" in await import("mcp-exec"), process.argv.slice(2)]))\`
const streamed = []
const ran = await mcp.exec({ code: typescript, args: ["--a", "b"], onOutput: ({ text }) => streamed.push(text) })
seen.run = [ran.ok, ran.stderr, JSON.parse(ran.stdout), streamed.join("") === ran.stdout, ran.toolCalls.length]
const failed = await mcp.exec({ code: "const a: number = 1\\n\\nthrow new TypeError('boom ' + a)" })
seen.failed = [failed.ok, failed.error.code, failed.error.message, /:3:\\d+/.test(failed.stderr)]
seen.skill = (await mcp.exec({ skill: "hello", args: { who: "all" } })).stdout
const aborted = await mcp.exec({ code: "setInterval(() => {}, 1000)", signal: AbortSignal.timeout(500) })
seen.aborted = aborted.error.code
seen.search = (await mcp.search("add two numbers")).hits[0].name
const serving = await mcp.serve({ port: 0 })
const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } }
const greeting = await fetch(serving.url, {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
})
seen.served = [greeting.status, (await greeting.text()).includes('"name":"mcp-exec"')]
await serving.close()
seen.other = (await other.listServers()).servers
seen.outside = await callTool("echo.add", {}).catch(({ code }) => code)
seen.refused = await mcp.exec({ file: "none.ts" }).catch(({ name, code, hint }) => [name, code, typeof hint])
await Promise.all([mcp.close(), other.close()])
seen.closed = await mcp.callTool("echo.add", {}).catch(({ code }) => code)
console.log(JSON.stringify(seen))
`

const hello = `import { arg, skill } from "mcp-exec"
const args = { who: arg.string({ required: true }) }
export default skill({ name: "hello", description: "Says hello", args }, ({ who }) => \`hello \${who}\`)
`

describe("the installed package", () => {
  for (const [name, { install, run }] of Object.entries(runtimes)) {
    const folder = join(directory, name)
    test(`works under ${name}`, async () => {
      mkdirSync(join(folder, "skills"), { recursive: true })
      writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "fresh", private: true, type: "module" }))
      writeFileSync(join(folder, "use.mjs"), use)
      writeFileSync(join(folder, "skills/hello.ts"), hello)
      await succeed([...install, tarball], folder)
      const { stdout, stderr } = await succeed([...run, "use.mjs"], folder)
      expect(stderr).toBe("")
      expect(JSON.parse(stdout)).toEqual({
        oneModule: true,
        call: { sum: 3 },
        child: true,
        generated: [
          ["echo", true],
          ["files", true],
        ],
        run: [true, "", [5, { x: 1 }, false, ["--a", "b"]], true, 2],
        failed: [false, "E_SCRIPT_FAILED", "TypeError: boom 1", true],
        skill: "hello all\n",
        aborted: "E_TOOL_CANCELLED",
        search: "echo.add",
        served: [200, true],
        other: [],
        outside: "E_BROKER",
        refused: ["McpExecError", "E_SCRIPT_NOT_FOUND", "string"],
        closed: "E_STATE",
      })
      // No file of a run is left beside the user.
      expect(readdirSync(folder).filter((file) => file.startsWith(".mcp-exec"))).toEqual([])
    }, 180_000)

    test(`has a command that works under ${name}`, async () => {
      const main = join(folder, "node_modules/mcp-exec/lib/main.js")
      expect(await succeed([...run, main, "--version"], folder)).toEqual({ stdout: `${version}\n`, stderr: "" })
      const { stdout } = await succeed([...run, main, "exec", "-e", "console.log(1 as number)"], folder)
      expect(stdout).toBe("1\n")
    }, 120_000)
  }

  test("carries no source, no binary and no development dependency", () => {
    const manifest = JSON.parse(readFileSync(join(directory, "built/package.json"), "utf8"))
    expect(Object.keys(manifest).sort()).toEqual([
      "bin",
      "dependencies",
      "description",
      "engines",
      "exports",
      "files",
      "license",
      "name",
      "type",
      "types",
      "version",
    ])
    const files = readdirSync(join(directory, "built"), { recursive: true, encoding: "utf8" })
    expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([])
    expect(Bun.file(tarball).size).toBeLessThan(2_000_000)
  })
})

const consumer = `import { arg, createMcpExec, type McpExec, McpExecError, type RunResult, skill } from "mcp-exec"
await using mcp: McpExec = await createMcpExec({ config: { mcpServers: { a: { command: "x" } } }, onLog: ({ level }) => void level.length })
export const { sum } = await mcp.callTool<{ sum: number }>("echo", "add", { a: 1 }, { timeoutMs: 5, raw: false })
export const unknownValue: unknown = await mcp.callTool("echo.add", { a: 1 }, { signal: AbortSignal.timeout(5) })
const result: RunResult = await mcp.exec({ code: "1", args: ["a"], onOutput: ({ stream, text }) => void (stream === "stdout" && text.length) })
if (!result.ok) throw new McpExecError(result.error.code, result.error.message)
// @ts-expect-error a run takes one script
await mcp.exec({ code: "1", file: "x" })
// @ts-expect-error and needs one
await mcp.exec({ args: [] })
const untyped = await mcp.callTool("echo.add")
// @ts-expect-error a result is unknown until it is given a type
export const guessed = untyped.sum
export const names: string[] = (await mcp.search("x", { limit: 3, detail: "full" })).hits.map(({ name }) => name)
export const stale: string[] | undefined = (await mcp.generate({ check: true })).stale
export const files: string[] = (await mcp.discover({ targets: ["a.b"], samples: 3 })).files
await createMcpExec({ elicit: async () => ({ action: "decline" }), sample: async ({ params }) => ({ ...params }) })
export const skills: string[] = (await mcp.skills.list()).skills.map(({ name }) => name)
export default skill({ name: "a", description: "b", args: { n: arg.number({ default: 1 }) } }, ({ n }) => n + 1)
`

test("its types hold under strict, libraries included", async () => {
  const folder = join(directory, "Node")
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
    ...{ noEmit: true, module: "nodenext", target: "es2024", lib: ["esnext", "dom"] },
    ...{ types: ["node"], typeRoots: [join(repository, "node_modules/@types")] },
  }
  writeFileSync(join(folder, "consumer.ts"), consumer)
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }))
  expect(await succeed([join(bin, "tsc"), "-p", folder], folder)).toEqual({ stdout: "", stderr: "" })
}, 120_000)

async function succeed(command: string[], cwd: string): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, MCP_EXEC_CACHE_DIR: join(directory, "cache"), NO_COLOR: "1" }
  const child = Bun.spawn(command, { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}\n${stdout}\n${stderr}`)
  return { stdout, stderr }
}
