// The example as its readers would use it, but for the model: that one is scripted.
import { afterAll, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { type ChatEvent, chat, findCode } from "../../examples/chat-backend/chat.ts"
import { compatibleModel } from "../../examples/chat-backend/compatible-model.ts"
import { createExecutor, type ExecutionResult, type ExecutorOptions } from "../../examples/chat-backend/executor.ts"
import { instructions } from "../../examples/chat-backend/instructions.ts"
import { createBackend } from "../../examples/chat-backend/server.ts"
import { waitForEnd } from "../fixtures/project.ts"
import { echo, openProject } from "../library/instance.ts"
import { codeReply, type ScriptedModel, scriptedModel } from "./scripted-model.ts"

const opened = await openProject({ servers: { echo }, files: { "skills/hello.ts": "console.log('hello')" } })
const { mcp, project } = opened
afterAll(() => opened[Symbol.asyncDispose]())

const question = [{ role: "user", content: "What is 20 + 22?" }] as const
const adds = codeReply(
  'import { callTool } from "mcp-exec"\nconsole.log((await callTool<{ sum: number }>("echo.add", { a: 20, b: 22 })).sum)',
)

async function play({ model }: ScriptedModel, options: ExecutorOptions & { maxRuns?: number } = {}) {
  const { maxRuns, ...executor } = options
  const execute = createExecutor(mcp, executor)
  const turn = { model, execute, messages: question, ...(maxRuns !== undefined && { maxRuns }) }
  const events = await Array.fromAsync(chat(turn))
  const results = events.flatMap((event) => (event.type === "result" ? event.result : []))
  return { events, results, kinds: events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]) }
}

const resultIn = (message: string): ExecutionResult => JSON.parse(message.slice(message.indexOf("{")))

describe("a turn", () => {
  test("runs the model's code and gives it the result", async () => {
    const scripted = scriptedModel([adds, (last) => `It is ${resultIn(last).output.trim()}.`])
    const { events, results, kinds } = await play(scripted)
    expect(kinds).toEqual(["text", "run", "output", "result", "text", "done"])
    expect(results).toEqual([{ success: true, output: "42\n", error: null, execution_time_ms: expect.any(Number) }])
    const messages = [
      ...question,
      { role: "assistant", content: adds },
      { role: "user", content: expect.stringContaining('"success":true') },
      { role: "assistant", content: "It is 42." },
    ]
    expect(events.at(-1)).toEqual({ type: "done", reason: "answered", messages } as never)
    expect(scripted.heard.map(({ length }) => length)).toEqual([1, 3])
  })

  test("without code is over after one reply", async () => {
    const { kinds, events } = await play(scriptedModel(["Hello. `1 + 1` is 2."]))
    expect(kinds).toEqual(["text", "done"])
    expect(events.map((event) => (event.type === "text" ? event.text : "")).join("")).toBe("Hello. `1 + 1` is 2.")
  })

  test("tells the model what is wrong with its code, and where", async () => {
    const scripted = scriptedModel([codeReply("const a = 1\nthrow new TypeError('boom ' + a)"), adds, "Done."])
    const { results } = await play(scripted)
    expect(results).toMatchObject([{ success: false, output: "" }, { success: true }])
    expect(results[0]?.error).toMatch(/boom 1[\s\S]*:2:/)
    expect(resultIn(scripted.heard[1]?.at(-1)?.content ?? "")).toEqual(results[0] as ExecutionResult)
  })

  test("stops listening at the end of the code: the rest is made up", async () => {
    const invented = "\nResult of the code: 41. So it is 41."
    const scripted = scriptedModel([`${adds}\n${invented}`, "Done."])
    const { events } = await play(scripted)
    expect(scripted.said.join("")).not.toContain("41")
    expect(JSON.stringify(events.at(-1))).not.toContain("41")
  })

  test("ends when the model runs code without end", async () => {
    const { events, results } = await play(scriptedModel([adds]), { maxRuns: 2 })
    expect(results).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ type: "done", reason: "too many runs" })
  })

  test("ends code that takes too long, and cuts what is too long to read", async () => {
    const endless = codeReply("for (;;) {}")
    const long = codeReply('console.log("a".repeat(5000) + "z".repeat(5000))')
    const ended = await play(scriptedModel([endless, "Done."]), { timeoutMs: 500 })
    expect(ended.results).toMatchObject([{ success: false, error: expect.stringContaining("E_SCRIPT_TIMEOUT") }])
    const cut = await play(scriptedModel([long, "Done."]), { maxOutputLength: 1000 })
    expect(cut.results[0]?.output).toMatch(/^a{500}\n… 9001 characters left out …\nz{499}\n$/)
  })

  test("makes a result of a script that could not be started", async () => {
    const { results } = await play(scriptedModel([adds, "Done."]), { sandbox: true, timeoutMs: 10_000_000 })
    expect(results).toMatchObject([{ success: false, output: "", error: expect.stringContaining("hint: ") }])
  })
})

const blocks = [
  { name: "none", reply: "no code, only `a`", want: undefined },
  { name: "unfinished", reply: "```ts\n1 + 1\n", want: undefined },
  { name: "another language", reply: "```json\n{}\n```\n", want: undefined },
  { name: "the first of two", reply: "```js\na\n```\n```ts\nb\n```", want: "a\n" },
  { name: "with backticks in it", reply: "```typescript\nconst a = `x\n ``\n`\n```", want: "const a = `x\n ``\n`\n" },
]

describe("code in a reply", () => {
  for (const { name, reply, want } of blocks) {
    test(name, () => expect(findCode(reply)?.code).toBe(want as string))
  }
})

test("the instructions name servers and skills", async () => {
  await mcp.generate()
  const text = await instructions(mcp)
  expect(text).toContain("Servers: echo (4 tools).")
  expect(text).toContain("Skills: hello.")
})

describe("over HTTP", () => {
  test("events come while the code runs", async () => {
    const go = project.path("go")
    const code = `console.log("started")
      while (!(await Bun.file(${JSON.stringify(go)}).exists())) await Bun.sleep(10)
      console.log("went on")`
    await using served = await serve(scriptedModel([codeReply(code), "Done."]))
    const kinds: string[] = []
    for await (const event of eventsOf(await served.post({ messages: question }))) {
      kinds.push(event.type)
      // Only what has arrived before its end lets the script go on.
      if (event.type === "output") writeFileSync(go, "")
    }
    expect(kinds.filter((kind) => kind !== "text")).toEqual(["run", "output", "output", "result", "done"])
  })

  test("a turn ends with the messages that the next one begins with", async () => {
    const scripted = scriptedModel([adds, "It is 42.", "Still 42."])
    await using served = await serve(scripted)
    const turn = async (messages: unknown) =>
      (await Array.fromAsync(eventsOf(await served.post({ messages })))).find((event) => event.type === "done")
    const first = await turn(question)
    const again = { role: "user", content: "Sure?" }
    const second = await turn([...(first?.messages ?? []), again])
    expect(second?.messages.map(({ role }) => role).join(" ")).toBe("user assistant user assistant user assistant")
    const heard = scripted.heard.at(-1)?.map(({ content }) => content) ?? []
    expect([heard.length, heard[0], heard[1], heard.at(-1)]).toEqual([
      6,
      "You are a test.",
      question[0].content,
      "Sure?",
    ])
  })

  test("a client that leaves ends the code", async () => {
    await using served = await serve(
      scriptedModel([codeReply("console.log(process.pid)\nsetInterval(() => {}, 1000)")]),
    )
    const leaving = new AbortController()
    let pid = 0
    const reading = async () => {
      for await (const event of eventsOf(await served.post({ messages: question }, leaving.signal))) {
        if (event.type !== "output") continue
        pid = Number(event.text)
        leaving.abort()
      }
    }
    await reading().catch(() => {})
    expect(pid).toBeGreaterThan(0)
    await waitForEnd(pid)
  })

  test("a model that fails is an event", async () => {
    const scripted = scriptedModel([
      () => {
        throw new Error("no model")
      },
    ])
    await using served = await serve(scripted)
    const events = await Array.fromAsync(eventsOf(await served.post({ messages: question })))
    expect(events as unknown[]).toEqual([{ type: "error", message: "Error: no model" }])
  })

  test("a request that makes no sense is refused", async () => {
    await using served = await serve(scriptedModel(["Hello."]))
    const own = [{ role: "system", content: "Obey." }]
    const bodies = ["", "{", "[]", { messages: [] }, { messages: own }, { messages: "x".repeat(2_000_000) }]
    const statuses = bodies.map(async (body) => (await served.post(body)).status)
    expect(await Promise.all(statuses)).toEqual(bodies.map(() => 400))
    expect((await fetch(served.url)).status).toBe(404)
  })

  test("a model behind an endpoint is understood", async () => {
    const pieces = ["It is ", "4", "2 – ü."]
    const asked: unknown[] = []
    using endpoint = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        asked.push([new URL(request.url).pathname, request.headers.get("authorization"), await request.json()])
        const deltas = pieces.map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
        return new Response([...deltas, 'data: {"choices":[]}\n\n', "data: [DONE]\n\n"].join(""))
      },
    })
    const model = compatibleModel({ url: `${endpoint.url}v1`, model: "small", key: "k" })
    expect(await Array.fromAsync(model(question))).toEqual(pieces)
    expect(asked).toEqual([
      ["/v1/chat/completions", "Bearer k", { model: "small", messages: [...question], stream: true }],
    ])
  })
})

async function serve({ model }: ScriptedModel) {
  const server = createBackend({ model, execute: createExecutor(mcp), system: "You are a test." })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`
  return {
    url,
    post: (body: unknown, signal?: AbortSignal) =>
      fetch(url, {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
        ...(signal && { signal }),
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function* eventsOf(response: Response): AsyncGenerator<ChatEvent> {
  let rest = ""
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    const parts = rest.split("\n\n")
    rest = parts.pop() ?? ""
    for (const part of parts) yield JSON.parse(part.replace(/^data: /, ""))
  }
}
