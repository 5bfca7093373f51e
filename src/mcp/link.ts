// One attempt to connect, and the established connection it yields.
import type { Client, Transport } from "@modelcontextprotocol/client"
import { type ClientHooks, createClient } from "./client-features.ts"
import { DirectTransport } from "./direct-transport.ts"
import { LooseTransport } from "./loose-transport.ts"
import type { StdioTransport } from "./stdio-transport.ts"
import { openHttp, openInProcess, openSse, type Remote, type Target } from "./transport.ts"
import { settled, unlessAborted } from "./wait.ts"

const modernRevision = "2026-07-28"
/** How long a goodbye to an HTTP server may take. */
const farewellMs = 1000

/** An established connection. */
export interface Link {
  readonly kind: Target["kind"]
  readonly client: Client
  readonly isModern: boolean
  readonly process: StdioTransport | undefined
  /** Where requests may go past the SDK. */
  readonly direct: DirectTransport | undefined
  close(): Promise<void>
}

export interface AttemptOptions {
  hooks: ClientHooks
  era: "legacy" | "modern"
  /** Ends the attempt. */
  signal: AbortSignal
  timeoutMs: number
  /** How long to wait for the answer to the question whether a server speaks the modern revision. */
  probeTimeoutMs?: number
}

export async function linkProcess(process: StdioTransport, options: AttemptOptions): Promise<Link> {
  const isModern = options.era === "modern"
  const direct = isModern ? undefined : new DirectTransport(process)
  const transport = new LooseTransport(direct ?? process)
  const client = await attempt(transport, options)
  return { kind: "process", client, isModern, process, direct, close: () => transport.close() }
}

export async function linkInProcess(
  target: Extract<Target, { kind: "in-process" }>,
  options: AttemptOptions,
): Promise<Link> {
  const direct = new DirectTransport(await openInProcess(target))
  const client = await attempt(direct, options)
  return { kind: "in-process", client, isModern: false, process: undefined, direct, close: () => direct.close() }
}

export async function linkHttp(target: Remote, options: AttemptOptions): Promise<Link> {
  const http = await openHttp(target)
  const transport = new LooseTransport(http)
  const client = await attempt(transport, options)
  const close = async () => {
    // The server may forget our session now; it does not matter if it does not hear of it.
    await settled(http.terminateSession(), farewellMs)
    await transport.close()
  }
  const isModern = options.era === "modern"
  return { kind: "remote", client, isModern, process: undefined, direct: undefined, close }
}

export async function linkSse(target: Remote, options: AttemptOptions): Promise<Link> {
  const { SseError } = await import("@modelcontextprotocol/client")
  const transport = new LooseTransport(await openSse(target))
  const client = await attempt(transport, options)
  const report = transport.onerror
  transport.onerror = (error) => {
    report?.(error)
    // The stream is what replies come by, and a new one would belong to a session nobody has initialized.
    if (error instanceof SseError) void transport.close()
  }
  const close = () => transport.close()
  return { kind: "remote", client, isModern: false, process: undefined, direct: undefined, close }
}

async function attempt(transport: Transport, options: AttemptOptions): Promise<Client> {
  const { hooks, era, signal, timeoutMs, probeTimeoutMs = timeoutMs } = options
  const modern = { mode: { pin: modernRevision }, probe: { timeoutMs: probeTimeoutMs } }
  try {
    const client = await createClient(hooks, era === "modern" ? modern : { mode: "legacy" })
    signal.throwIfAborted()
    // Its own timeout is only a second line: the signal comes first.
    await unlessAborted(client.connect(transport, { timeout: timeoutMs + 1000 }), signal)
    return client
  } catch (error) {
    await transport.close().catch(() => {})
    throw error
  }
}
