import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject, isRunning, type Project, waitForEnd } from "../fixtures/project.ts"
import { connectHttp, eras, type Listening, startHttp } from "./served.ts"

let project: Project
let server: Listening

beforeAll(async () => {
  project = createProject({ servers: { echo: fixtureServer("echo") } })
  server = await startHttp(project)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  project[Symbol.dispose]()
})

const hello = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })
}

for (const era of eras) {
  describe(`over HTTP, in revision ${era},`, () => {
    test("tools are listed, called and told of their progress", async () => {
      await using served = await connectHttp(server.url, { era })
      expect((await served.client.listTools()).tools).toHaveLength(4)
      const heard: string[] = []
      const go = project.path(`go-${era}`)
      const onprogress = ({ message }: { message?: string }) => {
        heard.push(message ?? "")
        writeFileSync(go, "")
      }
      // Only what is told before its end lets the script go on.
      const wait = `while (!(await Bun.file(${JSON.stringify(go)}).exists())) await Bun.sleep(10)`
      const result = await served.run({ code: `console.log('a'); ${wait}; 5` }, { onprogress })
      expect(result).toMatchObject({ ok: true, output: "a\n5\n" })
      expect(heard[0]).toBe("a\n")
      expect((await served.call("generate_wrappers")).text).toContain("echo: 7 tools")
      expect((await served.call("search_tools", { query: "echo" })).text).toContain("echo.echo")
      expect(await served.run({ session: "s", code: "const x = 1" })).toMatchObject({ ok: true })
      expect(await served.run({ session: "s", code: "x" })).toMatchObject({ output: "1\n" })
      expect((await served.client.listPrompts()).prompts).toHaveLength(1)
    })

    test("two clients work at once, and do not see each other's sessions", async () => {
      await using first = await connectHttp(server.url, { era })
      await using second = await connectHttp(server.url, { era: "2025-11-25" })
      const runs = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? first : second).run({ code: `${at} * 2` }))
      expect((await Promise.all(runs)).map(({ output }) => Number(output))).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18])
      await first.run({ session: "mine", code: "const secret = 1" })
      expect(await second.run({ session: "mine", code: "secret" })).toMatchObject({ ok: false })
    })

    test("a run ends when its call is cancelled, and when its client goes", async () => {
      for (const leave of ["cancel", "close"]) {
        const file = project.path(`pid-${era}-${leave}`)
        const served = await connectHttp(server.url, { era })
        const stop = new AbortController()
        const code = `await Bun.write(${JSON.stringify(file)}, String(process.pid)); await new Promise((r) => setTimeout(r, 60000))`
        const call = served.run({ code }, { signal: stop.signal })
        call.catch(() => {})
        const pid = await readPid(file)
        expect(await isRunning(pid)).toBe(true)
        if (leave === "cancel") stop.abort()
        else await served.client.close()
        await waitForEnd(pid)
        await served.client.close()
      }
    })
  })
}

describe("a connection that is cut without a word", () => {
  const call = (file: string) => ({
    name: "execute_script",
    arguments: {
      code: `await Bun.write(${JSON.stringify(file)}, String(process.pid)); await new Promise((r) => setTimeout(r, 60000))`,
    },
  })
  const cut = async (body: object, headers: Record<string, string>, file: string) => {
    const stop = new AbortController()
    const answer = fetch(server.url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify(body),
      signal: stop.signal,
    }).then((response) => response.text())
    answer.catch(() => {})
    const pid = await readPid(file)
    expect(await isRunning(pid)).toBe(true)
    stop.abort()
    await waitForEnd(pid)
  }

  test("ends its run, in revision 2025-11-25", async () => {
    const file = project.path("cut-legacy")
    const greeted = await post(server.url, hello)
    const session = greeted.headers.get("mcp-session-id") as string
    await greeted.text()
    const request = { jsonrpc: "2.0", id: 2, method: "tools/call", params: call(file) }
    await cut(request, { "Mcp-Session-Id": session }, file)
    // The session is still there for the client that comes back.
    const listed = await post(server.url, { ...request, method: "tools/list" }, { "Mcp-Session-Id": session })
    expect(listed.status).toBe(200)
  })

  test("ends its run, in revision 2026-07-28", async () => {
    const file = project.path("cut-modern")
    const key = "io.modelcontextprotocol/"
    const _meta = { [`${key}protocolVersion`]: "2026-07-28", [`${key}clientCapabilities`]: {} }
    const headers = {
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": "execute_script",
    }
    const params = { ...call(file), _meta }
    await cut({ jsonrpc: "2.0", id: 2, method: "tools/call", params }, headers, file)
  })
})

test("two programs behind one address have sessions of their own, in revision 2026-07-28", async () => {
  const era = "2026-07-28"
  await using first = await connectHttp(server.url, { era, name: "first" })
  await using second = await connectHttp(server.url, { era, name: "second" })
  expect(await first.run({ session: "same", code: "const secret = 1" })).toMatchObject({ ok: true })
  expect(await second.run({ session: "same", code: "secret" })).toMatchObject({ ok: false })
  expect(await first.run({ session: "same", code: "secret" })).toMatchObject({ output: "1\n" })
})

describe("who may ask", () => {
  test("nobody with another host or origin", async () => {
    expect((await post(server.url, hello, { Host: "evil.example" })).status).toBe(403)
    expect((await post(server.url, hello, { Origin: "https://evil.example" })).status).toBe(403)
    expect((await post(server.url, hello, { Origin: "null" })).status).toBe(403)
    expect((await post(server.url, hello, { Origin: "http://localhost:3000" })).status).toBe(200)
  })

  test("nobody at another path, in another way, or with too much", async () => {
    expect((await post(server.url.replace("/mcp", "/"), hello)).status).toBe(404)
    expect((await post(server.url, hello, { "Content-Type": "text/plain" })).status).toBe(415)
    expect((await post(server.url, "x".repeat(5 << 20))).status).toBe(413)
    expect((await post(server.url, "{ nonsense")).status).toBe(400)
    expect((await post(server.url, { ...hello, method: "tools/list" })).status).toBe(400)
    const stranger = { "Mcp-Session-Id": crypto.randomUUID() }
    expect((await post(server.url, { ...hello, method: "tools/list" }, stranger)).status).toBe(404)
    expect((await fetch(server.url, { method: "PUT" })).status).toBeGreaterThanOrEqual(400)
  })

  test("only who knows the token, where there is one", async () => {
    const token = "a-token-of-some-length"
    writeFileSync(project.path("token"), `${token}\n`, { mode: 0o600 })
    const starts = [
      { args: ["--token-file", "token"], http: "0.0.0.0:0" },
      { env: { MCP_EXEC_SERVE_TOKEN: token }, http: "0" },
    ]
    for (const start of starts) {
      await using guarded = await startHttp(project, start)
      const url = guarded.url.replace("0.0.0.0", "127.0.0.1")
      const refused = await post(url, hello)
      expect(refused.status).toBe(401)
      expect(refused.headers.get("WWW-Authenticate")).toStartWith("Bearer")
      expect((await post(url, hello, { Authorization: "Bearer wrong" })).status).toBe(401)
      expect((await post(url, hello, { Authorization: `Basic ${token}` })).status).toBe(401)
      await using served = await connectHttp(url, { token })
      const seen = await served.run({ code: "Object.entries(process.env).flat().join(' ')" })
      expect(seen.ok).toBe(true)
      expect(seen.output).not.toContain(token)
    }
  })
})

describe("a server over HTTP", () => {
  test("stops at SIGTERM with everything it has started", async () => {
    const own = await startHttp(project)
    const served = await connectHttp(own.url)
    const { output } = await served.run({ code: 'import { callTool } from "mcp-exec"\nawait callTool("echo.pid")' })
    await served.run({ session: "a", code: "1" })
    const session = Number((await served.run({ session: "a", code: "process.pid" })).output)
    const file = project.path("pid-at-end")
    const call = served.run({
      code: `await Bun.write(${JSON.stringify(file)}, String(process.pid)); await new Promise((r) => setTimeout(r, 60000))`,
    })
    const answered = call.then(({ error }) => error?.code).catch(() => "lost")
    const script = await readPid(file)
    expect(await own.end()).toBe(143)
    await Promise.all([Number(output), session, script].map((pid) => waitForEnd(pid)))
    // It was told how its call ended before the connection was.
    expect(await answered).toBe("E_TOOL_CANCELLED")
    await served.client.close().catch(() => {})
  })

  test("counts the calls of all sessions of a client as one", async () => {
    using limited = createProject({ config: { serve: { callsPerMinute: 1 } } })
    await using own = await startHttp(limited)
    const codes: (string | undefined)[] = []
    for (const era of [...eras, ...eras]) {
      await using served = await connectHttp(own.url, { era })
      codes.push((await served.run({ code: "1" })).error?.code)
    }
    expect(codes).toEqual([undefined, "E_LIMIT", "E_LIMIT", "E_LIMIT"])
  })

  test("has room for so many sessions, and forgets the idlest", async () => {
    const ids: string[] = []
    for (let at = 0; at < 129; at += 1) {
      const response = await post(server.url, hello)
      ids.push(response.headers.get("mcp-session-id") ?? "")
      await response.text()
    }
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" }
    expect((await post(server.url, list, { "Mcp-Session-Id": ids[0] as string })).status).toBe(404)
    expect((await post(server.url, list, { "Mcp-Session-Id": ids[128] as string })).status).toBe(200)
    const gone = await fetch(server.url, { method: "DELETE", headers: { "Mcp-Session-Id": ids[128] as string } })
    expect(gone.status).toBe(200)
    expect((await post(server.url, list, { "Mcp-Session-Id": ids[128] as string })).status).toBe(404)
  })

  test("survives a server that dies", async () => {
    await using served = await connectHttp(server.url)
    const pid = await served.run({ code: 'import { callTool } from "mcp-exec"\nawait callTool("echo.pid")' })
    process.kill(Number(pid.output), "SIGKILL")
    const again = await served.run({ code: 'import { callTool } from "mcp-exec"\nawait callTool("echo.pid")' })
    const result = again.ok
      ? again
      : await served.run({ code: 'import { callTool } from "mcp-exec"\nawait callTool("echo.pid")' })
    expect(result.ok).toBe(true)
    expect(result.output).not.toBe(pid.output)
  })
})

async function readPid(file: string): Promise<number> {
  for (;;) {
    const text = await Bun.file(file)
      .text()
      .catch(() => "")
    if (text !== "") return Number(text)
    await Bun.sleep(10)
  }
}
