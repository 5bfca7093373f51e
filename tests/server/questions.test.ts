import { describe, expect, test } from "bun:test"
import { Questions } from "../../src/server/questions.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject } from "../fixtures/project.ts"
import { type Connected, connectHttp, connectStdio, type Era, eras, startHttp } from "./served.ts"

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
        await Bun.sleep(3000)
        return { action: "accept", content: { name: "Ada" } }
      })
    },
  })
  // Two questions take six seconds.
  expect(await served.run({ code, timeout: 5 })).toMatchObject({ ok: true })
  expect(await served.run({ session: "s", code, timeout: 5 })).toMatchObject({
    ok: true,
  })
  const forever = `${code}\nawait new Promise((resolve) => setTimeout(resolve, 60_000))`
  expect(await served.run({ code: forever, timeout: 5 })).toMatchObject({
    ok: false,
    exitCode: 124,
    error: { code: "E_SCRIPT_TIMEOUT" },
  })
}, 120_000)

describe("when scripts of several clients run at once", () => {
  const ask = (server: string) => `import { callTool } from "mcp-exec"
(await callTool("${server}.ask", { method: "elicitation/create", params: ${JSON.stringify(form)} })).result`

  /** A client that answers with its own name, when it is let. */
  const connect = (url: string, name: string, era: Era, until: () => Promise<unknown> = async () => {}) =>
    connectHttp(url, {
      era,
      name,
      capabilities: { elicitation: { form: {} } },
      prepare: (client) =>
        client.setRequestHandler("elicitation/create", async () => {
          await until()
          return { action: "accept", content: { name } }
        }),
    })
  const told = async (client: Connected, code: string) => JSON.parse((await client.run({ code })).output)

  for (const era of eras) {
    test(`each is asked what its own calls lead to, in revision ${era}`, async () => {
      const servers = { asks: fixtureServer("asks"), other: fixtureServer("asks") }
      using project = createProject({ servers })
      await using http = await startHttp(project)
      const { promise: both, resolve } = Promise.withResolvers<void>()
      let asked = 0
      // Neither is answered before both have been asked: so they are under way at the same time.
      const meet = () => {
        asked += 1
        if (asked === 2) resolve()
        return both
      }
      await using ada = await connect(http.url, "Ada", era, meet)
      await using bob = await connect(http.url, "Bob", "2025-11-25", meet)
      const answers = await Promise.all([told(ada, ask("asks")), told(bob, ask("other"))])
      expect(answers).toEqual([
        { action: "accept", content: { name: "Ada" } },
        { action: "accept", content: { name: "Bob" } },
      ])
    })

    test(`a script that calls nobody does not keep another from being asked, in revision ${era}`, async () => {
      using project = createProject({ servers: { asks: fixtureServer("asks") } })
      await using http = await startHttp(project)
      await using idle = await connect(http.url, "Idle", "2025-11-25")
      await using ada = await connect(http.url, "Ada", era)
      const stop = new AbortController()
      const { promise: begun, resolve } = Promise.withResolvers<void>()
      const options = { signal: stop.signal, onprogress: () => resolve() }
      const sleeping = idle.run({ code: "console.log('on'); await Bun.sleep(60_000)" }, options)
      sleeping.catch(() => {})
      await begun
      expect(await told(ada, ask("asks"))).toEqual({ action: "accept", content: { name: "Ada" } })
      stop.abort()
      await sleeping.catch(() => {})
    })
  }

  test("a question that may be of either is declined", async () => {
    using project = createProject({ servers: { asks: fixtureServer("asks") } })
    await using http = await startHttp(project)
    const { promise: bobIsTold, resolve } = Promise.withResolvers<void>()
    const { promise: adaIsAsked, resolve: askAda } = Promise.withResolvers<void>()
    await using ada = await connect(http.url, "Ada", "2025-11-25", () => {
      askAda()
      return bobIsTold
    })
    await using bob = await connect(http.url, "Bob", "2026-07-28")
    const first = told(ada, ask("asks"))
    await adaIsAsked
    expect(await told(bob, ask("asks"))).toEqual({ action: "decline" })
    resolve()
    expect(await first).toEqual({ action: "accept", content: { name: "Ada" } })
  })
})

describe("of the scripts of one client that call a server,", () => {
  const request = { server: "asks", message: "Who?" }
  const accepted = { kind: "elicit", answer: { action: "accept", content: { name: "Ada" } } } as const
  const forever = new Promise<never>(() => {})

  test("another is asked when the first is over before it is answered", async () => {
    const questions = new Questions()
    const [first, last] = [questions.open("a", () => true), questions.open("a", () => true)]
    for (const each of [first, last]) void questions.during(each, "asks", () => forever)
    const answer = questions.elicit(request)
    expect(await last.next(forever)).toMatchObject({ kind: "question", question: { request } })
    last.end()
    expect(await first.next(forever)).toMatchObject({ kind: "question", question: { request } })
    first.answer(accepted)
    expect(await answer).toEqual(accepted.answer)
  })

  test("only the one is asked where several clients look the same", async () => {
    const questions = new Questions()
    const open = () => questions.open("a", () => true, { isShared: true })
    const [first, last] = [open(), open()]
    void questions.during(first, "asks", () => forever)
    const answer = questions.elicit(request)
    void questions.during(last, "asks", () => forever)
    expect(await questions.elicit(request)).toEqual({ action: "decline" })
    expect(await first.next(forever)).toMatchObject({ kind: "question" })
    first.answer(accepted)
    expect(await answer).toEqual(accepted.answer)
  })

  test("none is asked for a tool that runs no script", async () => {
    const questions = new Questions()
    const script = questions.open("a", () => true)
    void questions.during(script, "asks", () => forever)
    void questions.during(undefined, "asks", () => forever)
    expect(await questions.elicit(request)).toEqual({ action: "decline" })
    expect(await questions.sample({ server: "asks", params: {} })).toBeUndefined()
  })

  test("none is asked any more when its call is over", async () => {
    const questions = new Questions()
    const script = questions.open("a", () => true)
    await questions.during(script, "asks", async () => 1)
    expect(await questions.elicit(request)).toEqual({ action: "decline" })
  })
})

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
