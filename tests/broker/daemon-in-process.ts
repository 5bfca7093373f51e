// A daemon inside the test's own process, and raw connections to it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { daemonAddress } from "../../src/broker/daemon-address.ts"
import { createLineReader } from "../../src/lines.ts"
import { type ServeDaemonInput, serveDaemon } from "../../src/operations/daemon/serve.ts"
import { connect } from "../../src/platform/socket.ts"
import type { ServerInput } from "../fixtures/config.ts"

// biome-ignore lint/suspicious/noExplicitAny: whatever comes over the wire
type Message = any

export interface TestDaemon extends AsyncDisposable {
  directory: string
  file: string
  address: string
  log(): Promise<string>
  /** Settles when it has ended. */
  ended: Promise<void>
  open(): Promise<Wire>
  /** Registers a run; resolves to its control connection. */
  attach(token: string, more?: object): Promise<Wire>
  /** Connects as the script of a run. */
  hello(token: string): Promise<Wire>
}

export interface Wire {
  send(message: unknown): void
  /** The next message; undefined when the connection is closed. */
  next(): Promise<Message>
  /** The next message of a type. */
  wait(type: string): Promise<Message>
  close(): void
  isClosed(): boolean
}

export async function startTestDaemon(
  servers: Record<string, ServerInput>,
  limits?: ServeDaemonInput["limits"],
): Promise<TestDaemon> {
  const directory = mkdtempSync(join(tmpdir(), "mcp-exec-daemon-"))
  mkdirSync(join(directory, "run"), { mode: 0o700 })
  const file = join(directory, "mcp_config.json")
  writeFileSync(file, JSON.stringify({ mcpServers: servers }))
  const ending = new AbortController()
  const env = { PATH: process.env.PATH, HOME: directory, MCP_EXEC_CACHE_DIR: join(directory, "cache") }
  const address = await daemonAddress(join(directory, "run"), file, env)
  const ended = serveDaemon({ file, address, warm: [], env, signal: ending.signal, ...(limits && { limits }) })
  const open = () => openWire(address)
  const probe = async () => {
    for (;;) {
      const wire = await open().catch(() => undefined)
      if (wire !== undefined) return wire.close()
      await Bun.sleep(5)
    }
  }
  await probe()
  const say = async (message: object, answer: string) => {
    const wire = await open()
    wire.send(message)
    await wire.wait(answer)
    return wire
  }
  return {
    directory,
    file,
    address,
    ended,
    open,
    attach: (token, more = {}) =>
      say({ type: "attach", version: 1, token, records: true, env: {}, ...more }, "attached"),
    hello: (token) => say({ type: "hello", version: 1, token }, "welcome"),
    async log() {
      const names = new Bun.Glob("daemon/*").scanSync(join(directory, "cache"))
      return (await Promise.all([...names].map((name) => Bun.file(join(directory, "cache", name)).text()))).join("")
    },
    async [Symbol.asyncDispose]() {
      ending.abort()
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export async function openWire(address: string): Promise<Wire> {
  const received: Message[] = []
  let closed = false
  let wake = () => {}
  const lines = createLineReader((line) => {
    received.push(JSON.parse(line))
    wake()
  })
  const socket = await connect(address, {
    data: (chunk) => lines.push(chunk),
    closed() {
      closed = true
      wake()
    },
  })
  const next = async () => {
    while (received.length === 0 && !closed) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return received.shift()
  }
  return {
    send: (message) => socket.send(`${typeof message === "string" ? message : JSON.stringify(message)}\n`),
    next,
    async wait(type) {
      for (;;) {
        const message = await next()
        if (message === undefined) throw new Error(`closed without ${type}`)
        if (message.type === type) return message
      }
    },
    close: () => socket.end(),
    isClosed: () => closed,
  }
}
