// Requests to a server behind a pipe, sent past the SDK: it checks every reply against one schema after the other,
// with timers, listeners and promises of its own, and that cost as much as all the rest of a call. Only for the
// revisions in which a request is a number, a method and its parameters. What the server asks and tells passes through.
// Never repeats a request.
import type { JSONRPCMessage, MessageExtraInfo, Transport } from "@modelcontextprotocol/client"
import type { CancelSignal } from "../platform/cancellation.ts"
import type { TimeLimits, Timer } from "../platform/time-limits.ts"
import type { Fields } from "./fields.ts"

/** The SDK counts from 0, and is not to meet a number of ours. */
const firstId = 1_000_000

export interface DirectOptions {
  timeoutMs: number
  /** Its clocks stand still while the user is being asked something. */
  limits: TimeLimits
  signal?: CancelSignal | undefined
}

interface PendingRequest {
  resolve(result: Fields): void
  reject: Reject
  timer: Timer
  signal: CancelSignal | undefined
  onAbort(): void
}

type Reject = (error: unknown) => void

export class DirectTransport implements Transport {
  onclose: (() => void) | undefined
  onerror: ((error: Error) => void) | undefined
  onmessage: Transport["onmessage"]
  readonly #inner: Transport
  readonly #pending = new Map<number, PendingRequest>()
  #nextId = firstId
  #isClosed = false

  constructor(inner: Transport) {
    this.#inner = inner
    inner.onclose = () => this.#lose()
    inner.onerror = (error) => this.onerror?.(error)
    inner.onmessage = (message, extra) => this.#receive(message, extra)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#inner.send(message)
  }

  /** Sends a request and gives its result as it came. Fails as a request of the SDK does. */
  request(method: string, params: Fields, { timeoutMs, limits, signal }: DirectOptions): Promise<Fields> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error("Not connected"))
      if (signal?.aborted) return void rejectTimedOut(reject, String(signal.reason))
      const id = this.#nextId++
      const timer = limits.startTimer(timeoutMs, () => this.#giveUp(id, "Request timed out"))
      const onAbort = () => this.#giveUp(id, String(signal?.reason))
      signal?.addEventListener("abort", onAbort)
      this.#pending.set(id, { resolve, reject, timer, signal, onAbort })
      this.#inner.send({ method, params, jsonrpc: "2.0", id }).catch((error) => this.#take(id)?.reject(error))
    })
  }

  #receive<T extends JSONRPCMessage>(message: T, extra: MessageExtraInfo | undefined): void {
    // There are servers that answer number 7 as "7".
    const pending = "method" in message || message.id === undefined ? undefined : this.#take(Number(message.id))
    if (pending === undefined) this.onmessage?.(message, extra)
    else if ("result" in message) pending.resolve(withoutType(message.result))
    else if ("error" in message) void rejectRefused(pending.reject, message.error)
  }

  /** Nobody waits any more, and the server is told so. */
  #giveUp(id: number, reason: string): void {
    const pending = this.#take(id)
    if (pending === undefined) return
    const params = { requestId: id, reason }
    this.#inner.send({ jsonrpc: "2.0", method: "notifications/cancelled", params }).catch((error) => {
      this.onerror?.(new Error(`Failed to send cancellation: ${error}`))
    })
    void rejectTimedOut(pending.reject, reason)
  }

  #take(id: number): PendingRequest | undefined {
    const pending = this.#pending.get(id)
    if (pending === undefined) return undefined
    this.#pending.delete(id)
    pending.timer.end()
    pending.signal?.removeEventListener("abort", pending.onAbort)
    return pending
  }

  #lose(): void {
    this.#isClosed = true
    this.onclose?.()
    for (const id of [...this.#pending.keys()]) {
      const pending = this.#take(id)
      if (pending !== undefined) void rejectClosed(pending.reject)
    }
  }
}

/** A later revision says of what type a result is; in these it means nothing. */
function withoutType(result: Fields): Fields {
  if (!("resultType" in result)) return result
  const { resultType: _, ...rest } = result
  return rest
}

async function rejectRefused(reject: Reject, error: { code: number; message: string; data?: unknown }): Promise<void> {
  const { ProtocolError } = await import("@modelcontextprotocol/client")
  reject(ProtocolError.fromError(error.code, error.message, error.data))
}

async function rejectTimedOut(reject: Reject, reason: string): Promise<void> {
  const { SdkError, SdkErrorCode } = await import("@modelcontextprotocol/client")
  reject(new SdkError(SdkErrorCode.RequestTimeout, reason))
}

async function rejectClosed(reject: Reject): Promise<void> {
  const { SdkError, SdkErrorCode } = await import("@modelcontextprotocol/client")
  reject(new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed"))
}
