// The stdio transport of a server. The SDK takes longer to load than a client should wait for the first
// answers, and these never change: they are given at once, and the SDK is told of them when it is there.
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server"
import { createLineReader } from "../lines.ts"
import { type Id, knownAnswer, type Message } from "./known-answers.ts"

export interface StdioStreams {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
}

const maxMessageBytes = 10 << 20
/** How long a client that has been greeted may stay silent before the SDK is loaded anyway. */
const silenceMs = 200

/** Lines of JSON in and out. */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  parse: (message: unknown) => JSONRPCMessage = (message) => message as JSONRPCMessage
  readonly closed: Promise<void>
  /** Settles when somebody asks for what is not known by heart. */
  readonly needed: Promise<void>
  readonly #streams: StdioStreams
  readonly #early: Message[] = []
  /** What has been answered already: the SDK's own answer is dropped. */
  readonly #answered = new Set<Id>()
  #need: () => void = () => {}
  #close: () => void = () => {}
  #isStarted = false
  #isClosed = false

  constructor(streams: StdioStreams) {
    this.#streams = streams
    this.closed = new Promise((resolve) => {
      this.#close = resolve
    })
    this.needed = new Promise((resolve) => {
      this.#need = resolve
    })
  }

  /** Reads from now on. */
  listen(): void {
    const { input, output } = this.#streams
    const reader = createLineReader((line) => this.#take(line), {
      maxBytes: maxMessageBytes,
      onOverflow: () => {
        const message = `Invalid request: a message must not be longer than ${maxMessageBytes} bytes`
        this.#reply({ error: { code: -32600, message } })
        void this.close()
      },
    })
    input.on("data", (chunk: Uint8Array) => reader.push(chunk))
    input.on("end", () => void this.close())
    input.on("error", () => void this.close())
    // Nobody reads our answers any more.
    output.on("error", () => void this.close())
  }

  /** The SDK is there, and gets what has come in the meantime. */
  async start(): Promise<void> {
    this.#isStarted = true
    for (const message of this.#early.splice(0)) this.#deliver(message)
  }

  send(message: JSONRPCMessage): Promise<void> {
    const isAnswer = "id" in message && !("method" in message) && message.id !== undefined
    if (isAnswer && this.#answered.delete(message.id as Id)) return Promise.resolve()
    return this.#write(message)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#streams.input.pause()
    this.#close()
    this.onclose?.()
  }

  #take(line: string): void {
    const message = parseLine(line)
    if (message === undefined) {
      this.#reply({ error: { code: -32700, message: "Parse error: not a JSON object" } })
      return
    }
    if (this.#isStarted) return this.#deliver(message)
    const { id, method } = message
    const answer = knownAnswer(message)
    if (answer !== undefined) this.#reply({ id, result: answer })
    if (answer === undefined || method === "initialize") this.#early.push(message)
    if (answer === undefined) {
      if (method !== "notifications/initialized") this.#need()
    } else if (method === "initialize") {
      this.#answered.add(id as Id)
      setTimeout(() => this.#need(), silenceMs)
      // The answer leaves first: loading the SDK takes all of the processor.
    } else if (method === "tools/list") setTimeout(() => this.#need(), 0)
  }

  #reply(answer: object): void {
    // Fails when the client has gone, and then nobody waits for it.
    this.#write({ jsonrpc: "2.0", ...answer }).catch(() => {})
  }

  #deliver(message: Message): void {
    let parsed: JSONRPCMessage
    try {
      parsed = this.parse(message)
    } catch {
      const id = typeof message.id === "string" || typeof message.id === "number" ? message.id : undefined
      this.#reply({ id, error: { code: -32600, message: "Invalid request: not a JSON-RPC message" } })
      return
    }
    this.onmessage?.(parsed)
  }

  #write(message: JSONRPCMessage | object): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error("the connection is closed"))
      this.#streams.output.write(`${JSON.stringify(message)}\n`, () => resolve())
    })
  }
}

function parseLine(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === "object" && message !== null && !Array.isArray(message) ? message : undefined
  } catch {
    return undefined
  }
}
