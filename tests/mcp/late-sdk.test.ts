import { describe, expect, test } from "bun:test"
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/client"
import { DirectTransport } from "../../src/mcp/direct-transport.ts"
import { greet, legacyRevisions } from "../../src/mcp/introduction.ts"
import { LateSdk } from "../../src/mcp/late-sdk.ts"
import { type ClientHooks, ourselves } from "../../src/mcp/ourselves.ts"
import { version } from "../../src/version.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { failureOf } from "./manager-fixture.ts"
import { Pipe, type Sent } from "./pipe-fixture.ts"

const introduction = { protocolVersion: "2025-06-18", serverInfo: { name: "s", version: "1" }, capabilities: {} }
const form = { message: "Which?", requestedSchema: { type: "object", properties: {} } }

/** A connection whose far end is the test; `told` is what came of what the server told. */
function connect(overrides: Partial<ClientHooks> = {}) {
  const told: unknown[] = []
  const hooks: ClientHooks = {
    roots: async () => [{ uri: "file:///w", name: "w" }],
    elicit: async () => ({ action: "accept", content: { a: 1 } }),
    log: (level, message) => void told.push(`${level}: ${message}`),
    progress: (token, progress) => void told.push([token, progress]),
    listsChanged: (methods) => void told.push(methods),
    ...overrides,
  }
  const pipe = new Pipe()
  const direct = new DirectTransport(pipe)
  const introduced = greet(direct, ourselves(hooks), 10_000)
  const sdk = new LateSdk(direct, hooks, introduced)
  introduced.catch(() => {})
  const answer = async (result: object = introduction) => {
    await eventually(() => pipe.sent.length > 0)
    pipe.say({ id: pipe.sent[0].id, result })
    return introduced
  }
  const replyTo = async (id: number | string): Promise<Sent> => {
    const find = () => pipe.sent.find((each) => each.id === id && each.method === undefined)
    await eventually(() => find() !== undefined)
    return find()
  }
  return { pipe, direct, sdk, told, introduced, answer, replyTo }
}

describe("the greeting", () => {
  test("says who we are, and what may be asked of us", async () => {
    const { pipe, answer } = connect()
    expect(await answer()).toMatchObject(introduction)
    const capabilities = { roots: {}, elicitation: { form: {}, url: {} } }
    const params = { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "mcp-exec", version } }
    expect(pipe.sent).toEqual([
      { jsonrpc: "2.0", id: expect.any(Number), method: "initialize", params },
      { jsonrpc: "2.0", method: "notifications/initialized" },
    ])
  })

  test("repairs what the server leaves out", async () => {
    const { answer } = connect()
    expect(await answer({ protocolVersion: "2024-11-05", capabilities: { tools: true, logging: null } })).toMatchObject(
      {
        serverInfo: { name: "unnamed", version: "unknown" },
        capabilities: { tools: {} },
      },
    )
  })

  test("takes the revisions that the SDK takes, and no others", async () => {
    expect(legacyRevisions).toEqual(SUPPORTED_PROTOCOL_VERSIONS)
    const { answer } = connect()
    expect((await failureOf(answer({ ...introduction, protocolVersion: "2099-01-01" }))).message).toContain(
      "2099-01-01",
    )
  })
})

describe("a server behind a pipe", () => {
  test("is answered at any time, also before it has introduced itself", async () => {
    const { pipe, answer, replyTo } = connect()
    pipe.say({ id: "p", method: "ping" })
    expect(await replyTo("p")).toEqual({ jsonrpc: "2.0", id: "p", result: {} })
    await answer()
    pipe.say({ id: 1, method: "roots/list" })
    expect(await replyTo(1)).toEqual({ jsonrpc: "2.0", id: 1, result: { roots: [{ uri: "file:///w", name: "w" }] } })
  })

  test("is told when its question cannot be answered", async () => {
    const { pipe, replyTo } = connect({ roots: () => Promise.reject(new Error("no folder")) })
    pipe.say({ id: 1, method: "roots/list" })
    expect(await replyTo(1)).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "no folder" } })
  })

  test("is heard, whatever it says", () => {
    const { pipe, told } = connect()
    pipe.say({ method: "notifications/tools/list_changed" })
    pipe.say({ method: "notifications/progress", params: { progressToken: 1, progress: 2, total: "many" } })
    pipe.say({ method: "notifications/progress", params: { progress: 2 } })
    pipe.say({ method: "notifications/message", params: { level: "warn", data: { a: 1 } } })
    pipe.say({ method: "notifications/unheard-of" })
    pipe.say({ id: 77, result: {} })
    expect(told).toEqual([
      ["tools/list"],
      [1, { progress: 2 }],
      'warning: {"a":1}',
      expect.stringContaining("reply to nothing"),
    ])
  })

  test("asks the user by way of the SDK, after which everything goes that way, in order", async () => {
    const { pipe, told, answer, replyTo } = connect()
    pipe.say({ id: 1, method: "elicitation/create", params: form })
    pipe.say({ method: "notifications/prompts/list_changed" })
    pipe.say({ id: 2, method: "ping" })
    await answer()
    expect(await replyTo(1)).toMatchObject({ result: { action: "accept", content: { a: 1 } } })
    expect(await replyTo(2)).toMatchObject({ result: {} })
    pipe.say({ id: 3, method: "roots/list" })
    expect(await replyTo(3)).toMatchObject({ result: { roots: [{ name: "w" }] } })
    expect(told).toEqual([["prompts/list"]])
    // It was introduced once, by whoever greeted it.
    expect(pipe.sent.filter(({ method }) => method?.startsWith("initialize"))).toHaveLength(1)
    expect(pipe.sent.filter(({ method }) => method === "notifications/initialized")).toHaveLength(1)
  })

  test("asks the user also when it says odd things of itself", async () => {
    const { pipe, answer, replyTo } = connect()
    await answer({ ...introduction, serverInfo: { title: 5 }, capabilities: { tools: { listChanged: "sometimes" } } })
    pipe.say({ id: 1, method: "elicitation/create", params: form })
    expect(await replyTo(1)).toMatchObject({ result: { action: "accept" } })
  })

  test("that goes away while the SDK is loaded does not ask any more", async () => {
    let asked = 0
    const { pipe, answer, direct, sdk } = connect({
      elicit: async () => ({ action: "accept", content: { asked: ++asked } }),
    })
    await answer()
    const lost = Promise.withResolvers<void>()
    sdk.whenLost(lost.resolve)
    pipe.say({ id: 1, method: "elicitation/create", params: form })
    await direct.close()
    await lost.promise
    await Bun.sleep(50)
    expect(asked).toBe(0)
  })

  test("is refused what we do not do", async () => {
    const { pipe, answer, replyTo } = connect()
    await answer()
    pipe.say({ id: 1, method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } })
    expect(await replyTo(1)).toMatchObject({ error: { code: -32601, message: expect.stringContaining("no model") } })
  })

  test("that goes away takes its question with it", async () => {
    let asked: AbortSignal | undefined
    const elicit: ClientHooks["elicit"] = (_, signal) => {
      asked = signal
      return new Promise(() => {})
    }
    const { pipe, sdk, answer } = connect({ elicit })
    await answer()
    let lost = 0
    sdk.whenLost(() => lost++)
    pipe.say({ id: 1, method: "elicitation/create", params: form })
    await eventually(() => asked !== undefined)
    await pipe.close()
    expect(asked?.aborted).toBe(true)
    expect(lost).toBe(1)
  })
})

test("a call over a pipe does not load the SDK", async () => {
  const program = `
    import { startManager } from ${JSON.stringify(`${import.meta.dir}/manager-fixture.ts`)}
    const manager = await startManager({ echo: ${JSON.stringify(fixtureServer("echo"))} })
    await manager.callTool("echo", "echo", { text: "a" })
    console.log(Object.keys(require.cache).filter((path) => path.includes("@modelcontextprotocol/client")))
    await manager.close()`
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", program])
  expect(stderr.toString()).toBe("")
  expect(stdout.toString()).toBe("[]\n")
})
