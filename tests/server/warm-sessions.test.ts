import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { Contexts } from "../../src/server/contexts.ts"
import { Questions } from "../../src/server/questions.ts"
import { WarmSessions } from "../../src/server/warm-sessions.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { createProject, isRunning, type Project, waitForEnd } from "../fixtures/project.ts"
import { type Connected, connectStdio } from "./served.ts"

let project: Project
let served: Connected

beforeAll(async () => {
  project = createProject({
    servers: { echo: fixtureServer("echo"), own: { type: "builtin", name: "echo" } },
    files: { "lib/double.ts": "export const double = (x: number): number => x * 2" },
  })
  served = await connectStdio(project)
  await served.call("generate_wrappers")
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  project[Symbol.dispose]()
})

/** Runs snippets in a session of their own, and gives what each has put out. */
async function converse(...snippets: string[]): Promise<string[]> {
  const session = `s${crypto.randomUUID().slice(0, 8)}`
  const outputs: string[] = []
  for (const code of snippets) {
    const { ok, output, error } = await served.run({ session, code })
    outputs.push(ok ? output.trimEnd() : (error?.code ?? "?"))
  }
  return outputs
}

const cases = [
  { name: "variables", snippets: ["const a: number = 1; let b = 2", "b = 5; a + b"], want: ["", "6"] },
  {
    name: "functions and classes",
    snippets: ["function f() { return 1 }; class K { x = 2 }", "f() + new K().x"],
    want: ["", "3"],
  },
  {
    name: "what was awaited",
    snippets: ["const { a, ...rest } = await Promise.resolve({ a: 1, b: 2 })", "rest"],
    want: ["", '{"b":2}'],
  },
  {
    name: "imports of modules",
    snippets: ['import { double } from "./lib/double.ts"', "double(21)"],
    want: ["", "42"],
  },
  {
    name: "imports of servers",
    snippets: ['import { add } from "#servers/own"', "await add({ a: 1, b: 1 })"],
    want: ["", '{"sum":2}'],
  },
  {
    name: "the guest",
    snippets: ['import { callTool } from "mcp-exec"', 'await callTool("own.add", { a: 2, b: 2 })'],
    want: ["", '{"sum":4}'],
  },
  {
    name: "what came before an error",
    snippets: ["let a = 1", "a = 2; throw new Error('x')", "a"],
    want: ["", "E_SCRIPT_FAILED", "2"],
  },
  {
    name: "what came before wrong code",
    snippets: ["let a = 1", "const = 3", "a"],
    want: ["", "E_SCRIPT_SYNTAX", "1"],
  },
  { name: "a name that is declared again", snippets: ["const a = 1", "const a = 2; a"], want: ["", "2"] },
  {
    name: "what was required",
    snippets: ["const { join } = require('node:path')", "join('a', 'b')", "require('./lib/double.ts').double(4)"],
    want: ["", "a/b", "8"],
  },
  { name: "a returned value", snippets: ["let a = 3", "return a"], want: ["", "3"] },
  { name: "code in a fence", snippets: ["```ts\nlet a: number = 4\n```", "a"], want: ["", "4"] },
]

describe("a session keeps", () => {
  for (const { name, snippets, want } of cases) {
    test(name, async () => expect(await converse(...snippets)).toEqual(want))
  }
})

describe("a session", () => {
  test("finds the servers from a folder below the project's", async () => {
    await using below = await connectStdio(project, { args: ["--cwd", "lib"] })
    const code =
      'import { add } from "#servers/own"\nimport { double } from "./double.ts"\ndouble((await add({ a: 1, b: 1 })).sum)'
    expect(await below.run({ session: "a", code })).toMatchObject({ ok: true, output: "4\n" })
    expect(await below.run({ code })).toMatchObject({ ok: true, output: "4\n" })
    expect(await below.run({ session: "a", code: 'import { x } from "#servers/nope"' })).toMatchObject({ ok: false })
  })

  test("counts the calls of each snippet", async () => {
    await served.run({ session: "calls", code: 'import { callTool } from "mcp-exec"' })
    const first = await served.run({
      session: "calls",
      code: 'await callTool("own.echo", {}); await callTool("own.echo", {})',
    })
    const second = await served.run({ session: "calls", code: "1" })
    expect([first.toolCalls.length, second.toolCalls.length]).toEqual([2, 0])
  })

  test("keeps output apart, also what is not printed in lines", async () => {
    const results = [
      await served.run({ session: "out", code: "process.stdout.write('a'); console.error('e1'); 1" }),
      await served.run({ session: "out", code: "process.stdout.write('b'.repeat(300000)); 2" }),
      await served.run({ session: "out", code: "console.log('c')" }),
    ]
    expect(results[0]?.output).toContain("e1")
    expect(results[0]?.output).toContain("a1\n")
    expect(results[2]?.output).toBe("c\n")
  })

  test("begins anew when it is reset", async () => {
    await served.run({ session: "again", code: "const a = 1" })
    expect(await served.run({ session: "again", reset: true })).toMatchObject({ ok: true })
    expect(await served.run({ session: "again", code: "typeof a" })).toMatchObject({ output: "undefined\n" })
  })

  test("is lost with a snippet that runs out of time, and says so", async () => {
    const { output } = await served.run({ session: "slow", code: "let a = 1; process.pid" })
    const result = await served.run({ session: "slow", code: "console.log('x'); while (true) {}", timeout: 5 })
    expect(result).toMatchObject({ ok: false, exitCode: 124, output: "x\n", error: { code: "E_SCRIPT_TIMEOUT" } })
    expect(result.error?.message).toContain("variables are lost")
    await waitForEnd(Number(output))
    expect(await served.run({ session: "slow", code: "typeof a" })).toMatchObject({ output: "undefined\n" })
  })

  test("is lost with a snippet that prints without end, and says so", async () => {
    const pid = Number((await served.run({ session: "flood", code: "process.pid" })).output)
    const result = await served.run({ session: "flood", code: "for (;;) console.log('x'.repeat(100000))" })
    expect(result).toMatchObject({ ok: false, error: { code: "E_LIMIT", message: expect.stringContaining("lost") } })
    await waitForEnd(pid)
    expect(await served.run({ session: "flood", code: "1" })).toMatchObject({ ok: true, output: "1\n" })
  })

  test("is lost with a snippet that is cancelled, or that ends its process", async () => {
    const pid = Number((await served.run({ session: "gone", code: "process.pid" })).output)
    const stop = new AbortController()
    // Not before it runs.
    const options = { signal: stop.signal, onprogress: () => stop.abort() }
    const call = served.run({ session: "gone", code: "console.log('on'); await new Promise(() => {})" }, options)
    call.catch(() => {})
    await waitForEnd(pid)
    const ended = await served.run({ session: "exit", code: "process.exit(3)" })
    expect(ended).toMatchObject({ ok: false, error: { code: "E_SCRIPT_FAILED" } })
    expect(ended.error?.message).toContain("exit code 3")
  })

  test("says when its process has ended in the meantime", async () => {
    const pid = Number((await served.run({ session: "dead", code: "process.pid" })).output)
    process.kill(pid, "SIGKILL")
    // Its parent has been told.
    await eventually(() => !existsSync(`/proc/${pid}`))
    expect((await served.run({ session: "dead", code: "1" })).output).toContain("began anew: its process had ended")
  })

  test("does one thing at a time", async () => {
    const { promise: begun, resolve } = Promise.withResolvers<void>()
    const code = "console.log('on'); while (!(await Bun.file('go').exists())) await Bun.sleep(10); 1"
    const first = served.run({ session: "busy", code }, { onprogress: () => resolve() })
    await begun
    expect(await served.run({ session: "busy", code: "2" })).toMatchObject({ ok: false, error: { code: "E_LIMIT" } })
    project.write({ go: "" })
    expect(await first).toMatchObject({ output: "on\n1\n" })
  })

  test("survives what its snippets leave behind", async () => {
    await served.run({
      session: "late",
      code: "setTimeout(() => { throw new Error('late') }, 20); void Promise.reject(1)",
    })
    await Bun.sleep(100)
    expect(await served.run({ session: "late", code: "1" })).toMatchObject({ ok: true })
  })

  test("is one of eight: the idlest makes room", async () => {
    await using other = await connectStdio(project)
    const pids: number[] = []
    for (let at = 0; at < 9; at += 1)
      pids.push(Number((await other.run({ session: `n${at}`, code: "process.pid" })).output))
    await waitForEnd(pids[0] as number)
    expect(await isRunning(pids[1] as number)).toBe(true)
    const again = await other.run({ session: "n0", code: "1" })
    expect(again.output).toBe("1\nSession n0 began anew: another session needed its place. Its variables are gone.\n")
    expect((await other.run({ session: "n0", code: "1" })).output).toBe("1\n")
  })
})

test("a session that nobody uses ends by itself", async () => {
  const env = { PATH: process.env.PATH, MCP_EXEC_CACHE_DIR: project.path(".cache") }
  const contexts = new Contexts({ cwd: project.directory, env, log: () => {} })
  const questions = new Questions()
  const sessions = new WarmSessions({ contexts, questions }, 300)
  const run = (code: string) =>
    sessions.run({
      ...{ client: "a", name: "s", code, reset: false, timeoutMs: 20_000, isSandboxed: false, pool: undefined },
      ...{ signal: new AbortController().signal, onOutput: () => {} },
      conversation: questions.open("a", () => false),
    })
  const { stdout } = await run("process.pid")
  await waitForEnd(Number(stdout))
  expect((await run("1")).stderr).toContain("began anew: it was idle for too long")
  await sessions.close()
  await contexts.close()
})
