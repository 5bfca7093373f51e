// What becomes of a run whose client is asked something, and answers badly, or not at all.
import { describe, expect, test } from "bun:test"
import { callTool } from "../../src/server/call-tool.ts"
import { Core } from "../../src/server/core.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { createProject, isRunning, waitForEnd } from "../fixtures/project.ts"
import { connectHttp, connectStdio, startHttp } from "./served.ts"

const form = {
  message: "Your name?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
}

describe("a client that is asked", () => {
  const asks = (times: number) => `import { callTool } from "mcp-exec"
const actions = []
for (let at = 0; at < ${times}; at++) {
  const { result } = await callTool("asks.ask", { method: "elicitation/create", params: ${JSON.stringify(form)} })
  actions.push(result.action)
}
actions.join(" ")`
  const able = { capabilities: { elicitation: { form: {} } } }

  test("may be asked many times, in revision 2025-11-25", async () => {
    using project = createProject({ servers: { asks: fixtureServer("asks") } })
    await using served = await connectStdio(project, {
      ...able,
      prepare: (client) => client.setRequestHandler("elicitation/create", () => ({ action: "decline" })),
    })
    expect(await served.run({ code: asks(20) })).toMatchObject({ output: `${Array(20).fill("decline").join(" ")}\n` })
  })

  test("may fail: the server is told that its question was cancelled, and the script goes on", async () => {
    using project = createProject({ servers: { asks: fixtureServer("asks") } })
    await using served = await connectStdio(project, {
      ...able,
      prepare: (client) =>
        client.setRequestHandler("elicitation/create", () => {
          throw new Error("no screen")
        }),
    })
    expect(await served.run({ code: asks(2) })).toMatchObject({ ok: true, output: "cancel cancel\n" })
  })

  test("takes its run along when it goes meanwhile", async () => {
    using project = createProject({ servers: { asks: fixtureServer("asks") } })
    await using http = await startHttp(project)
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const never = new Promise<never>(() => {})
    const served = await connectHttp(http.url, {
      ...able,
      prepare: (client) =>
        client.setRequestHandler("elicitation/create", () => {
          resolve()
          return never
        }),
    })
    const file = project.path("pid")
    const call = served.run({ code: `await Bun.write(${JSON.stringify(file)}, String(process.pid))\n${asks(1)}` })
    call.catch(() => {})
    await asked
    const pid = Number(await Bun.file(file).text())
    expect(await isRunning(pid)).toBe(true)
    await served.client.close()
    await waitForEnd(pid)
  })

  test("takes its run along when it does not come back, in revision 2026-07-28", async () => {
    using project = createProject({ servers: { asks: fixtureServer("asks") } })
    const env = { PATH: process.env.PATH, HOME: project.directory, MCP_EXEC_CACHE_DIR: project.path(".cache") }
    const core = new Core({ cwd: project.directory, env, log: () => {} }, 4000)
    const file = project.path("pid")
    const code = `await Bun.write(${JSON.stringify(file)}, String(process.pid))\n${asks(1000)}`
    const call = {
      ...{ client: { key: "a" }, name: "execute_script", args: { code }, hasBadAnswers: false },
      ...{ signal: new AbortController().signal, canAnswer: () => true },
    }
    expect(await callTool(core, call)).toMatchObject({ resultType: "input_required" })
    const pid = Number(await Bun.file(file).text())
    await Bun.sleep(200)
    expect(await isRunning(pid)).toBe(true)
    await waitForEnd(pid)
    // The process is gone a moment before whoever waits for it knows.
    await eventually(() => core.executions.size === 0)
    await core.close()
  })
})
