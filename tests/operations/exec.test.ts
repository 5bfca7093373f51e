import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { createContext, type LogLevel } from "../../src/operations/context.ts"
import { attendScript, execScript } from "../../src/operations/exec.ts"
import { type ExecInput, startScript } from "../../src/operations/start-script.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject, type ProjectInput, waitForEnd } from "../fixtures/project.ts"

/** Runs a script in a folder of its own, in this process but for the script itself. */
async function execIn(given: ProjectInput, input: Partial<ExecInput> & { code?: string }, env = {}) {
  const project = createProject(given)
  const logged: [LogLevel, string][] = []
  const cwd = project.directory
  const context = createContext({
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, MCP_EXEC_CACHE_DIR: `${cwd}/.cache`, ...env },
    log: (level, message) => void logged.push([level, message]),
  })
  try {
    const script = { kind: "code" as const, code: input.code ?? "", name: `${cwd}/[code].ts` }
    const result = await execScript(context, { script, args: [], capture: true, ...input })
    return { result, logged, project }
  } finally {
    await context[Symbol.asyncDispose]()
    project[Symbol.dispose]()
  }
}

const echo = { type: "builtin", name: "echo" } as const

describe("a run", () => {
  test("that goes well is a report of its streams and calls", async () => {
    const code = `import { callTool } from "mcp-exec"
      console.log(JSON.stringify([await callTool("echo.echo", { a: 1 }), process.argv.slice(2)]))
      console.error("aside")`
    const { result } = await execIn({ servers: { echo } }, { code, args: ["--x"] })
    expect(result).toEqual({
      ok: true,
      exitCode: 0,
      durationMs: expect.any(Number),
      stdout: '[{"a":1},["--x"]]\n',
      stderr: "aside\n",
      toolCalls: [
        { server: "echo", tool: "echo", ok: true, durationMs: expect.any(Number), bytes: expect.any(Number) },
      ],
    })
  })

  test("that fails is a result, with the reason as data", async () => {
    const { result } = await execIn({}, { code: 'console.log("before")\nthrow new RangeError("far")' })
    expect(result).toMatchObject({ ok: false, exitCode: 1, stdout: "before\n" })
    expect(!result.ok && result.error).toMatchObject({ code: "E_SCRIPT_FAILED", message: "RangeError: far" })
  })

  test("that fails in a call has the code of the call, and the call among its records", async () => {
    const code = 'import { callTool } from "mcp-exec"; await callTool("echo.fail", { message: "no" })'
    const { result } = await execIn({ servers: { echo } }, { code })
    expect(result).toMatchObject({ ok: false, error: { code: "E_TOOL_FAILED", message: "no" } })
    expect(result.toolCalls).toMatchObject([{ server: "echo", tool: "fail", ok: false }])
  })

  test("that exits by itself keeps its code", async () => {
    const { result } = await execIn({}, { code: "process.exit(9)" })
    expect(result).toMatchObject({ ok: false, exitCode: 9, error: { code: "E_SCRIPT_FAILED" } })
  })

  test("that is killed has the exit code shells give it", async () => {
    const { result } = await execIn({}, { code: 'process.kill(process.pid, "SIGKILL")' })
    expect(result).toMatchObject({ ok: false, exitCode: 137 })
  })

  test("that takes too long is ended, with all it has started", async () => {
    const code = 'const child = Bun.spawn(["sleep", "60"]); console.log(child.pid); await Bun.sleep(60_000)'
    // Long enough for it to have started.
    const { result } = await execIn({}, { code, timeoutMs: 5000 })
    expect(result).toMatchObject({ ok: false, exitCode: 124, error: { code: "E_SCRIPT_TIMEOUT" } })
    await waitForEnd(Number(result.stdout))
  })

  test("may be given variables, and fewer servers", async () => {
    const code = `import { listServers } from "mcp-exec"
      console.log(process.env.A, process.env.B, process.env.C, (await listServers()).map((server) => server.name).join())`
    const input = { code, env: ["A", "B=2"], servers: ["other"] }
    const { result } = await execIn({ servers: { echo, other: echo } }, input, { A: "1", C: "3" })
    expect(result.stdout).toBe("1 2 undefined other\n")
  })
})

describe("a run does not start", () => {
  const cases: { name: string; given: ProjectInput; input: Partial<ExecInput>; code: string }[] = [
    {
      name: "with an invalid configuration",
      given: { files: { "mcp_config.json": "[]" } },
      input: {},
      code: "E_CONFIG_INVALID",
    },
    { name: "in a sandbox", given: {}, input: { sandbox: true }, code: "E_SANDBOX" },
    {
      name: "without the sandbox that the configuration wants",
      given: { config: { sandbox: { enabled: true } } },
      input: {},
      code: "E_SANDBOX",
    },
    { name: "with a variable that is not set", given: {}, input: { env: ["NOT_SET"] }, code: "E_USAGE" },
  ]
  for (const { name, given, input, code } of cases) {
    test(name, async () => {
      const failure = await execIn(given, input).catch((error) => error)
      expect(failure).toMatchObject({ code, hint: expect.any(String) })
    })
  }
})

test("warnings of the configuration are logged", async () => {
  const { logged } = await execIn({ config: { sandbx: {} } }, {})
  expect(logged).toEqual([["warning", expect.stringContaining("sandbx")]])
})

test("the server that a script names is started while the script is starting, and ends with it", async () => {
  const project = createProject()
  const starts = project.path("starts.txt")
  const code = `const name = "early"; while (!(await Bun.file(${JSON.stringify(starts)}).exists())) await Bun.sleep(10)`
  await execIn({ servers: { early: fixtureServer("echo", starts), other: fixtureServer("echo", starts) } }, { code })
  const pids = readFileSync(starts, "utf8").trim().split("\n").map(Number)
  expect(pids).toHaveLength(1)
  await waitForEnd(pids[0] ?? 0)
  project[Symbol.dispose]()
})

test("a script that nobody could answer does not go on alone", async () => {
  using project = createProject()
  const [cwd, env] = [project.directory, { PATH: process.env.PATH, MCP_EXEC_CACHE_DIR: project.path(".cache") }]
  const context = createContext({ cwd, env, log: () => {} })
  const script = { kind: "code" as const, code: "await Bun.sleep(60_000)", name: project.path("[code].ts") }
  const input = { script, args: [], capture: true }
  const started = await startScript({ cwd, env }, input)
  const endpoint = { ...started.endpoint, address: project.path("nowhere/socket") }
  const attended = attendScript(context, input, { ...started, endpoint })
  await expect(attended).rejects.toMatchObject({
    code: "E_BROKER",
    hint: expect.stringContaining("MCP_EXEC_CACHE_DIR"),
  })
  await waitForEnd(started.run.pid ?? 0)
})

test("a sandboxed script that has ended before anybody listened has ended as it has", async () => {
  using project = createProject()
  const [cwd, env] = [project.directory, { PATH: process.env.PATH, MCP_EXEC_CACHE_DIR: project.path(".cache") }]
  await using context = createContext({ cwd, env, log: () => {} })
  const outcome = { exitCode: 3, timedOut: false, durationMs: 1, stdout: "over", stderr: "" }
  const result = await attendScript(
    context,
    { script: { kind: "code", code: "", name: project.path("[code].ts") }, args: [], capture: true },
    {
      run: { finished: Promise.resolve(outcome), signal: () => expect.unreachable() },
      endpoint: { address: project.path("gone/b"), token: "", sandbox: true },
      directory: project.directory,
      settings: await context.settings(),
    },
  )
  expect(result).toMatchObject({ ok: false, exitCode: 3, stdout: "over" })
})
