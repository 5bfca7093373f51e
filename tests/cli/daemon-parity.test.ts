// Whether a daemon answers or not must make no difference to whoever runs a command.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { fixtureServer } from "../fixtures/config.ts"
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
]

describe("with and without a daemon", () => {
  let it: DaemonProject
  beforeAll(async () => {
    it = createDaemonProject({
      servers: {
        echo: fixtureServer("echo"),
        asks: fixtureServer("asks"),
        off: { ...fixtureServer("echo"), disabled: true },
      },
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
      return { code, stdout: timeless(stdout), stderr, kept: existsSync(kept) && readFileSync(kept, "utf8") }
    }
    const cold = await run("0")
    expect(await run("1")).toEqual(cold)
  })

  test("and the daemon has really answered", async () => {
    const { daemon } = await it.status()
    expect(daemon?.calls).toBeGreaterThan(70)
    expect(daemon?.runs).toBe(0)
  })
})
