// The script's end of the connection, against a broker that is written by hand.
import { afterAll, afterEach, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Channel, RequestFailure } from "../../src/guest/channel.ts"
import { createLineReader } from "../../src/lines.ts"
import { type Listener, listen, type Socket } from "../../src/platform/socket.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-channel-"))
const text = "ä\n€😀 of a line\n".repeat(20_000)
const bytes = Buffer.byteLength(text)
let count = 0
let listener: Listener
afterEach(() => listener.close())
afterAll(() => rmSync(root, { recursive: true }))

interface Broker {
  channel: Channel
  /** Lines that have come, as they are. */
  heard: string[]
  heardOf(pattern: RegExp): Promise<string>
  send(...parts: (object | string)[]): void
  hangUp(): void
}

async function meet(welcome: object = { texts: true }): Promise<Broker> {
  const address = join(root, String(count++))
  const heard: string[] = []
  let peer: Socket | undefined
  const send = (...parts: (object | string)[]) => {
    for (const part of parts) peer?.send(typeof part === "string" ? part : `${JSON.stringify(part)}\n`)
  }
  listener = await listen(address, (socket) => {
    peer = socket
    const lines = createLineReader((line) => {
      heard.push(line)
      if (JSON.parse(line).type === "hello") send({ type: "welcome", version: 1, ...welcome })
    })
    return { data: (chunk) => lines.push(chunk), closed() {} }
  })
  const channel = new Channel({ MCP_EXEC_BROKER: address, MCP_EXEC_TOKEN: "token" })
  const heardOf = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const line = heard.find((each) => pattern.test(each))
      if (line !== undefined) return line
      await Bun.sleep(1)
    }
  }
  return { channel, heard, heardOf, send, hangUp: () => peer?.end() }
}

const result = (id: number) => ({ type: "result", id, value: "", texts: [{ at: ["value"], bytes }] })

describe("a channel", () => {
  test("says that it understands texts behind a line, and takes them", async () => {
    const { channel, heard, heardOf, send } = await meet()
    const answer = channel.request({ type: "a" })
    await heardOf(/"id":0/)
    expect(JSON.parse(heard[0] ?? "")).toEqual({ type: "hello", version: 1, token: "token", texts: true })
    send(result(0), text)
    expect(await answer).toBe(text)
  })

  test("takes each text with its own line, also with progress between them", async () => {
    const { channel, heardOf, send } = await meet()
    const told: unknown[] = []
    const answers = [
      channel.request({ type: "a" }, { onProgress: (each) => told.push(each) }),
      channel.request({ type: "b" }),
    ]
    await heardOf(/"id":1/)
    send(
      result(1),
      text,
      { type: "progress", id: 0, progress: 1 },
      { ...result(0), texts: [{ at: ["value"], bytes: 3 }] },
      "end",
    )
    expect(await Promise.all(answers)).toEqual(["end", text])
    expect(told).toEqual([{ progress: 1 }])
  })

  test("drops the text of a call that is cancelled while it comes, and goes on", async () => {
    const { channel, heardOf, send } = await meet()
    const controller = new AbortController()
    const cancelled = channel.request({ type: "a" }, { signal: controller.signal }).catch((failure) => failure)
    const next = channel.request({ type: "b" })
    await heardOf(/"id":1/)
    send(result(0), text.slice(0, 100_000))
    await Bun.sleep(20)
    controller.abort()
    expect(await cancelled).toBeInstanceOf(RequestFailure)
    await heardOf(/"cancel"/)
    send(text.slice(100_000), { type: "result", id: 1, value: "after" })
    expect(await next).toBe("after")
  })

  test("tells those who wait when a text ends too early", async () => {
    const { channel, heardOf, send, hangUp } = await meet()
    const answer = channel.request({ type: "a" }).catch((failure) => failure)
    await heardOf(/"id":0/)
    send(result(0), text.slice(0, 100_000))
    await Bun.sleep(20)
    hangUp()
    const failure = await answer
    expect(failure).toBeInstanceOf(RequestFailure)
    expect((failure as RequestFailure).description).toMatchObject({ code: "E_BROKER" })
  })

  test("sends a large text behind its line", async () => {
    const { channel, heardOf, send } = await meet()
    const first = channel.request({ type: "a" })
    await heardOf(/"id":0/)
    send({ type: "result", id: 0, value: 1 })
    await first
    channel.request({ type: "b", args: { large: "line\n".repeat(20_000) } }).catch(() => {})
    expect(JSON.parse(await heardOf(/"id":1/))).toEqual({
      type: "b",
      args: { large: "" },
      id: 1,
      texts: [{ at: ["args", "large"], bytes: 100_000 }],
    })
  })

  test("sends everything as JSON to a broker that does not know of texts", async () => {
    const { channel, heardOf, send } = await meet({})
    const first = channel.request({ type: "a", large: text })
    expect(JSON.parse(await heardOf(/"id":0/))).toEqual({ type: "a", large: text, id: 0 })
    send({ type: "result", id: 0, value: text })
    expect(await first).toBe(text)
    channel.request({ type: "b", large: text }).catch(() => {})
    expect(JSON.parse(await heardOf(/"id":1/))).toEqual({ type: "b", large: text, id: 1 })
  })
})
