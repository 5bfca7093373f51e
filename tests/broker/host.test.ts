import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type BrokerEndpoint, createEndpoint } from "../../src/broker/endpoint.ts"
import { createHost, type ToolCallRecord } from "../../src/broker/host.ts"
import { serveEndpoint } from "../../src/broker/serve-endpoint.ts"
import { createLineReader } from "../../src/lines.ts"
import { ClientManager } from "../../src/mcp/manager.ts"
import { runtimeDirectory } from "../../src/platform/runtime-directory.ts"
import { connect, type Listener, type Socket } from "../../src/platform/socket.ts"
import { fixtureServer, makeConfig } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-host-"))
const manager = new ClientManager({
  loadConfig: async () =>
    makeConfig({ servers: { echo: { type: "builtin", name: "echo" }, hang: fixtureServer("hang") }, directory: root }),
})
let directory: string
let endpoint: BrokerEndpoint
let listener: Listener
let calls: ToolCallRecord[]
let results: unknown[]

beforeAll(async () => {
  await manager.initialize()
  directory = await runtimeDirectory({}, root)
})
afterAll(async () => {
  await manager.close()
  rmSync(root, { recursive: true })
})

async function open(): Promise<void> {
  calls = []
  results = []
  endpoint = createEndpoint(directory)
  listener = await serveEndpoint(endpoint, async () =>
    createHost({
      token: endpoint.token,
      manager: async () => manager,
      onCall: (call) => calls.push(call),
      onResult: (...result) => results.push(result),
    }),
  )
}

interface Client {
  send(message: unknown): void
  raw(text: string): void
  next(): Promise<Record<string, unknown> | "closed">
  socket: Socket
}

async function client(): Promise<Client> {
  const received: (Record<string, unknown> | "closed")[] = []
  const waiting: (() => void)[] = []
  const add = (message: Record<string, unknown> | "closed") => {
    received.push(message)
    waiting.shift()?.()
  }
  const lines = createLineReader((line) => add(JSON.parse(line)))
  const socket = await connect(endpoint.address, { data: (chunk) => lines.push(chunk), closed: () => add("closed") })
  return {
    socket,
    send: (message) => socket.send(`${JSON.stringify(message)}\n`),
    raw: (text) => socket.send(text),
    async next() {
      while (received.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      return received.shift() as Record<string, unknown> | "closed"
    },
  }
}

const hello = () => ({ type: "hello", version: 1, token: endpoint.token })

async function admitted(): Promise<Client> {
  await open()
  const guest = await client()
  guest.send(hello())
  expect(await guest.next()).toEqual({ type: "welcome", version: 1 })
  return guest
}

describe("the endpoint", () => {
  test("is a socket in a folder that only the user may enter", async () => {
    await open()
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(statSync(endpoint.address).isSocket()).toBe(true)
    listener.close()
  })

  test("is gone once it is closed", async () => {
    await open()
    listener.close()
    expect(() => statSync(endpoint.address)).toThrow()
    expect(await client().catch(() => "refused")).toBe("refused")
  })
})

describe("a connection is refused", () => {
  const cases = [
    { name: "with a wrong token", messages: () => [JSON.stringify({ ...hello(), token: "guess" })], want: /token/ },
    { name: "without a hello", messages: () => ['{"type":"list-servers","id":0}'], want: /protocol/ },
    { name: "with another version", messages: () => [JSON.stringify({ ...hello(), version: 99 })], want: /protocol/ },
    { name: "that speaks garbage", messages: () => ["\u0000\u0001 garbage"], want: /not JSON/ },
    {
      name: "that sends an unknown message",
      messages: () => [JSON.stringify(hello()), '{"type":"sudo"}'],
      want: /protocol/,
    },
    {
      name: "whose call has no arguments object",
      messages: () => [JSON.stringify(hello()), '{"type":"call","id":1,"server":"echo","tool":"echo","args":[1]}'],
      want: /protocol/,
    },
    {
      name: "that uses an id twice at a time",
      messages: () => [
        JSON.stringify(hello()),
        '{"type":"call","id":1,"server":"echo","tool":"sleep","args":{"ms":500}}',
        '{"type":"call","id":1,"server":"echo","tool":"echo","args":{}}',
      ],
      want: /id 1 is in use/,
    },
  ]
  for (const { name, messages, want } of cases) {
    test(name, async () => {
      await open()
      const guest = await client()
      for (const message of messages()) guest.raw(`${message}\n`)
      let answer = await guest.next()
      if (answer !== "closed" && answer.type === "welcome") answer = await guest.next()
      expect(answer).toMatchObject({
        type: "refused",
        error: { code: "E_BROKER", message: expect.stringMatching(want) },
      })
      expect(await guest.next()).toBe("closed")
      listener.close()
    })
  }

  test("when the token was used before", async () => {
    const first = await admitted()
    const second = await client()
    second.send(hello())
    expect(await second.next()).toMatchObject({ type: "refused" })
    first.send({ type: "list-servers", id: 7 })
    expect(await first.next()).toMatchObject({ type: "result", id: 7 })
    listener.close()
  })

  test("when it says too much before it shows a token", async () => {
    await open()
    const stranger = await client()
    stranger.raw(" ".repeat(70_000))
    expect(await stranger.next()).toMatchObject({
      type: "refused",
      error: { message: expect.stringMatching(/too much/) },
    })
    expect(await stranger.next()).toBe("closed")
    listener.close()
  })

  test("when there is a crowd without tokens, until it has gone", async () => {
    await open()
    const crowd: Client[] = []
    for (let count = 0; count < 33; count++) {
      const stranger = await client()
      stranger.raw("{")
      crowd.push(stranger)
    }
    expect(await crowd.at(-1)?.next()).toMatchObject({ type: "refused" })
    for (const stranger of crowd) stranger.socket.end()
    const answerToNext = async () => {
      const guest = await client()
      guest.send(hello())
      return await guest.next()
    }
    await eventually(answerToNext, (answer) => answer !== "closed" && answer.type === "welcome")
    listener.close()
  })

  test("when nothing but half a message ever comes, and nobody else suffers", async () => {
    const guest = await admitted()
    const silent = await client()
    silent.raw('{"type":"hel')
    guest.send({ type: "call", id: 1, server: "echo", tool: "add", args: { a: 1, b: 1 } })
    expect(await guest.next()).toMatchObject({ id: 1, value: { sum: 2 } })
    listener.close()
  })
})

describe("requests", () => {
  test("are answered as they finish, not as they came", async () => {
    const guest = await admitted()
    guest.send({ type: "call", id: 1, server: "echo", tool: "sleep", args: { ms: 200 } })
    guest.send({ type: "call", id: 2, tool: "echo__echo", args: { now: true } })
    expect(await guest.next()).toEqual({ type: "result", id: 2, value: { now: true } })
    expect(await guest.next()).toMatchObject({ type: "result", id: 1 })
    expect(calls.map(({ server, tool, ok }) => ({ server, tool, ok }))).toEqual([
      { server: "echo", tool: "echo", ok: true },
      { server: "echo", tool: "sleep", ok: true },
    ])
    listener.close()
  })

  test("that fail say server, tool, code and message", async () => {
    const guest = await admitted()
    guest.send({ type: "call", id: 1, server: "echo", tool: "fail", args: { message: "no" } })
    const error = { code: "E_TOOL_FAILED", message: "no", server: "echo", tool: "fail" }
    expect(await guest.next()).toMatchObject({ type: "error", id: 1, error })
    guest.send({ type: "call", id: 2, server: "nobody", tool: "x", args: {} })
    expect(await guest.next()).toMatchObject({ type: "error", id: 2, error: { code: "E_SERVER_UNKNOWN" } })
    guest.send({ type: "list-tools", id: 3, server: "nobody" })
    expect(await guest.next()).toMatchObject({ type: "error", id: 3, error: { code: "E_SERVER_UNKNOWN" } })
    listener.close()
  })

  test("teach what tools answer, unless they failed or want the answer raw", async () => {
    const guest = await admitted()
    guest.send({ type: "call", id: 1, tool: "echo.echo", args: { n: 1 } })
    await guest.next()
    guest.send({ type: "call", id: 2, server: "echo", tool: "fail", args: { message: "no" } })
    await guest.next()
    guest.send({ type: "call", id: 3, server: "echo", tool: "echo", args: { n: 2 }, raw: true })
    await guest.next()
    guest.send({ type: "list-tools", id: 4, server: "echo" })
    await guest.next()
    expect(results).toEqual([["echo", "echo", { n: 1 }, { n: 1 }]])
    listener.close()
  })

  test("can be cancelled, one by one", async () => {
    const guest = await admitted()
    guest.send({ type: "call", id: 1, server: "echo", tool: "sleep", args: { ms: 60_000 } })
    guest.send({ type: "cancel", id: 1 })
    expect(await guest.next()).toMatchObject({ type: "error", id: 1, error: { code: "E_TOOL_CANCELLED" } })
    listener.close()
  })

  test("are cancelled when the script goes away", async () => {
    const guest = await admitted()
    guest.send({ type: "call", id: 1, server: "hang", tool: "hang", args: {} })
    await Bun.sleep(200)
    guest.socket.end()
    while (calls.length === 0) await Bun.sleep(5)
    expect(calls).toMatchObject([{ server: "hang", tool: "hang", ok: false }])
    listener.close()
  })
})
