import { afterAll, describe, expect, test } from "bun:test"
import { fixtureServer } from "../fixtures/config.ts"
import { echo, openProject } from "./instance.ts"

const asked: unknown[] = []
const opened = await openProject(
  {
    servers: {
      echo,
      real: fixtureServer("echo"),
      talks: fixtureServer("talkative"),
      asks: fixtureServer("asks"),
      hidden: { ...fixtureServer("echo"), tools: { deny: ["pid"] } },
    },
  },
  {
    elicit: async (request) => {
      asked.push(request)
      if (request.message === "Slowly?") await Bun.sleep(6000)
      return { action: "accept", content: { name: "Ada" } }
    },
    sample: async ({ server, params }) =>
      params.maxTokens === 0
        ? undefined
        : { role: "assistant", content: { type: "text", text: `hi, ${server}` }, model: "m" },
  },
)
const { mcp } = opened
afterAll(() => opened[Symbol.asyncDispose]())

describe("callTool", () => {
  test("takes server and tool, or both in one name", async () => {
    expect(await mcp.callTool("echo", "add", { a: 1, b: 2 })).toEqual({ sum: 3 })
    expect(await mcp.callTool("echo.add", { a: 1, b: 2 })).toEqual({ sum: 3 })
    expect(await mcp.callTool("real.echo")).toEqual({})
  })

  test("shares one connection between calls at once", async () => {
    const pids = await Promise.all(Array.from({ length: 50 }, () => mcp.callTool("real.pid")))
    expect(new Set(pids).size).toBe(1)
  })

  test("is cancelled alone, by its own signal", async () => {
    const controller = new AbortController()
    const [cancelled, other] = [
      mcp.callTool("real.wait", { ms: 60_000 }, { signal: controller.signal }).catch((error) => error),
      mcp.callTool("real", "wait", { ms: 300 }),
    ]
    controller.abort()
    expect(await cancelled).toMatchObject({ name: "ToolError", code: "E_TOOL_CANCELLED", server: "real", tool: "wait" })
    expect(await other).toBe("waited")
  })

  test("tells of progress, and the log of what servers say", async () => {
    const steps: (string | undefined)[] = []
    await mcp.callTool("talks.work", { steps: 2 }, { onProgress: ({ message }) => steps.push(message) })
    expect(steps).toEqual(["step 1", "step 2"])
    expect(opened.logged).toContainEqual({ level: "warning", message: expect.stringContaining("nearly done") })
  })

  test("lets a server ask, in calls and in scripts", async () => {
    const requestedSchema = { type: "object", properties: { name: { type: "string" } } }
    const args = { method: "elicitation/create", params: { message: "Who?", requestedSchema } }
    const want = { result: { action: "accept", content: { name: "Ada" } } }
    expect(await mcp.callTool("asks.ask", args)).toMatchObject(want)
    const code = `import { callTool } from "mcp-exec"
      console.log(JSON.stringify(await callTool("asks.ask", ${JSON.stringify(args)})))`
    expect(JSON.parse((await mcp.exec({ code })).stdout)).toMatchObject(want)
    expect(asked).toMatchObject([
      { server: "asks", message: "Who?" },
      { server: "asks", message: "Who?" },
    ])
  })

  test("lets a server ask for a model, and declines what the model does", async () => {
    const params = { messages: [{ role: "user", content: { type: "text", text: "Say hi" } }], maxTokens: 5 }
    const ask = (more: object) =>
      mcp.callTool("asks.ask", { method: "sampling/createMessage", params: { ...params, ...more } })
    expect(await ask({})).toMatchObject({ result: { content: { text: "hi, asks" }, model: "m" } })
    expect(await ask({ maxTokens: 0 })).toMatchObject({ error: { message: expect.stringContaining("declined") } })
  })

  test("stops the clock of scripts while somebody is asked", async () => {
    const args = {
      method: "elicitation/create",
      params: { message: "Slowly?", requestedSchema: { type: "object", properties: {} } },
    }
    const code = `import { callTool } from "mcp-exec"
      await callTool("asks.ask", ${JSON.stringify(args)})
      if (process.argv[2]) await new Promise((resolve) => setTimeout(resolve, 60_000))`
    expect(await mcp.exec({ code, timeoutMs: 5000 })).toMatchObject({ ok: true })
    expect(await mcp.exec({ code, args: ["stay"], timeoutMs: 5000 })).toMatchObject({
      exitCode: 124,
      error: { code: "E_SCRIPT_TIMEOUT" },
    })
  })

  const refused = [
    { name: "an unknown server", call: () => mcp.callTool("eco.add"), want: { code: "E_SERVER_UNKNOWN" } },
    { name: "an unknown tool", call: () => mcp.callTool("echo", "ad"), want: { code: "E_TOOL_UNKNOWN" } },
    {
      name: "a tool that the configuration hides",
      call: () => mcp.callTool("hidden.pid"),
      want: { code: "E_TOOL_DENIED" },
    },
    {
      name: "arguments that are no object",
      call: () => mcp.callTool("echo.add", 5 as never),
      want: { code: "E_USAGE" },
    },
    {
      name: "no time",
      call: () => mcp.callTool("echo.add", {}, { timeoutMs: -1 }),
      want: { code: "E_USAGE", message: expect.stringContaining("timeoutMs") },
    },
    { name: "a name that is none", call: () => mcp.callTool(undefined as never), want: { code: "E_USAGE" } },
  ]
  for (const { name, call, want } of refused) {
    test(`rejects ${name}`, async () => {
      expect(await call().catch((error) => error)).toMatchObject({
        ...want,
        message: want.message ?? expect.any(String),
      })
    })
  }
})
