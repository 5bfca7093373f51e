// Texts that follow a line as they are, between a host and a guest that is written by hand.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type BrokerEndpoint, createEndpoint } from "../../src/broker/endpoint.ts"
import { createHost, type ToolCallRecord } from "../../src/broker/host.ts"
import { type TextPlace, unpackMessage } from "../../src/broker/messages.ts"
import { serveEndpoint } from "../../src/broker/serve-endpoint.ts"
import { createLineReader, type LineReader } from "../../src/lines.ts"
import { ClientManager } from "../../src/mcp/manager.ts"
import { runtimeDirectory } from "../../src/platform/runtime-directory.ts"
import { connect, type Listener, type Socket } from "../../src/platform/socket.ts"
import { makeConfig, packageServer } from "../fixtures/config.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-large-"))
const everything = packageServer("@modelcontextprotocol/server-everything/dist/index.js", "stdio")
const manager = new ClientManager({
  loadConfig: async () =>
    makeConfig({ servers: { echo: { type: "builtin", name: "echo" }, everything }, directory: root }),
})
const large = "ä\n€😀 of a line\n".repeat(100_000)
const largeBytes = Buffer.byteLength(large)
let calls: ToolCallRecord[]
let listener: Listener

type Message = Record<string, unknown> & { texts?: TextPlace[] }

interface Guest {
  /** Sends lines, and whatever else is text. */
  send(...parts: (object | string)[]): void
  /** The next message, with its texts in place; `texts` says what followed it. */
  next(): Promise<Message | "closed">
  socket: Socket
}

beforeAll(() => manager.initialize())
afterEach(() => listener.close())
afterAll(async () => {
  await manager.close()
  rmSync(root, { recursive: true })
})

async function admitted(extra: object = { texts: true }): Promise<Guest> {
  calls = []
  const endpoint: BrokerEndpoint = createEndpoint(await runtimeDirectory({}, root))
  const { token } = endpoint
  listener = await serveEndpoint(endpoint, async () =>
    createHost({ token, manager: async () => manager, onCall: (call) => calls.push(call) }),
  )
  const guest = await open(endpoint.address)
  guest.send({ type: "hello", version: 1, token, ...extra })
  expect(await guest.next()).toEqual({ type: "welcome", version: 1, ...extra })
  return guest
}

async function open(address: string): Promise<Guest> {
  const received: (Message | "closed")[] = []
  const waiting: (() => void)[] = []
  const add = (message: Message | "closed") => {
    received.push(message)
    waiting.shift()?.()
  }
  const lines: LineReader = createLineReader((line) => {
    const message: Message = JSON.parse(line)
    const { texts: places } = message
    if (!Array.isArray(places)) return add(message)
    const sizes = places.map(({ bytes }) => bytes)
    lines.follow(sizes, (texts) => {
      expect(unpackMessage(message, places, texts)).toBe(true)
      add(message)
    })
  })
  const socket = await connect(address, { data: (chunk) => lines.push(chunk), closed: () => add("closed") })
  return {
    socket,
    send(...parts) {
      for (const part of parts) socket.send(typeof part === "string" ? part : `${JSON.stringify(part)}\n`)
    },
    async next() {
      while (received.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      return received.shift() as Message | "closed"
    },
  }
}

const call = (id: number, args: object = { text: "" }) => ({ type: "call", id, server: "echo", tool: "echo", args })
const place = (bytes: unknown = largeBytes, at: unknown = ["args", "text"]) => ({ texts: [{ at, bytes }] })

describe("a large text", () => {
  test("follows its line in both directions, and small calls are as before", async () => {
    const guest = await admitted()
    guest.send({ ...call(1), ...place() }, large, call(2, { n: 2 }))
    expect(await guest.next()).toEqual({
      type: "result",
      id: 1,
      value: { text: large },
      texts: [{ at: ["value", "text"], bytes: largeBytes }],
    })
    expect(await guest.next()).toEqual({ type: "result", id: 2, value: { n: 2 } })
    expect(calls).toMatchObject([{ ok: true }, { ok: true }])
    expect(calls[0]?.bytes).toBeGreaterThan(large.length)
  })

  test("is JSON for a guest that was generated before there was anything else", async () => {
    const guest = await admitted({})
    guest.send(call(1, { text: large }))
    expect(await guest.next()).toEqual({ type: "result", id: 1, value: { text: large } })
  })

  test("comes whole when several are under way, each behind its own line", async () => {
    const guest = await admitted()
    const texts = ["a", "b", "c"].map((letter) => letter.repeat(3_000_000))
    for (const [id, text] of texts.entries()) guest.send({ ...call(id), ...place(text.length) }, text)
    for (const [id, text] of texts.entries()) expect(await guest.next()).toMatchObject({ id, value: { text } })
  })

  test("may come slowly, while other answers and progress go out", async () => {
    const guest = await admitted()
    const args = { duration: 0.4, steps: 2 }
    const slow = { type: "call", id: 1, server: "everything", tool: "trigger-long-running-operation", args }
    guest.send({ ...slow, progress: true }, { ...call(2), ...place() })
    for (let at = 0; at < large.length; at += 300_000) {
      guest.send(large.slice(at, at + 300_000))
      await Bun.sleep(100)
    }
    const types: unknown[] = []
    for (let count = 0; count < 4; count++) {
      const message = await guest.next()
      if (message !== "closed") types.push(`${message.type} ${message.id}`)
      if (message !== "closed" && message.id === 2) expect(message.value).toEqual({ text: large })
    }
    expect(types.toSorted()).toEqual(["progress 1", "progress 1", "result 1", "result 2"])
  })

  test("that nobody waits for any more does not get into the way of the next message", async () => {
    const guest = await admitted()
    guest.send({ type: "call", id: 1, server: "echo", tool: "sleep", args: { ms: 60_000 } })
    guest.send({ ...call(2), ...place() }, large, { type: "cancel", id: 2 }, { type: "cancel", id: 1 }, call(3, {}))
    const answers = [await guest.next(), await guest.next(), await guest.next()]
    const byId = new Map(
      answers.map((answer) => (answer === "closed" ? [] : [answer.id, answer])) as [number, Message][],
    )
    expect(byId.get(1)).toMatchObject({ type: "error", error: { code: "E_TOOL_CANCELLED" } })
    expect(byId.get(3)).toMatchObject({ type: "result", value: {} })
  })
})

test("what a guest sends while the host is being loaded is not lost", async () => {
  const endpoint: BrokerEndpoint = createEndpoint(await runtimeDirectory({}, root))
  const { address, token } = endpoint
  listener = await serveEndpoint(endpoint, async () => {
    await Bun.sleep(100)
    return createHost({ token, manager: async () => manager })
  })
  const guest = await open(address)
  guest.send({ type: "hello", version: 1, token, texts: true }, { ...call(1), ...place() }, large)
  expect(await guest.next()).toMatchObject({ type: "welcome" })
  expect(await guest.next()).toMatchObject({ type: "result", value: { text: large } })
})

describe("a connection is refused", () => {
  const cases = [
    { name: "whose texts are no list", sent: [{ ...call(1), texts: true }], want: /protocol/ },
    { name: "whose list of texts is empty", sent: [{ ...call(1), texts: [] }], want: /protocol/ },
    { name: "that announces a text of no bytes", sent: [{ ...call(1), ...place(0) }], want: /protocol/ },
    { name: "that announces fewer bytes than none", sent: [{ ...call(1), ...place(-5) }], want: /protocol/ },
    { name: "that announces half a byte", sent: [{ ...call(1), ...place(1.5) }], want: /protocol/ },
    { name: "that announces a number of bytes as a word", sent: [{ ...call(1), ...place("9") }], want: /protocol/ },
    { name: "that announces more than a message may have", sent: [{ ...call(1), ...place(2 ** 40) }], want: /larger/ },
    {
      name: "whose texts are together more than a message may have",
      sent: [{ ...call(1), texts: Array.from({ length: 3 }, () => ({ at: ["args", "text"], bytes: 100 << 20 })) }],
      want: /larger/,
    },
    {
      name: "that announces a crowd of texts",
      sent: [{ ...call(1), texts: Array.from({ length: 100 }, () => ({ at: ["args", "text"], bytes: 1 })) }],
      want: /protocol/,
    },
    {
      name: "whose text belongs nowhere",
      sent: [{ ...call(1), ...place(3, ["args", "else"]) }, "abc"],
      want: /protocol/,
    },
    { name: "whose text has no place", sent: [{ ...call(1), ...place(3, []) }, "abc"], want: /protocol/ },
    {
      name: "whose text would replace something",
      sent: [{ ...call(1), ...place(3, ["tool"]) }, "abc"],
      want: /protocol/,
    },
    {
      name: "whose text would go to what all objects share",
      sent: [{ ...call(1), ...place(3, ["args", "__proto__", "text"]) }, "abc"],
      want: /protocol/,
    },
    {
      name: "whose text makes it another message",
      sent: [{ ...call(1), type: "", ...place(4, ["type"]) }, "sudo"],
      want: /protocol/,
    },
    {
      name: "that sends more than it has announced",
      sent: [{ ...call(1), ...place(3) }, "abcdef\n"],
      want: /not JSON/,
    },
  ]
  for (const { name, sent, want } of cases) {
    test(name, async () => {
      const guest = await admitted()
      guest.send(...sent)
      let answer = await guest.next()
      // What came before the fault may have been answered.
      if (answer !== "closed" && answer.type === "result") answer = await guest.next()
      expect(answer).toMatchObject({ type: "refused", error: { message: expect.stringMatching(want) } })
      let after = await guest.next()
      while (after !== "closed") after = await guest.next()
    })
  }

  test("that announces texts before it has shown a token, which are not waited for", async () => {
    await admitted()
    const endpoint = createEndpoint(await runtimeDirectory({}, root))
    listener.close()
    listener = await serveEndpoint(endpoint, async () => createHost({ token: "it", manager: async () => manager }))
    const stranger = await open(endpoint.address)
    stranger.send({ type: "hello", version: 1, token: "guess", ...place() })
    expect(await stranger.next()).toMatchObject({ type: "refused" })
  })
})

test("a text that ends too early makes no call, and a text that fails to come holds up nothing else", async () => {
  const guest = await admitted()
  guest.send({ type: "call", id: 1, server: "echo", tool: "sleep", args: { ms: 100 } })
  guest.send({ ...call(2), ...place() }, large.slice(0, 500_000))
  expect(await guest.next()).toMatchObject({ type: "result", id: 1 })
  guest.socket.end()
  expect(await guest.next()).toBe("closed")
  await Bun.sleep(50)
  expect(calls.map(({ tool }) => tool)).toEqual(["sleep"])
})
