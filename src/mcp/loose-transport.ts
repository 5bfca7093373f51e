// Stands between a transport and the SDK, and makes the SDK as tolerant as servers need it to be:
// it checks replies against strict schemas, so that one odd tool would lose its whole server, it does not
// notice when the stream that should bring a reply ends without one, and it reads no error that comes with
// an HTTP status but 400.
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client"
import type { Fields } from "./fields.ts"
import { repairIntroduction } from "./introduction.ts"
import { parseMessages } from "./parse-message.ts"

type SendOptions = Parameters<Transport["send"]>[1]
type RequestId = string | number

/** Where a result travels that the SDK must not look into. */
export const untouchedKey = "mcp-exec/untouched"

/** Marks the error of a call whose stream ended before its reply. */
export const streamEnded = "mcp-exec/stream-ended"

const cacheHints = { ttlMs: 0, cacheScope: "private" }

/** The smallest result of each method that passes the strict schemas of revision 2026-07-28. */
const acceptable: Record<string, Fields> = {
  "tools/list": { tools: [], ...cacheHints },
  "tools/call": { content: [] },
  "prompts/list": { prompts: [], ...cacheHints },
  "prompts/get": { messages: [] },
  "resources/list": { resources: [], ...cacheHints },
  "resources/templates/list": { resourceTemplates: [], ...cacheHints },
  "resources/read": { contents: [], ...cacheHints },
}

export class LooseTransport implements Transport {
  onclose: (() => void) | undefined
  onerror: ((error: Error) => void) | undefined
  onmessage: Transport["onmessage"]
  readonly #inner: Transport
  readonly #pending = new Map<RequestId, string>()
  #modern = false

  constructor(inner: Transport) {
    this.#inner = inner
    inner.onclose = () => this.onclose?.()
    inner.onerror = (error) => this.onerror?.(error)
    inner.onmessage = (message, extra) => this.onmessage?.(this.#loosen(message), extra)
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  setProtocolVersion(version: string): void {
    this.#modern = version >= "2026-07-28"
    this.#inner.setProtocolVersion?.(version)
  }

  send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    if (!("method" in message)) return this.#inner.send(message, options)
    if (!("id" in message)) {
      const cancelled = message.method === "notifications/cancelled" ? message.params?.requestId : undefined
      this.#pending.delete(cancelled as RequestId)
      return this.#inner.send(message, options)
    }
    const { id, method } = message
    this.#pending.set(id, method)
    options?.requestSignal?.addEventListener("abort", () => this.#pending.delete(id), { once: true })
    const onRequestStreamEnd = () => this.#failPending(id)
    return this.#inner.send(message, { onRequestStreamEnd, ...options }).catch((error) => this.#readRefusal(id, error))
  }

  /** The modern revision answers with an HTTP status and, in the body, the error itself. */
  async #readRefusal(id: RequestId, error: unknown): Promise<void> {
    const isPending = this.#pending.delete(id)
    const { SdkHttpError } = await import("@modelcontextprotocol/client")
    const body = this.#modern && error instanceof SdkHttpError ? error.data.text : undefined
    const reply =
      typeof body === "string" ? parseMessages(body)?.find((each) => "error" in each && each.id === id) : undefined
    if (!isPending || reply === undefined) throw error
    this.onmessage?.(reply)
  }

  #failPending(id: RequestId): void {
    if (!this.#pending.delete(id)) return
    const message = "the connection ended before the reply"
    this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32603, message, data: streamEnded } })
  }

  #loosen<T extends JSONRPCMessage>(message: T): T {
    if ("method" in message || message.id === undefined) return message
    const method = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (method === undefined || !("result" in message)) return message
    const result: Fields = message.result
    if (method === "initialize") return { ...message, result: repairIntroduction(result) }
    const replacement = acceptable[method]
    if (!this.#modern || replacement === undefined) return message
    if (result.resultType !== undefined && result.resultType !== "complete") return message
    const { resultType: _, ...untouched } = result
    return { ...message, result: { resultType: "complete", ...replacement, [untouchedKey]: untouched } }
  }
}
