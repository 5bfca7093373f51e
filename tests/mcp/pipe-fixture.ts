import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client"

// biome-ignore lint/suspicious/noExplicitAny: what was sent is compared with what should have been
export type Sent = any

/** The near end of a pipe, whose far end is the test. */
export class Pipe implements Transport {
  onclose: (() => void) | undefined
  onerror: ((error: Error) => void) | undefined
  onmessage: Transport["onmessage"]
  readonly sent: Sent[] = []
  broken: Error | undefined

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.broken !== undefined) throw this.broken
    this.sent.push(message)
  }

  /** The server says this. */
  say(message: object): void {
    this.onmessage?.({ jsonrpc: "2.0", ...message } as JSONRPCMessage)
  }
}
