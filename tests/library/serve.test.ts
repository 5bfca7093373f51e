import { describe, expect, test } from "bun:test"
import { PassThrough } from "node:stream"
import { fixtureServer } from "../fixtures/config.ts"
import { waitForEnd } from "../fixtures/project.ts"
import { connectHttp } from "../server/served.ts"
import { openProject } from "./instance.ts"

const files = { "skills/hello.ts": "console.log('hello')" }
const config = { mcpServers: { real: fixtureServer("echo") } }

describe("serve", () => {
  test("lets others use the instance's configuration over HTTP, until the instance is closed", async () => {
    await using opened = await openProject({ servers: { wrong: fixtureServer("hang") }, files }, { config })
    const serving = await opened.mcp.serve({ port: 0 })
    const url = serving.url ?? ""
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    await using served = await connectHttp(url)
    expect((await served.client.listTools()).tools.map(({ name }) => name)).toContain("execute_script")
    const code = 'import { callTool } from "mcp-exec"\nawait callTool("real.pid")'
    const { output } = await served.run({ code })
    expect(Number(output)).toBeGreaterThan(0)
    expect(await served.run({ skill: "hello" })).toMatchObject({ ok: true, output: "hello\n" })
    await opened.mcp.close()
    await Promise.all([serving.closed, serving.close(), waitForEnd(Number(output))])
    await expect(fetch(url)).rejects.toThrow()
  })

  test("serves one client on two streams", async () => {
    await using opened = await openProject({}, { config })
    const [input, output] = [new PassThrough(), new PassThrough()]
    const answers: string[] = []
    const { promise: listed, resolve } = Promise.withResolvers<void>()
    output.on("data", (chunk) => {
      answers.push(String(chunk))
      if (answers.join("").includes("execute_script")) resolve()
    })
    const serving = await opened.mcp.serve({ input, output })
    expect(serving.url).toBeUndefined()
    const clientInfo = { name: "test", version: "1" }
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello })}\n`)
    input.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`)
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" })}\n`)
    await listed
    input.end()
    await serving.closed
  })

  for (const token of [undefined, "short", "has blanks in the middle"]) {
    test(`lets no other machine in with the token ${token}`, async () => {
      await using opened = await openProject({}, { config })
      const serving = opened.mcp.serve({ port: 0, host: "0.0.0.0", ...(token !== undefined && { token }) })
      expect(await serving.catch((error) => error)).toMatchObject({ code: "E_USAGE", hint: expect.any(String) })
    })
  }

  test("rejects when the port is taken, and when the instance has been closed", async () => {
    await using opened = await openProject({}, { config })
    const serving = await opened.mcp.serve({ port: 0 })
    const port = Number(new URL(serving.url ?? "").port)
    expect(await opened.mcp.serve({ port }).catch((error) => error)).toMatchObject({ code: "E_USAGE" })
    await opened.mcp.close()
    expect(await opened.mcp.serve({ port: 0 }).catch((error) => error)).toMatchObject({ code: "E_STATE" })
  })
})
