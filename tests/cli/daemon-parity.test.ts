// Whether a daemon answers or not must make no difference to whoever runs a command.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { fixtureServer, placeholder } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { createDaemonProject, type DaemonProject } from "./daemon-project.ts"

const files = {
  "arguments.ts": 'console.log(process.argv.slice(2).join("|")); process.exit(7)',
  "calls.ts": `import { callTool, listServers } from "mcp-exec"
console.log(await callTool("echo", "echo", { a: [1, { b: "ü" }] }))
console.log(await callTool("echo__echo", { twice: true }))
console.log((await listServers()).map(({ name }) => name))
await callTool("echo", "refuse", { code: -32000 }).catch((error) => console.log(error.name, error.code, error.message))
await callTool("echo", "nothing").catch((error) => console.log(error.name, error.code, error.hint))
await callTool("nobody", "nothing").catch((error) => console.log(error.name, error.code))`,
  "many.ts": `import { callTool } from "mcp-exec"
const all = await Promise.all(Array.from({ length: 50 }, (_, index) => callTool("echo", "echo", { index })))
console.log(all.map(({ index }) => index).join())`,
  "large.ts": `import { callTool } from "mcp-exec"
const { text } = await callTool("echo", "echo", { text: "x".repeat(3_000_000) })
console.log(text.length)`,
  "throws.ts": `import { callTool } from "mcp-exec"
await callTool("echo", "refuse", { code: -32000 })`,
  "cancelled.ts": `import { callTool } from "mcp-exec"
const signal = AbortSignal.timeout(100)
await callTool("echo", "wait", { ms: 60_000 }, { signal }).catch((error) => console.log(error.code))
await callTool("echo", "wait", { ms: 60_000 }, { timeoutMs: 100 }).catch((error) => console.log(error.code))`,
  "hangs.ts": `import { callTool } from "mcp-exec"
await callTool("echo", "wait", { ms: 60_000 })`,
  "notes.ts": `import { callTool } from "mcp-exec"
await callTool("ledger", "note", JSON.parse(process.argv[2] ?? ""))`,
  "keeps.ts": `import { keep } from "mcp-exec"
console.log((await keep("calls.ts", "kept/copy.ts")).endsWith("/workspace/kept/copy.ts"))
await keep("calls.ts", "../out.ts").catch((error) => console.log(error.code))`,
  "asks.ts": `import { callTool } from "mcp-exec"
console.log(await callTool("asks", "ask", { method: "elicitation/create", params: { message: "?", requestedSchema: { type: "object", properties: {} } } }))
console.log(await callTool("asks", "ask", { method: "roots/list" }))`,
  "searches.ts": `import { searchTools } from "mcp-exec"
console.log((await searchTools("echo").catch((error) => [error.code])).length)`,
}

const cases: string[][] = [
  ["exec", "arguments.ts", "--json", "--no-daemon", "x y"],
  ["exec", "calls.ts"],
  ["exec", "--json", "calls.ts"],
  ["exec", "--server", "asks", "--json", "throws.ts"],
  ["exec", "many.ts"],
  ["exec", "large.ts"],
  ["exec", "throws.ts"],
  ["exec", "--json", "throws.ts"],
  ["exec", "cancelled.ts"],
  ["exec", "--timeout", "1.5", "hangs.ts"],
  ["exec", "keeps.ts"],
  ["exec", "asks.ts"],
  ["exec", "searches.ts"],
  ["exec", "-e", 'import { callTool } from "mcp-exec"; console.log(await callTool("echo", "echo", { e: 1 }))'],
  ["call", "echo.echo", "a=1", "b:=[1,2]"],
  ["call", "echo", "echo", "--json"],
  ["call", "echo__echo", "--args", '{"deep": {"er": null}}'],
  ["call", "echo.echo", "--raw"],
  ["call", "echo.echo", "a=1", "--cwd", "."],
  ["call", "echo.echo", "a=1", "--cwd", "nowhere"],
  ["call", "echo.give", "--args", '{"result": {"content": [{"type": "text", "text": "plain"}]}}'],
  ["call", "echo.give", "--args", '{"result": {"isError": true, "content": [{"type": "text", "text": "bad"}]}}'],
  ["call", "echo.give", "--raw", "--args", '{"result": {"isError": true, "content": []}}'],
  ["call", "echo.refuse", "code:=-32000", "--json"],
  ["call", "echo.nothing"],
  ["call", "echo.nothing", "a=1"],
  ["call", "nobody.nothing"],
  ["call", "echo"],
  ["call", "echo.echo", "no pair"],
  ["call", "echo.echo", "--args", "[]"],
  ["call", "echo.wait", "ms:=60000", "--timeout", "0.2"],
  ["call", "off.echo"],
  ["call", "denied.pid"],
  ["call", "dead.x"],
  ["call", "dead.x", "a=1", "--json"],
  ["call", "missing.x"],
  ["call", "nowhere.x"],
  ["call", "unset.x"],
  ["exec", "-e", 'import { callTool } from "mcp-exec"; await callTool("dead.x")'],
  ["exec", "--json", "-e", 'import { callTool } from "mcp-exec"; await callTool("unset.x")'],
  ["exec", "--quiet", "throws.ts"],
  ["exec", "--verbose", "calls.ts"],
  ["call", "--quiet", "echo.nothing"],
  ["call", "--verbose", "echo.echo"],
  ["call", "echo.echo", "--config", "./mcp_config.json", "--timeout=9"],
  ["--json", "call", "echo.refuse", "code:=-32000"],
  ["--cwd", ".", "exec", "calls.ts"],
  ["call", "echo.echo", "--config", "nothing.json"],
  [
    "call",
    "echo.give",
    "--args",
    '{"result": {"content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]}}',
  ],
  ["call", "talkative.work"],
  ["call", "talkative.work", "--quiet"],
  ["call", "talkative.work", "--json"],
  ["exec", "-e", 'import { callTool } from "mcp-exec"; await callTool("talkative.work"); await Bun.sleep(1000)'],
]

describe("with and without a daemon", () => {
  let it: DaemonProject
  beforeAll(async () => {
    it = createDaemonProject({
      servers: {
        echo: fixtureServer("echo"),
        asks: fixtureServer("asks"),
        off: { ...fixtureServer("echo"), disabled: true },
        denied: { ...fixtureServer("echo"), tools: { deny: ["pid"] } },
        dead: { command: "/bin/sh", args: ["-c", "echo it broke >&2; exit 3"] },
        missing: { command: "no-such-program" },
        nowhere: { url: "http://127.0.0.1:9/mcp" },
        unset: { ...fixtureServer("echo"), env: { KEY: placeholder("NOT_SET_ANYWHERE") } },
        // Relative to the project.
        ledger: fixtureServer("ledger", "ledger", "processes"),
        talkative: fixtureServer("talkative"),
      },
      config: { sandbx: {} },
      files,
    })
    await it.startDaemon()
  })
  afterAll(async () => await it[Symbol.asyncDispose]())

  test.each(cases.map((words) => [words.join(" "), words] as const))("the same comes out of: %s", async (_, words) => {
    const run = async (daemon: string) => {
      rmSync(it.project.path("workspace"), { recursive: true, force: true })
      const { code, stdout, stderr } = await it.run([...words], { env: { MCP_EXEC_DAEMON: daemon } })
      const kept = it.project.path("workspace/kept/copy.ts")
      const timeless = (text: string) => text.replace(/"durationMs": [\d.]+/g, '"durationMs": 0')
      // The script's own lines and ours come as they come.
      const lines = stderr.split("\n").sort()
      return { code, stdout: timeless(stdout), lines, kept: existsSync(kept) && readFileSync(kept, "utf8") }
    }
    const cold = await run("0")
    expect(await run("1")).toEqual(cold)
  })

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    for (const words of [
      ["call", "ledger.note", "--args"],
      ["call", "--json", "ledger.note", "--args"],
      ["exec", "notes.ts"],
    ]) {
      test(`${signal} ends in the same way: ${words.join(" ")}`, async () => {
        const end = async (daemon: string) => {
          const id = crypto.randomUUID()
          const options = { env: { MCP_EXEC_DAEMON: daemon } }
          const program = it.start([...words, JSON.stringify({ id, ms: 60_000 })], options)
          while (!it.lines("ledger").includes(id)) await Bun.sleep(20)
          program.kill(signal)
          return await program.finished
        }
        const [cold, warm] = await Promise.all([end("0"), end("1")])
        expect(cold.code).toBe(signal === "SIGINT" ? 130 : 143)
        expect(warm).toEqual(cold)
      })
    }
  }

  test("what is odd in the configuration is said once, each time", async () => {
    for (const daemon of ["0", "1"]) {
      const { stderr } = await it.run(["exec", "calls.ts"], { env: { MCP_EXEC_DAEMON: daemon } })
      expect(stderr.match(/\[WARNING\]/g)).toHaveLength(1)
    }
  })

  test("and the daemon has really answered", async () => {
    const { daemon } = await eventually(it.status, (status) => status.daemon?.runs === 0)
    expect(daemon?.calls).toBeGreaterThan(70)
  })
})
