// The same source under Deno: `deno run -A src/main.ts …`.
import { afterAll, describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { version } from "../../src/version.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject, type Finished, repository, type StartOptions, waitForEnd } from "../fixtures/project.ts"

const program = [join(repository, "node_modules/.bin/deno"), "run", "-A", join(repository, "src/main.ts")]
const project = createProject({
  servers: {
    echo: { type: "builtin", name: "echo" },
    files: { type: "builtin", name: "filesystem", args: ["."] },
    real: fixtureServer("echo"),
  },
  files: {
    "lib.ts": "export const answer: number = 42",
    "tools.ts": `import { callTool, listServers, workspace } from "mcp-exec"
      import { answer } from "./lib.ts"
      const { sum } = await callTool<{ sum: number }>("echo", "add", { a: answer, b: 1 })
      const many = await Promise.all(Array.from({ length: 100 }, (_, n) => callTool("echo.add", { a: n, b: n })))
      const real = await callTool("real.echo", { over: "stdio" })
      console.log(JSON.stringify([sum, many.length, real, (await listServers()).length, process.argv.slice(2), workspace]))`,
    "main.ts": "export async function main(...args: string[]) { await null; console.log(args.join('+')) }",
    "throws.ts":
      'interface A { x: number }\n\nfunction boom(a: A): never {\n  throw new TypeError("boom " + a.x)\n}\nboom({ x: 1 })',
    "tool.ts": 'import { callTool } from "mcp-exec"\n\nawait callTool("echo", "fail", { message: "no luck" })',
    "syntax.ts": "const x: number = 1\nconst = 5\n",
    "loop.ts": 'console.log("pid", process.pid)\nfor (;;) {}',
  },
})
afterAll(() => project[Symbol.dispose]())

// Deno keeps what it has compiled; the user's own cache is what everybody who runs it has.
const denoCache = { DENO_DIR: process.env.DENO_DIR ?? join(process.env.HOME ?? "/tmp", ".cache/deno"), NO_COLOR: "1" }

function run(args: string[], options: StartOptions = {}): Promise<Finished> {
  return project.run(args, { ...options, program, env: { ...denoCache, ...options.env } })
}

const fine = (stdout: string) => ({ code: 0, stdout, stderr: "" })
const ours = /src\/(guest|main|cli|operations)|ext:/

describe("under Deno, exec", () => {
  test("runs a file with its arguments, imports and tool calls", async () => {
    const { code, stdout, stderr } = await run(["exec", "tools.ts", "a", "--help"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const over = { over: "stdio" }
    expect(JSON.parse(stdout)).toEqual([43, 100, over, 3, ["a", "--help"], project.path("workspace")])
  })

  test("awaits an exported main", async () => {
    expect(await run(["exec", "main.ts", "a", "b"])).toEqual(fine("a+b\n"))
  })

  test("runs code from the command line, and leaves no file beside the user", async () => {
    const code = 'import { answer } from "./lib.ts"; const n: number = answer; console.log(n, process.argv[2])'
    expect(await run(["exec", "-e", code, "--", "--x"])).toEqual(fine("42 --x\n"))
    expect((await run(["exec", "-e", "process.exit(6)"])).code).toBe(6)
    expect((await run(["exec", "-e", "Deno.exit(7)"])).code).toBe(7)
    expect(readdirSync(project.directory).filter((name) => name.startsWith(".mcp-exec-"))).toEqual([])
  })

  test("runs code from stdin", async () => {
    const stdin = 'import { answer } from "./lib.ts"\nconsole.log(answer satisfies number)'
    expect(await run(["exec", "-"], { stdin })).toEqual(fine("42\n"))
  })

  test("shows where a script failed, and nothing of ours", async () => {
    const { code, stdout, stderr } = await run(["exec", "throws.ts"])
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toContain('4 |   throw new TypeError("boom " + a.x)\n')
    expect(stderr).toContain("TypeError: boom 1\n")
    expect(stderr).toMatch(/at boom \(.*throws\.ts:4:9\)/)
    expect(stderr).not.toMatch(ours)
  })

  test("shows where a tool call failed", async () => {
    const { code, stderr } = await run(["exec", "tool.ts"])
    expect(code).toBe(1)
    expect(stderr).toContain('3 | await callTool("echo", "fail", { message: "no luck" })')
    expect(stderr).toContain("error[E_TOOL_FAILED]: no luck")
    expect(stderr).not.toMatch(ours)
  })

  test("shows where a script cannot be parsed", async () => {
    const { code, stderr } = await run(["exec", "syntax.ts"])
    expect(code).toBe(1)
    expect(stderr).toContain("syntax.ts:2:7")
    expect(stderr).not.toMatch(ours)
  })

  test("ends a script that never yields, at its timeout", async () => {
    // Long enough for Deno to have started.
    const { code, stdout, stderr } = await run(["exec", "--timeout", "6", "loop.ts"])
    expect(code).toBe(124)
    expect(stderr).toStartWith("error[E_SCRIPT_TIMEOUT]: ")
    await waitForEnd(Number(/\d+/.exec(stdout)?.[0]))
  })

  test("gives a run as data", async () => {
    const { code, stdout } = await run(["exec", "--json", "throws.ts"])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, exitCode: 1, error: { message: "TypeError: boom 1" } })
  })
})

describe("under Deno, the other commands", () => {
  test("call a tool", async () => {
    expect(await run(["call", "echo.add", "a=1", "b=2"])).toEqual(fine('{\n  "sum": 3\n}\n'))
    expect((await run(["call", "files.list_directory", `path=${project.directory}`])).stdout).toContain("lib.ts")
  })

  test("check the servers", async () => {
    const { code, stdout } = await run(["servers", "--check", "--json"])
    expect(code).toBe(0)
    const { servers } = JSON.parse(stdout)
    expect(servers.map((server: { check: { ok: boolean } }) => server.check.ok)).toEqual([true, true, true])
  })

  test("print the version", async () => {
    expect(await run(["--version"])).toEqual(fine(`${version}\n`))
  })

  const cases = [
    { args: ["call", "echo.fail", "message=no"], code: "E_TOOL_FAILED", exit: 1 },
    { args: ["exec", "nope.ts"], code: "E_SCRIPT_NOT_FOUND", exit: 2 },
    { args: ["call", "ecoh.add"], code: "E_SERVER_UNKNOWN", exit: 2 },
    { args: ["servers", "--config", "none.json"], code: "E_CONFIG_NOT_FOUND", exit: 3 },
    { args: ["call", "echo.sleep", "ms=60000", "--timeout", "0.1"], code: "E_TOOL_TIMEOUT", exit: 124 },
  ]
  for (const { args, code, exit } of cases) {
    test(`end with ${exit}: ${args.join(" ")}`, async () => {
      const { code: found, stderr } = await run(args)
      expect(found).toBe(exit)
      expect(stderr).toStartWith(`error[${code}]: `)
    })
  }
})
