// The same guest and the same script under Bun, Deno and Node, against a real broker.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createEndpoint } from "../../src/broker/endpoint.ts"
import { createHost } from "../../src/broker/host.ts"
import { serveEndpoint } from "../../src/broker/serve-endpoint.ts"
import { ClientManager } from "../../src/mcp/manager.ts"
import { runtimeDirectory } from "../../src/platform/runtime-directory.ts"
import { fixtureServer, makeConfig, packageServer } from "../fixtures/config.ts"
import { repository } from "../fixtures/project.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-runtimes-"))
const workspace = join(root, "workspace")
const program = join(repository, "node_modules/.bin")
const runtimes = [
  { name: "Bun", command: [join(program, "bun")] },
  { name: "Deno", command: [join(program, "deno"), "run", "-A", "--no-config"] },
  { name: "Node", command: [join(program, "node"), "--disable-warning=ExperimentalWarning"] },
]

const manager = new ClientManager({
  loadConfig: async () =>
    makeConfig({
      directory: root,
      workspace,
      servers: {
        echo: { type: "builtin", name: "echo" },
        everything: packageServer("@modelcontextprotocol/server-everything/dist/index.js", "stdio"),
        big: fixtureServer("big"),
      },
    }),
})
beforeAll(() => manager.initialize())
afterAll(async () => {
  await manager.close()
  rmSync(root, { recursive: true })
})

/** Runs code that imports the guest, as a script does. */
async function runGuest(command: string[], code: string, extra: Record<string, string> = {}, listenAfterMs = 0) {
  const directory = await runtimeDirectory({}, root)
  const endpoint = createEndpoint(directory)
  const listening = Bun.sleep(listenAfterMs).then(() =>
    serveEndpoint(endpoint, async () => createHost({ token: endpoint.token, manager: async () => manager })),
  )
  const file = join(root, `script-${crypto.randomUUID()}.ts`)
  writeFileSync(file, code.replace('"mcp-exec"', JSON.stringify(join(repository, "src/guest/api.ts"))))
  const child = Bun.spawn([...command, file], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: root,
      MCP_EXEC_BROKER: endpoint.address,
      MCP_EXEC_TOKEN: endpoint.token,
      MCP_EXEC_WORKSPACE: workspace,
      ...extra,
    },
    stdout: "pipe",
    stderr: "pipe",
  })
  const [stdout, stderr, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const listener = await listening
  listener.close()
  return { exit, stdout, stderr }
}

for (const { name, command } of runtimes) {
  describe(`under ${name}`, () => {
    const value = async (code: string) => {
      const { exit, stdout, stderr } = await runGuest(command, code)
      if (exit !== 0) throw new Error(stderr)
      return JSON.parse(stdout)
    }

    test("every call of the guest works", async () => {
      const result = await value(`
        import * as mcp from "mcp-exec"
        const progress: number[] = []
        await mcp.callTool("everything", "trigger-long-running-operation", { duration: 0.2, steps: 2 },
          { onProgress: (p) => progress.push(p.progress) })
        console.log(JSON.stringify({
          named: await mcp.callTool("echo", "add", { a: 1, b: 2 }),
          joined: await mcp.callTool("echo__add", { a: 3, b: 4 }),
          raw: await mcp.callTool("everything", "echo", { message: "x" }, { raw: true }),
          servers: (await mcp.listServers()).map((server) => server.name),
          tools: (await mcp.listTools("echo")).map((tool) => tool.name).sort(),
          resource: (await mcp.readResource("everything", (await mcp.listResources("everything"))[0]!.uri)).contents.length,
          prompt: (await mcp.getPrompt("everything", "simple-prompt")).messages.length,
          prompts: (await mcp.listPrompts("everything")).length > 0,
          workspace: mcp.workspace,
          progress,
        }))`)
      expect(result).toEqual({
        named: { sum: 3 },
        joined: { sum: 7 },
        raw: { content: [{ type: "text", text: "Echo: x" }] },
        servers: ["echo", "everything", "big"],
        tools: ["add", "echo", "fail", "sleep"],
        resource: 1,
        prompt: 1,
        prompts: true,
        workspace,
        progress: [1, 2],
      })
    })

    test("errors are ToolErrors, cancellation and timeouts work", async () => {
      const result = await value(`
        import { callTool, ToolError } from "mcp-exec"
        const outcome = (promise: Promise<unknown>) => promise.then(String, (error) =>
          [error instanceof ToolError, error.code, error.server, error.tool])
        const controller = new AbortController()
        setTimeout(() => controller.abort(), 50)
        console.log(JSON.stringify([
          await outcome(callTool("echo", "fail", { message: "no" })),
          await outcome(callTool("echo", "sleep", { ms: 60000 }, { signal: controller.signal })),
          await outcome(callTool("echo", "sleep", { ms: 60000 }, { signal: AbortSignal.abort() })),
          await outcome(callTool("echo", "sleep", { ms: 60000 }, { timeoutMs: 50 })),
        ]))`)
      expect(result).toEqual([
        [true, "E_TOOL_FAILED", "echo", "fail"],
        [true, "E_TOOL_CANCELLED", "echo", "sleep"],
        [true, "E_TOOL_CANCELLED", "echo", "sleep"],
        [true, "E_TOOL_TIMEOUT", "echo", "sleep"],
      ])
    })

    test("500 calls at once each get their own answer", async () => {
      const result = await value(`
        import { callTool } from "mcp-exec"
        const sums = await Promise.all(Array.from({ length: 500 }, (_, n) => callTool<{ sum: number }>("echo", "add", { a: n, b: n })))
        console.log(JSON.stringify(sums.every(({ sum }, n) => sum === 2 * n)))`)
      expect(result).toBe(true)
    })

    test("a 100 MB result arrives whole", async () => {
      const result = await value(`
        import { callTool } from "mcp-exec"
        const text = await callTool<string>("big", "big", { bytes: 100_000_000 })
        console.log(JSON.stringify([text.length, text.at(0), text.at(-1)]))`)
      expect(result[0]).toBe(100_000_000)
    }, 120_000)

    test("large texts go there and back as they are, several at once", async () => {
      const result = await value(`
        import { callTool } from "mcp-exec"
        await callTool("echo", "echo")
        const texts = ["\\ufeffä\\n€😀 ".repeat(200_000), "x".repeat(3_000_000), "\\u0000\\ud83d" + "y".repeat(100_000)]
        const calls = texts.map((text) => callTool("echo", "echo", { list: [{ text }] }))
        const results = (await Promise.all(calls)) as { list: { text: string }[] }[]
        console.log(JSON.stringify(results.map(({ list }, index) => list[0]!.text === texts[index])))`)
      expect(result).toEqual([true, true, true])
    })

    test("the process ends by itself when nothing is pending", async () => {
      const { exit, stderr } = await runGuest(
        command,
        `
        import { callTool, log } from "mcp-exec"
        await callTool("echo", "echo", {})
        log("told", { you: "so" })
        log.warning("twice")`,
      )
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '[INFO] told {"you":"so"}\n[WARNING] twice\n' })
    })

    test("a script may be faster than the broker, which listens after starting it", async () => {
      const code =
        'import { callTool } from "mcp-exec"\nconsole.log(JSON.stringify(await callTool("echo", "echo", {})))'
      const { exit, stdout } = await runGuest(command, code, {}, 700)
      expect({ exit, stdout }).toEqual({ exit: 0, stdout: "{}\n" })
    })

    test("a script that runs without mcp-exec is told so", async () => {
      const code =
        'import { callTool } from "mcp-exec"\nawait callTool("a", "b").catch((e) => console.log(e.code, e.hint))'
      const { stdout } = await runGuest(command, code, { MCP_EXEC_BROKER: "", MCP_EXEC_TOKEN: "" })
      expect(stdout).toBe("E_BROKER Start it with: mcp-exec exec <file>\n")
    })

    test("a broker that refuses the token is an error, not a hang", async () => {
      const code =
        'import { callTool } from "mcp-exec"\nawait callTool("a", "b").catch((e) => console.log(e.code, e.message))'
      const { stdout } = await runGuest(command, code, { MCP_EXEC_TOKEN: "wrong" })
      expect(stdout).toContain("E_BROKER mcp-exec refused this connection: the token is wrong")
    })
  })
}
