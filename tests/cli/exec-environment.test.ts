import { afterAll, describe, expect, test } from "bun:test"
import { scriptEnvironment } from "../../src/harness/environment.ts"
import { createProject } from "../fixtures/project.ts"

const project = createProject({
  servers: { echo: { type: "builtin", name: "echo" }, other: { type: "builtin", name: "echo" } },
  config: { exec: { env: ["ALLOWED_*", "ONE"] } },
  files: {
    "env.ts": "console.log(JSON.stringify(process.env))",
    "calls.ts":
      'import { callTool } from "mcp-exec"\nconsole.log("out")\nconsole.error("err")\nawait callTool("echo", "add", { a: 1, b: 2 })\nawait callTool("echo.fail", { message: "no" }).catch(() => {})',
    "wrong.ts": 'console.log("before")\nthrow new RangeError("too far")',
    "other.ts":
      'import { callTool, listServers } from "mcp-exec"\nconsole.log((await listServers()).map((s) => s.name))\nawait callTool("other", "echo", {})',
  },
})
afterAll(() => project[Symbol.dispose]())

const secrets = { GITHUB_TOKEN: "t", AWS_SECRET_ACCESS_KEY: "s", ANTHROPIC_API_KEY: "k", SSH_AUTH_SOCK: "x" }

describe("the environment of a script", () => {
  test("is exactly the allow-list", async () => {
    const env = { ...secrets, LANG: "C", TERM: "xterm", TZ: "UTC", MCP_EXEC_MINE: "1", USER: "me", NODE_OPTIONS: "x" }
    const { stdout } = await project.run(["exec", "env.ts"], { env })
    expect(Object.keys(JSON.parse(stdout)).sort()).toEqual([
      "HOME",
      "LANG",
      "MCP_EXEC_BROKER",
      "MCP_EXEC_CACHE_DIR",
      "MCP_EXEC_DAEMON",
      "MCP_EXEC_MINE",
      "MCP_EXEC_TOKEN",
      "MCP_EXEC_WORKSPACE",
      "PATH",
      "TERM",
      "TZ",
    ])
  })

  test("grows by --env NAME, --env NAME=VALUE and the patterns of the configuration", async () => {
    const env = { ...secrets, ALLOWED_A: "1", ALLOWED_B: "2", ONE: "3", NOT_ALLOWED_A: "4" }
    const { stdout } = await project.run(["exec", "--env", "GITHUB_TOKEN", "--env=X=a=b", "env.ts"], { env })
    const seen = JSON.parse(stdout)
    expect(seen).toMatchObject({ ALLOWED_A: "1", ALLOWED_B: "2", ONE: "3", GITHUB_TOKEN: "t", X: "a=b" })
    expect(seen).not.toHaveProperty("NOT_ALLOWED_A")
    expect(seen).not.toHaveProperty("AWS_SECRET_ACCESS_KEY")
  })

  const cases = [
    { name: "an exact name", patterns: ["A"], given: ["A", "AB"], want: ["A"] },
    { name: "a prefix", patterns: ["A_*"], given: ["A_", "A_B", "BA_"], want: ["A_", "A_B"] },
    { name: "a suffix", patterns: ["*_KEY"], given: ["A_KEY", "KEY", "_KEY", "A_KEY_"], want: ["A_KEY", "_KEY"] },
    { name: "both ends", patterns: ["A*Z"], given: ["AZ", "AbZ", "AbZc"], want: ["AZ", "AbZ"] },
    {
      name: "letters that mean something to regular expressions",
      patterns: ["A.*B"],
      given: ["A.xB", "AxxB"],
      want: ["A.xB"],
    },
  ]
  for (const { name, patterns, given, want } of cases) {
    test(`lets ${name} through`, () => {
      const env = Object.fromEntries(given.map((variable) => [variable, "v"]))
      expect(Object.keys(scriptEnvironment(env, patterns, "linux")).sort()).toEqual(want.sort())
    })
  }
})

describe("exec --json", () => {
  test("gives one value with streams and calls", async () => {
    const { code, stdout, stderr } = await project.run(["exec", "--json", "calls.ts"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({ ok: true, exitCode: 0, stdout: "out\n", stderr: "err\n" })
    expect(result.durationMs).toBeGreaterThan(0)
    expect(Object.keys(result)).toEqual(["ok", "exitCode", "durationMs", "stdout", "stderr", "toolCalls"])
    expect(result.toolCalls).toEqual([
      { server: "echo", tool: "add", ok: true, durationMs: expect.any(Number), bytes: expect.any(Number) },
      { server: "echo", tool: "fail", ok: false, durationMs: expect.any(Number), bytes: expect.any(Number) },
    ])
  })

  test("explains a failure and keeps the script's exit code", async () => {
    const { code, stdout } = await project.run(["exec", "--json", "wrong.ts"])
    expect(code).toBe(1)
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({ ok: false, exitCode: 1, stdout: "before\n", toolCalls: [] })
    expect(result.error).toMatchObject({ code: "E_SCRIPT_FAILED", message: "RangeError: too far" })
    expect(result.stderr).toContain("wrong.ts:2:")
    const own = await project.run(["exec", "--json", "-e", "process.exit(5)"])
    expect(own.code).toBe(5)
    expect(JSON.parse(own.stdout)).toMatchObject({ ok: false, exitCode: 5, error: { code: "E_SCRIPT_FAILED" } })
  })

  test("reports a timeout with the output so far", async () => {
    const code = 'console.log("so far"); await Bun.sleep(60_000)'
    // Long enough for it to have started.
    const finished = await project.run(["exec", "--json", "--timeout", "5", "-e", code])
    expect(finished.code).toBe(124)
    const result = JSON.parse(finished.stdout)
    expect(result).toMatchObject({ ok: false, exitCode: 124, stdout: "so far\n", error: { code: "E_SCRIPT_TIMEOUT" } })
  })
})

describe("exec --server", () => {
  test("lets the script see and use only the servers it names", async () => {
    const { code, stdout, stderr } = await project.run(["exec", "--server", "echo", "other.ts"])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '[ "echo" ]\n' })
    expect(stderr).toContain("error[E_TOOL_DENIED]")
    expect((await project.run(["exec", "--server", "echo", "--server=other", "other.ts"])).code).toBe(0)
  })
})
