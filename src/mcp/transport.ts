// A server entry → the transport that reaches it. Nothing is connected here, and a process is only
// started by its transport.
import type { SSEClientTransport, StreamableHTTPClientTransport, Transport } from "@modelcontextprotocol/client"
import { expandServer } from "../config/expand.ts"
import type { Config, ServerConfig } from "../config/schema.ts"
import { serverEnvironment } from "./environment.ts"
import { absolutePath } from "./roots.ts"
import type { StdioCommand } from "./stdio-transport.ts"

/** Where a server is, once its variables have been filled in. */
export type Target =
  | { kind: "process"; command: StdioCommand }
  | { kind: "in-process"; connect(transport: Transport): Promise<void> }
  | { kind: "remote"; url: URL; headers: Record<string, string>; sse: boolean }

export interface TargetContext {
  config: Config
  env: Record<string, string | undefined>
}

/** Finds out what has to be started or reached for a server. */
export async function resolveTarget(name: string, entry: ServerConfig, context: TargetContext): Promise<Target> {
  const { config, env } = context
  const server = expandServer(name, entry, env)
  switch (server.type) {
    case "stdio":
      return {
        kind: "process",
        command: {
          command: [server.command, ...server.args],
          cwd: server.cwd === undefined ? config.directory : await absolutePath(server.cwd, config.directory),
          env: serverEnvironment(env, server.env),
        },
      }
    case "http":
    case "sse":
      return { kind: "remote", url: new URL(server.url), headers: server.headers, sse: server.type === "sse" }
    case "builtin": {
      const { launchBuiltin } = await import("../builtin/registry.ts")
      const { directory, workspace } = config
      const launch = await launchBuiltin(server, { directory, workspace })
      if (launch.kind === "in-process") return launch
      const ownEnv = { ...launch.env, ...server.env }
      return {
        kind: "process",
        command: { command: launch.command, cwd: directory, env: serverEnvironment(env, ownEnv) },
      }
    }
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

export type Remote = Extract<Target, { kind: "remote" }>

export async function openHttp({ url, headers }: Remote): Promise<StreamableHTTPClientTransport> {
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client")
  return new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch: patientFetch })
}

export async function openSse({ url, headers }: Remote): Promise<SSEClientTransport> {
  const { SSEClientTransport } = await import("@modelcontextprotocol/client")
  return new SSEClientTransport(url, { requestInit: { headers }, fetch: fetchOrThrow })
}

/** A reply of an SSE server's message endpoint with a status that means failure. */
export class HttpStatusError extends Error {
  override readonly name = "HttpStatusError"
  readonly status: number

  constructor(status: number, text: string) {
    super(`HTTP ${status}${text === "" ? "" : `: ${text.slice(0, 500)}`}`)
    this.status = status
  }
}

/** The SDK's SSE transport tells the status of a refused message only in an error's text. */
async function fetchOrThrow(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await patientFetch(url, init)
  if (init?.method === "POST" && response.status >= 400) {
    throw new HttpStatusError(response.status, await response.text())
  }
  return response
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
