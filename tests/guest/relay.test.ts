import { describe, expect, test } from "bun:test"
import { Relay, type RelayMessage } from "../../src/guest/relay.ts"
import type { Socket, SocketHandlers } from "../../src/platform/socket.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

/** A socket that keeps what it is sent, and takes it when it is told to. */
class Kept implements Socket {
  text = ""
  queued = 0
  isPaused = false
  hasEnded = false
  isSlow = false

  send(text: string): void {
    this.text += text
    if (this.isSlow) this.queued += text.length
  }
  pause(): void {
    this.isPaused = true
  }
  resume(): void {
    this.isPaused = false
  }
  keepAlive(): void {}
  end(): void {
    this.hasEnded = true
  }
}

/** Two ends that hear each other at once, and the sockets that the outer one has made. */
function pair() {
  const made: { socket: Kept; handlers: SocketHandlers }[] = []
  const heard: RelayMessage[] = []
  const outer: Relay = new Relay(
    (message) => inner.receive(message),
    async (handlers) => {
      const socket = new Kept()
      made.push({ socket, handlers })
      return socket
    },
  )
  const inner: Relay = new Relay((message) => {
    heard.push(message)
    outer.receive(message)
  })
  return { inner, outer, made, heard }
}

describe("a relay", () => {
  test("carries connections both ways, each on its own, also what comes before the other half is there", async () => {
    const { inner, made } = pair()
    const sockets = [new Kept(), new Kept()]
    const handlers = sockets.map((socket) => inner.take(socket))
    for (const [index, each] of handlers.entries()) each.data(bytes(`hello ${index}\n`))
    await Bun.sleep(0)
    expect(made.map(({ socket }) => socket.text)).toEqual(["hello 0\n", "hello 1\n"])
    made[1]?.handlers.data(bytes("welcome\n"))
    expect(sockets.map(({ text }) => text)).toEqual(["", "welcome\n"])
    handlers[0]?.closed()
    expect(made.map(({ socket }) => socket.hasEnded)).toEqual([true, false])
    made[1]?.handlers.closed()
    expect(sockets.map(({ hasEnded }) => hasEnded)).toEqual([true, true])
  })

  test("keeps characters in one piece that come in two", async () => {
    const { inner, made } = pair()
    const handlers = inner.take(new Kept())
    for (const byte of bytes("ä€😀")) handlers.data(Uint8Array.of(byte))
    await Bun.sleep(0)
    expect(made[0]?.socket.text).toBe("ä€😀")
  })

  test("passes on every character as it is, also where slices end and a stream begins", async () => {
    const { inner, made, heard } = pair()
    const text = `\ufeff${"😀".repeat(200_000)}`
    inner.take(new Kept()).data(bytes(text))
    await Bun.sleep(0)
    expect(made[0]?.socket.text === text).toBe(true)
    const slices = heard.flatMap((message) => (message.type === "broker" ? [message.text] : []))
    expect(slices.length).toBeGreaterThan(2)
    for (const slice of slices) expect(slice.isWellFormed()).toBe(true)
  })

  test("sends what is large in slices that a frame can hold", async () => {
    const { inner, made, heard } = pair()
    const text = "\0".repeat(500_000)
    inner.take(new Kept()).data(bytes(text))
    await Bun.sleep(0)
    expect(made[0]?.socket.text).toBe(text)
    for (const message of heard) expect(JSON.stringify(message).length).toBeLessThan(1 << 20)
  })

  test("stops its reader while the other end does not pass on what it was sent", async () => {
    const { inner, made } = pair()
    const socket = new Kept()
    const handlers = inner.take(socket)
    await Bun.sleep(0)
    const outside = made[0]
    if (outside === undefined) throw new Error("no connection was made")
    outside.socket.isSlow = true
    handlers.data(bytes("x".repeat(3 << 19)))
    await Bun.sleep(0)
    expect(socket.isPaused).toBe(true)
    outside.socket.queued = 0
    outside.handlers.drained?.()
    expect(socket.isPaused).toBe(false)
  })

  test("ends a connection that sends more than it may, and refuses a crowd", async () => {
    const made: Kept[] = []
    const sent: RelayMessage[] = []
    const relay = new Relay(
      (message) => sent.push(message),
      async () => {
        const socket = Object.assign(new Kept(), { isSlow: true })
        made.push(socket)
        return socket
      },
    )
    relay.receive({ type: "broker-open", id: 7 })
    await Bun.sleep(0)
    for (let count = 0; count < 5; count++) relay.receive({ type: "broker", id: 7, text: "x".repeat(1 << 20) })
    expect(made[0]?.hasEnded).toBe(true)
    expect(sent).toContainEqual({ type: "broker-end", id: 7 })
    for (let id = 100; id < 200; id++) relay.receive({ type: "broker-open", id })
    expect(sent.filter(({ type }) => type === "broker-end")).toHaveLength(1 + 36)
    relay.close()
    await Bun.sleep(0)
    expect(made.every(({ hasEnded }) => hasEnded)).toBe(true)
  })

  test("does not mind words about connections that it does not know", () => {
    const { outer } = pair()
    outer.receive({ type: "broker", id: 3, text: "x" })
    outer.receive({ type: "broker-taken", id: 3, length: 1 })
    outer.receive({ type: "broker-end", id: 3 })
  })

  test("tells the other end when there is nobody to connect to", async () => {
    const sent: RelayMessage[] = []
    const relay = new Relay(
      (message) => sent.push(message),
      () => Promise.reject(new Error("nobody listens")),
    )
    relay.receive({ type: "broker-open", id: 1 })
    await Bun.sleep(0)
    expect(sent).toEqual([{ type: "broker-end", id: 1 }])
  })
})
