import { expect, test } from "bun:test"
import * as sdk from "@modelcontextprotocol/server"
import { Core } from "../../src/server/core.ts"
import { HttpSessions } from "../../src/server/http-sessions.ts"
import { createProject, waitForEnd } from "../fixtures/project.ts"

const idleMs = 2000

test("a session that nobody uses ends, with what it has started; one that is used stays", async () => {
  using project = createProject()
  const env = { PATH: process.env.PATH, HOME: project.directory, MCP_EXEC_CACHE_DIR: project.path(".cache") }
  const core = new Core({ cwd: project.directory, env, log: () => {} })
  const sessions = new HttpSessions(core, sdk, 1 << 20, idleMs)
  try {
    const idle = await open(sessions)
    const args = { session: "s", code: "process.pid" }
    const call = { name: "execute_script", arguments: args }
    const { structuredContent } = await answerOf(await post(sessions, "tools/call", call, idle))
    const pid = Number(structuredContent.output)
    expect(pid).toBeGreaterThan(0)
    const used = await open(sessions)
    for (const deadline = performance.now() + idleMs * 2; performance.now() < deadline; await Bun.sleep(idleMs / 5)) {
      expect((await post(sessions, "tools/list", {}, used)).status).toBe(200)
    }
    expect((await post(sessions, "tools/list", {}, idle)).status).toBe(404)
    await waitForEnd(pid)
    expect((await post(sessions, "tools/list", {}, used)).status).toBe(200)
  } finally {
    await sessions.close()
    await core.close()
  }
})

async function open(sessions: HttpSessions): Promise<string> {
  const clientInfo = { name: "t", version: "1" }
  const response = await post(sessions, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo })
  await response.text()
  return response.headers.get("mcp-session-id") ?? ""
}

function post(sessions: HttpSessions, method: string, params: object, session?: string): Promise<Response> {
  return sessions.answer(
    new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...(session !== undefined && { "Mcp-Session-Id": session }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    }),
    "http",
  )
}

async function answerOf(response: Response) {
  const text = await response.text()
  return JSON.parse(/^data: (\{.*"id":1.*)$/m.exec(text)?.[1] ?? text).result
}
