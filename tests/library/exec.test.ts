import { afterAll, describe, expect, test } from "bun:test"
import { fixtureServer } from "../fixtures/config.ts"
import { waitForEnd } from "../fixtures/project.ts"
import { echo, openProject } from "./instance.ts"

const greet = `import { arg, skill } from "mcp-exec"
const args = {
  who: arg.list(),
  times: arg.integer({ default: 1 }),
  loud: arg.boolean({ default: false }),
  more: arg.json(),
}
export default skill({ name: "greet", description: "Greets", args }, (given) => JSON.stringify(given))
`
const opened = await openProject({
  servers: { echo, real: fixtureServer("echo") },
  files: {
    "skills/greet.ts": greet,
    "args.ts": "console.log(JSON.stringify(process.argv.slice(2)))",
    "notes.md": "# no",
  },
})
const { mcp, project } = opened
afterAll(() => opened[Symbol.asyncDispose]())

describe("exec", () => {
  test("runs code with tools, and reports streams and calls", async () => {
    const code = `import { callTool } from "mcp-exec"
      console.log((await callTool<{ sum: number }>("echo.add", { a: 1, b: 2 })).sum)
      console.error("aside")`
    const result = await mcp.exec({ code })
    expect(result).toEqual({
      ok: true,
      exitCode: 0,
      durationMs: expect.any(Number),
      stdout: "3\n",
      stderr: "aside\n",
      toolCalls: [{ server: "echo", tool: "add", ok: true, durationMs: expect.any(Number), bytes: expect.any(Number) }],
    })
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  })

  test("runs a file with its words", async () => {
    const { stdout } = await mcp.exec({ file: "args.ts", args: ["a", "--help", ""] })
    expect(JSON.parse(stdout)).toEqual(["a", "--help", ""])
  })

  test("runs a skill with an object, which keeps its kinds", async () => {
    const args = { who: ["--a", "ü b", "[c"], times: 3, loud: true, more: { deep: [1, "=", null] }, nothing: undefined }
    const result = await mcp.exec({ skill: "greet", args })
    expect(result).toMatchObject({ ok: true })
    expect(JSON.parse(result.stdout)).toEqual({ who: args.who, times: 3, loud: true, more: args.more })
  })

  test("gives the script the variables it is told to, and no others", async () => {
    const code = "console.log(JSON.stringify([process.env.GIVEN, process.env.HIDDEN]))"
    process.env.HIDDEN = "host"
    const { stdout } = await mcp.exec({ code, env: { GIVEN: "a=b" } })
    delete process.env.HIDDEN
    expect(JSON.parse(stdout)).toEqual(["a=b", null])
  })

  test("keeps a .env of the folder from the script", async () => {
    project.write({ ".env": "FROM_FILE=secret" })
    expect((await mcp.exec({ code: "console.log(process.env.FROM_FILE)" })).stdout).toBe("undefined\n")
  })

  test("allows only the servers that are named", async () => {
    const code = `import { callTool } from "mcp-exec"; await callTool("echo.add", { a: 1, b: 1 })`
    expect(await mcp.exec({ code, servers: ["real"] })).toMatchObject({ ok: false, error: { code: "E_TOOL_DENIED" } })
    expect(await mcp.exec({ code, servers: ["echo"] })).toMatchObject({ ok: true })
  })

  test("streams what is printed, characters whole", async () => {
    const seen: string[] = []
    // Only what is seen before its end lets the script go on.
    const code = `const bytes = new TextEncoder().encode("ü€")
      process.stdout.write(bytes.slice(0, 3))
      while (!(await Bun.file("go").exists())) await Bun.sleep(10)
      process.stdout.write(bytes.slice(3))
      process.stderr.write("aside")`
    const result = await mcp.exec({
      code,
      onOutput: ({ stream, text }) => {
        seen.push(`${stream} ${text}`)
        project.write({ go: "" })
      },
    })
    expect(seen.toSorted()).toEqual(["stderr aside", "stdout ü", "stdout €"])
    expect(result).toMatchObject({ stdout: "ü€", stderr: "aside" })
  })

  test("survives a listener that throws", async () => {
    const onOutput = () => {
      throw new Error("the listener's own")
    }
    expect(await mcp.exec({ code: "console.log(1)", onOutput })).toMatchObject({ ok: true, stdout: "1\n" })
    expect(opened.logged).toContainEqual({ level: "error", message: "onOutput failed: the listener's own" })
  })

  test("is ended by its signal, with everything it has started", async () => {
    const controller = new AbortController()
    const pids: number[] = []
    const code = `import { spawn } from "node:child_process"
      process.on("SIGTERM", () => {})
      console.log([process.pid, spawn("sleep", ["600"]).pid].join(" "))
      setInterval(() => {}, 1000)`
    const result = await mcp.exec({
      code,
      signal: controller.signal,
      onOutput: ({ text }) => {
        pids.push(...text.split(" ").map(Number))
        controller.abort()
      },
    })
    expect(result).toMatchObject({ ok: false, error: { code: "E_TOOL_CANCELLED", message: "The run was cancelled" } })
    expect(pids).toHaveLength(2)
    await Promise.all(pids.map((pid) => waitForEnd(pid)))
  })

  test("starts nothing when its signal has fired already", async () => {
    const code = `await Bun.write("started", "")`
    const result = await mcp.exec({ code, signal: AbortSignal.abort() })
    expect(result).toMatchObject({ ok: false, exitCode: 143, error: { code: "E_TOOL_CANCELLED" } })
    expect(await Bun.file(project.path("started")).exists()).toBe(false)
  })
})

test("a script can be checked before it runs", async () => {
  await mcp.generate({ servers: ["echo"] })
  const code = `import { callTool } from "mcp-exec"\nawait callTool("echo.ad", {})`
  const { problems } = await mcp.checkScript({ code })
  expect(problems).toMatchObject([{ line: 2, tool: "echo.ad", nearest: "add" }])
})

const failing = [
  { name: "throws", code: 'throw new TypeError("no")', want: { exitCode: 1, error: { code: "E_SCRIPT_FAILED" } } },
  { name: "does not parse", code: "const = 5", want: { exitCode: 1, error: { code: "E_SCRIPT_SYNTAX" } } },
  { name: "exits", code: "process.exit(7)", want: { exitCode: 7, error: { code: "E_SCRIPT_FAILED" } } },
  {
    name: "never ends",
    code: "for (;;) {}",
    timeoutMs: 500,
    want: { exitCode: 124, error: { code: "E_SCRIPT_TIMEOUT" } },
  },
  {
    name: "is refused by a tool",
    code: 'import { callTool } from "mcp-exec"\nawait callTool("echo.fail", { message: "no luck" })',
    want: { exitCode: 1, error: { code: "E_TOOL_FAILED", message: expect.stringContaining("no luck") } },
  },
]

describe("it is a result when a script", () => {
  for (const { name, code, timeoutMs, want } of failing) {
    test(name, async () => {
      expect(await mcp.exec({ code, ...(timeoutMs !== undefined && { timeoutMs }) })).toMatchObject({
        ok: false,
        ...want,
      } as never)
    })
  }
})

const refused = [
  { name: "no script", options: {}, want: { code: "E_USAGE", hint: expect.any(String) } },
  { name: "two scripts", options: { code: "1", file: "args.ts" }, want: { code: "E_USAGE" } },
  { name: "a file that is not there", options: { file: "nope.ts" }, want: { code: "E_SCRIPT_NOT_FOUND" } },
  { name: "a folder", options: { file: "skills" }, want: { code: "E_SCRIPT_NOT_FOUND" } },
  { name: "no name", options: { file: "" }, want: { code: "E_SCRIPT_NOT_FOUND" } },
  { name: "a file of another kind", options: { file: "notes.md" }, want: { code: "E_USAGE" } },
  {
    name: "an unknown skill",
    options: { skill: "gret" },
    want: { code: "E_SKILL_UNKNOWN", hint: expect.stringContaining("greet") },
  },
  { name: "an unknown server", options: { code: "1", servers: ["eco"] }, want: { code: "E_SERVER_UNKNOWN" } },
  { name: "no time", options: { code: "1", timeoutMs: 0 }, want: { code: "E_USAGE" } },
  {
    name: "a wrong kind of value",
    options: { code: 5, timeoutMs: "soon" },
    want: { code: "E_USAGE", message: expect.stringMatching(/code: .*; timeoutMs: /) },
  },
]

describe("exec rejects", () => {
  for (const { name, options, want } of refused) {
    test(name, async () => {
      const error = await mcp.exec(options as never).catch((reason) => reason)
      expect(error).toMatchObject({
        ...want,
        name: expect.stringMatching(/Error$/),
        message: expect.any(String),
        ...want,
      })
    })
  }
})
