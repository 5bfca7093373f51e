import { describe, expect, test } from "bun:test"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject } from "../fixtures/project.ts"
import { connectHttp, connectStdio, eras, startHttp } from "./served.ts"

const form = {
  message: "Your name?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
}

const code = `import { callTool } from "mcp-exec"
const answers = []
for (const n of [1, 2]) {
  const { result } = await callTool("asks.ask", { method: "elicitation/create", params: ${JSON.stringify(form)} })
  answers.push(result)
}
answers`

for (const era of eras) {
  describe(`what a server asks while a script runs, in revision ${era},`, () => {
    test("is put to the client, whose answer goes back", async () => {
      using project = createProject({ servers: { asks: fixtureServer("asks") } })
      await using http = await startHttp(project)
      const asked: string[] = []
      const options = {
        era,
        capabilities: { elicitation: { form: {} } },
        prepare: (client: import("@modelcontextprotocol/client").Client) => {
          client.setRequestHandler("elicitation/create", ({ params }) => {
            asked.push(params.message)
            return { action: "accept", content: { name: `Ada ${asked.length}` } }
          })
        },
      }
      for (const connect of [() => connectStdio(project, options), () => connectHttp(http.url, options)]) {
        asked.length = 0
        await using served = await connect()
        const result = await served.run({ code })
        expect(asked).toEqual(["Server asks asks: Your name?", "Server asks asks: Your name?"])
        expect(JSON.parse(result.output)).toEqual([
          { action: "accept", content: { name: "Ada 1" } },
          { action: "accept", content: { name: "Ada 2" } },
        ])
      }
    })

    test("is declined when the client cannot be asked, or declines", async () => {
      using project = createProject({ servers: { asks: fixtureServer("asks") } })
      await using mute = await connectStdio(project, { era })
      expect(JSON.parse((await mute.run({ code })).output)).toEqual([{ action: "decline" }, { action: "decline" }])
      await using unwilling = await connectStdio(project, {
        era,
        capabilities: { elicitation: { form: {} } },
        prepare: (client) => client.setRequestHandler("elicitation/create", () => ({ action: "decline" })),
      })
      expect(JSON.parse((await unwilling.run({ code })).output)).toEqual([{ action: "decline" }, { action: "decline" }])
    })
  })
}

test("a script's time stands still while the user is asked, and goes on after", async () => {
  using project = createProject({ servers: { asks: fixtureServer("asks") } })
  await using served = await connectStdio(project, {
    capabilities: { elicitation: { form: {} } },
    prepare: (client) => {
      client.setRequestHandler("elicitation/create", async () => {
        await Bun.sleep(1500)
        return { action: "accept", content: { name: "Ada" } }
      })
    },
  })
  expect(await served.run({ code, timeout: 2 })).toMatchObject({ ok: true })
  expect(await served.run({ session: "s", code, timeout: 2 })).toMatchObject({
    ok: true,
  })
  const forever = `${code}\nawait new Promise((resolve) => setTimeout(resolve, 60_000))`
  expect(await served.run({ code: forever, timeout: 2 })).toMatchObject({
    ok: false,
    exitCode: 124,
    error: { code: "E_SCRIPT_TIMEOUT" },
  })
}, 30_000)

const sampling = {
  messages: [{ role: "user", content: { type: "text", text: "Say hi" } }],
  maxTokens: 10,
}
const sample = `import { callTool } from "mcp-exec"
await callTool("asks.ask", { method: "sampling/createMessage", params: ${JSON.stringify(sampling)} })`

for (const era of eras) {
  describe(`a model that a server asks for while a script runs, in revision ${era},`, () => {
    test("is the client's", async () => {
      using project = createProject({ servers: { asks: fixtureServer("asks") } })
      await using http = await startHttp(project)
      const said = { role: "assistant" as const, content: { type: "text" as const, text: "hi" }, model: "m" }
      const options = {
        era,
        capabilities: { sampling: {} },
        prepare: (client: import("@modelcontextprotocol/client").Client) => {
          client.setRequestHandler("sampling/createMessage", ({ params }) => {
            expect<unknown>(params).toMatchObject(sampling)
            return said
          })
        },
      }
      for (const connect of [() => connectStdio(project, options), () => connectHttp(http.url, options)]) {
        await using served = await connect()
        expect(JSON.parse((await served.run({ code: sample })).output)).toMatchObject({ result: said })
      }
    })

    test("is declined when the client has none", async () => {
      using project = createProject({ servers: { asks: fixtureServer("asks") } })
      await using served = await connectStdio(project, { era })
      const { error } = JSON.parse((await served.run({ code: sample })).output)
      expect(error).toMatchObject({ code: -1, message: expect.stringContaining("declined") })
    })
  })
}

describe("the answer to a question, in revision 2026-07-28,", () => {
  test("is asked for again when it is missing, and is an error of the protocol when nobody asked", async () => {
    using project = createProject({ servers: { asks: fixtureServer("asks") } })
    await using http = await startHttp(project)
    const call = { name: "execute_script", arguments: { code } }
    const first = await post(http.url, call)
    expect(first.result).toMatchObject({ resultType: "input_required", inputRequests: { answer: expect.anything() } })
    const { requestState } = first.result as { requestState: string }
    const again = await post(http.url, { ...call, requestState, inputResponses: { other: { action: "accept" } } })
    expect(again.result).toMatchObject({ resultType: "input_required", requestState })
    const accepted = { answer: { action: "accept", content: { name: "Ada" } } }
    await post(http.url, { ...call, requestState, inputResponses: accepted })
    const last = await post(http.url, { ...call, requestState, inputResponses: accepted })
    expect(last.result).toMatchObject({ resultType: "complete", structuredContent: { ok: true } })
    for (const inputResponses of [null, 5, {}, { answer: 5 }]) {
      const refused = await post(http.url, { ...call, inputResponses })
      expect(refused.error).toMatchObject({ code: -32602, message: expect.stringContaining("inputResponses") })
    }
    for (const state of [requestState, "made up"]) {
      const refused = await post(http.url, { ...call, requestState: state, inputResponses: accepted })
      expect(refused.error).toMatchObject({ code: -32602, message: expect.stringContaining("requestState") })
    }
  })
})

interface Reply {
  result?: Record<string, unknown>
  error?: { code: number; message: string }
}

async function post(url: string, params: { name: string } & Record<string, unknown>): Promise<Reply> {
  const key = "io.modelcontextprotocol/"
  const _meta = {
    [`${key}protocolVersion`]: "2026-07-28",
    [`${key}clientCapabilities`]: { elicitation: { form: {} } },
    [`${key}clientInfo`]: { name: "t", version: "1" },
  }
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": params.name,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, _meta } }),
  })
  const text = await response.text()
  return JSON.parse(/^data: (\{.*"id":1.*)$/m.exec(text)?.[1] ?? text)
}
