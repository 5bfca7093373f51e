// Answers a server behind a pipe. What needs no thought is answered here; the rest, above all questions to a person or a
// model, by the SDK, which is loaded when the first of them comes. Most servers ask none, and to load it while a server
// boots slows both down.
import type { JSONRPCMessage, JSONRPCNotification, RequestId, Transport } from "@modelcontextprotocol/client"
import type { DirectTransport } from "./direct-transport.ts"
import type { Introduction } from "./introduction.ts"
import { type ClientHooks, mention, takeNotice } from "./ourselves.ts"

const internalError = -32603

export class LateSdk {
  readonly #transport: DirectTransport
  readonly #hooks: ClientHooks
  readonly #introduced: Promise<Introduction>
  /** What waits for the SDK, which is being loaded. */
  #waiting: JSONRPCMessage[] | undefined
  #end: SdkEnd | undefined

  /** Listens from now on. `introduced` is what the server says when it is greeted. */
  constructor(transport: DirectTransport, hooks: ClientHooks, introduced: Promise<Introduction>) {
    this.#transport = transport
    this.#hooks = hooks
    this.#introduced = introduced
    transport.onmessage = (message) => this.#receive(message)
    transport.onerror = (error) => mention(hooks, error)
    this.whenLost(() => {})
  }

  /** Tells one listener when the connection has ended; every question ends with it. */
  whenLost(listener: () => void): void {
    this.#transport.onclose = () => {
      this.#end?.onclose?.()
      listener()
    }
  }

  #receive(message: JSONRPCMessage): void {
    if (this.#end !== undefined) this.#end.onmessage?.(message)
    else if (this.#waiting !== undefined) this.#waiting.push(message)
    else if (!("method" in message)) mention(this.#hooks, new Error("sent a reply to nothing"))
    else if (!("id" in message)) this.#take(message)
    else if (message.method === "ping") this.#reply(message.id, async () => ({}))
    else if (message.method === "roots/list") {
      this.#reply(message.id, async () => ({ roots: await this.#hooks.roots() }))
    } else {
      this.#waiting = [message]
      this.#join(this.#waiting).catch((error) => mention(this.#hooks, error))
    }
  }

  #take({ method, params }: JSONRPCNotification): void {
    try {
      takeNotice(this.#hooks, method, params)
    } catch (error) {
      // Who listens to progress must not make the reply get lost.
      mention(this.#hooks, error as Error)
    }
  }

  #reply(id: RequestId, answer: () => Promise<Record<string, unknown>>): void {
    answer()
      .then(
        (result) => this.#transport.send({ jsonrpc: "2.0", id, result }),
        ({ message }) => this.#transport.send({ jsonrpc: "2.0", id, error: { code: internalError, message } }),
      )
      .catch((error) => mention(this.#hooks, error))
  }

  /** The SDK takes over, as if it had been there from the beginning. */
  async #join(waiting: JSONRPCMessage[]): Promise<void> {
    const { createClient } = await import("./client-features.ts")
    const client = await createClient(this.#hooks, { mode: "legacy" })
    const end = new SdkEnd(this.#transport, await this.#introduced)
    await client.connect(end)
    // Nobody waits for an answer any more.
    if (this.#transport.isClosed) return
    this.#end = end
    for (const message of waiting) end.onmessage?.(message)
  }
}

/** The SDK's end of a connection that has been introduced already. */
class SdkEnd implements Transport {
  onclose: (() => void) | undefined
  onerror: ((error: Error) => void) | undefined
  onmessage: Transport["onmessage"]
  readonly #transport: DirectTransport
  readonly #introduction: Introduction

  constructor(transport: DirectTransport, introduction: Introduction) {
    this.#transport = transport
    this.#introduction = introduction
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message)) return this.#transport.send(message)
    if (message.method === "initialize" && "id" in message) {
      const { protocolVersion } = this.#introduction
      // Nobody asks the SDK for what the server says of itself, so nothing that is odd about it can be in the way.
      const result = { protocolVersion, serverInfo: { name: "", version: "" }, capabilities: {} }
      this.onmessage?.({ jsonrpc: "2.0", id: message.id, result })
    } else if (message.method !== "notifications/initialized") await this.#transport.send(message)
  }

  /** The connection is not the SDK's to end. */
  async close(): Promise<void> {}
}
