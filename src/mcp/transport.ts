// A server entry → the transport that reaches it. Nothing is connected here, and a process is only
// started by its transport.
import type { SSEClientTransport, StreamableHTTPClientTransport, Transport } from "@modelcontextprotocol/client"
import { expandServer } from "../config/expand.ts"
import type { Config, HttpServerConfig, ServerConfig, SseServerConfig } from "../config/schema.ts"
import { cacheDirectory } from "../platform/directories.ts"
import { serverEnvironment } from "./environment.ts"
import { HttpStatusError } from "./http-status.ts"
import { processOf } from "./stdio-command.ts"
import type { StdioCommand } from "./stdio-transport.ts"

/** Where a server is, once its variables have been filled in. */
export type Target =
  | { kind: "process"; command: StdioCommand }
  | { kind: "in-process"; connect(transport: Transport): Promise<void> }
  | Remote

export interface Remote {
  kind: "remote"
  url: URL
  /** The URL without what may be secret in it. */
  shownUrl: string
  headers: Record<string, string>
  sse: boolean
}

export interface TargetContext {
  config: Config
  env: Record<string, string | undefined>
  /** The user's own when absent. */
  cacheDirectory?: string | undefined
}

/** Finds out what has to be started or reached for a server. */
export async function resolveTarget(name: string, entry: ServerConfig, context: TargetContext): Promise<Target> {
  const { config, env, cacheDirectory: caches } = context
  const server = expandServer(name, entry, env)
  switch (server.type) {
    case "stdio": {
      const plain = processOf(server, config.directory, env)
      if (server.runtime === undefined) return { kind: "process", command: plain }
      const { onOwnBun } = await import("./own-bun.ts")
      const command = await onOwnBun(name, server, { plain, cacheDirectory: caches ?? cacheDirectory(env) })
      return { kind: "process", command }
    }
    case "http":
    case "sse":
      return remoteTarget(server, "url" in entry ? entry.url : "")
    case "builtin": {
      const { launchBuiltin } = await import("../builtin/registry.ts")
      const { directory, workspace } = config
      const launch = await launchBuiltin(server, { directory, workspace })
      if (launch.kind === "in-process") return launch
      const command = { command: launch.command, cwd: directory, env: serverEnvironment(env, launch.env) }
      return { kind: "process", command }
    }
  }
}

function remoteTarget({ type, url: text, headers }: HttpServerConfig | SseServerConfig, written: string): Remote {
  const url = new URL(text)
  const { username, password } = url
  // In a header, where every runtime takes them and no error repeats them.
  url.username = ""
  url.password = ""
  const isGiven = username !== "" || password !== ""
  const isOverruled = Object.keys(headers).some((name) => name.toLowerCase() === "authorization")
  const credentials = isGiven && !isOverruled ? { Authorization: basic(username, password) } : {}
  return {
    kind: "remote",
    url,
    // A variable in the path is as likely a credential as one in the query.
    shownUrl: url.origin + (written.includes("${") ? "/…" : url.pathname),
    headers: { ...credentials, ...headers },
    sse: type === "sse",
  }
}

function basic(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${decode(username)}:${decode(password)}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a percent sign that stands for itself
  }
}

/** What makes two entries the same server, for remembering how it wants to be spoken to. */
export function identityOf(target: Target): string {
  switch (target.kind) {
    case "process":
      return JSON.stringify(["process", target.command.command, target.command.cwd])
    case "in-process":
      return "in-process"
    case "remote":
      return JSON.stringify(["remote", target.url.href, target.sse])
  }
}

/** How often, and when, a stream that broke off before its reply is asked for again. */
const reconnectionOptions = {
  initialReconnectionDelay: 200,
  reconnectionDelayGrowFactor: 3,
  maxReconnectionDelay: 30_000,
  maxRetries: 3,
}

export async function openHttp({ url, headers }: Remote): Promise<StreamableHTTPClientTransport> {
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client")
  return new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch: resumingFetch, reconnectionOptions })
}

export async function openSse({ url, headers }: Remote): Promise<SSEClientTransport> {
  const { SSEClientTransport } = await import("@modelcontextprotocol/client")
  return new SSEClientTransport(url, { requestInit: { headers }, fetch: fetchOrThrow })
}

/** The SDK's SSE transport tells the status of a refused message only in an error's text. */
async function fetchOrThrow(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await patientFetch(url, init)
  if (init?.method === "POST" && response.status >= 400) {
    throw new HttpStatusError(response.status, await response.text())
  }
  return response
}

/** A server where nobody listens has ended, and with it the call whose stream is asked for again: it need not wait. */
async function resumingFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  try {
    return await patientFetch(url, init)
  } catch (error) {
    const isResumption = new Headers(init?.headers).has("last-event-id")
    // For the SDK, the answer of a server that keeps no streams.
    if (isResumption && isRefused(error)) return new Response(null, { status: 405 })
    throw error
  }
}

function isRefused(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  return ["ConnectionRefused", "ECONNREFUSED"].includes(String(code ?? cause?.code))
}

/** Bun gives up after five minutes without a byte; how long a call may take is not its business. */
function patientFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  return fetch(url, { ...init, timeout: false } as RequestInit)
}

/** A pair of ends in this process; the server's end is already being served. */
export async function openInProcess(target: Extract<Target, { kind: "in-process" }>): Promise<Transport> {
  const { InMemoryTransport } = await import("@modelcontextprotocol/client")
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await target.connect(theirs)
  return ours
}
