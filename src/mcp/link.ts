// One attempt to connect, and the established connection it yields.
import type { Client, Transport } from "@modelcontextprotocol/client"
import { DirectTransport } from "./direct-transport.ts"
import { greet, type Introduction, introductionTo } from "./introduction.ts"
import { LateSdk } from "./late-sdk.ts"
import { LooseTransport } from "./loose-transport.ts"
import { type ClientHooks, ourselves } from "./ourselves.ts"
import type { StdioTransport } from "./stdio-transport.ts"
import { openHttp, openInProcess, openSse, type Remote, type Target } from "./transport.ts"
import { settled, unlessAborted } from "./wait.ts"

const modernRevision = "2026-07-28"
/** How long a goodbye to an HTTP server may take. */
const farewellMs = 1000

/** An established connection. */
interface Connected {
  readonly kind: Target["kind"]
  readonly isModern: boolean
  readonly process: StdioTransport | undefined
  readonly introduction: Introduction
  isClosed(): boolean
  /** Tells one listener when it ends, whoever ends it. */
  whenClosed(listener: () => void): void
  close(): Promise<void>
}

/** Requests go through the SDK, or past it. */
export type Link = Connected &
  (
    | { readonly client: Client; readonly direct?: undefined }
    | { readonly direct: DirectTransport; readonly client?: undefined }
  )

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
  if (options.era === "legacy") return linkPipe(process, { kind: "process", process }, options)
  const transport = new LooseTransport(process)
  const client = await attempt(transport, options)
  return linkOf(client, { kind: "process", isModern: true, process, close: () => transport.close() })
}

export async function linkInProcess(
  target: Extract<Target, { kind: "in-process" }>,
  options: AttemptOptions,
): Promise<Link> {
  return linkPipe(await openInProcess(target), { kind: "in-process", process: undefined }, options)
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
  return linkOf(client, { kind: "remote", isModern: options.era === "modern", process: undefined, close })
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
  return linkOf(client, { kind: "remote", isModern: false, process: undefined, close: () => transport.close() })
}

/** Past the SDK, which joins when the server asks for what only it can answer. */
async function linkPipe(
  inner: Transport,
  known: Pick<Connected, "kind" | "process">,
  { hooks, signal, timeoutMs }: AttemptOptions,
): Promise<Link> {
  const direct = new DirectTransport(inner)
  try {
    signal.throwIfAborted()
    // Its own timeout is only a second line: the signal comes first.
    const introduced = greet(direct, ourselves(hooks), timeoutMs + 1000)
    const sdk = new LateSdk(direct, hooks, introduced)
    const introduction = await unlessAborted(introduced, signal)
    return {
      ...known,
      isModern: false,
      introduction,
      direct,
      isClosed: () => direct.isClosed,
      whenClosed: (listener) => sdk.whenLost(listener),
      close: () => direct.close(),
    }
  } catch (error) {
    await direct.close().catch(() => {})
    throw error
  }
}

function linkOf(client: Client, known: Pick<Connected, "kind" | "isModern" | "process" | "close">): Link {
  return {
    ...known,
    client,
    introduction: introductionTo(client),
    isClosed: () => client.transport === undefined,
    whenClosed: (listener) => {
      client.onclose = listener
    },
  }
}

async function attempt(transport: Transport, options: AttemptOptions): Promise<Client> {
  const { hooks, era, signal, timeoutMs, probeTimeoutMs = timeoutMs } = options
  const modern = { mode: { pin: modernRevision }, probe: { timeoutMs: probeTimeoutMs } }
  try {
    const { createClient } = await import("./client-features.ts")
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
