// Servers that are reached over HTTP.
import { fixturePath, packagePath } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"

export interface RemoteServer extends AsyncDisposable {
  url: string
  process: Bun.Subprocess
}

/** The everything server, over `sse` or `streamableHttp`. */
export async function startEverything(mode: "sse" | "streamableHttp", port = freePort()): Promise<RemoteServer> {
  const program = packagePath("@modelcontextprotocol/server-everything/dist/index.js")
  const child = Bun.spawn([process.execPath, program, mode], {
    env: { ...process.env, PORT: String(port) },
    stdout: "ignore",
    stderr: "ignore",
  })
  const isThere = async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) !== undefined
  await eventually(async () => child.exitCode !== null || (await isThere()))
  if (child.exitCode !== null) throw new Error(`the everything server has ended with ${child.exitCode}`)
  return disposable(child, `http://127.0.0.1:${port}/${mode === "sse" ? "sse" : "mcp"}`)
}

/** A fixture server that speaks revision 2026-07-28 only. */
export async function startModern(): Promise<RemoteServer> {
  const child = Bun.spawn([process.execPath, fixturePath("modern"), "http"], { stdout: "pipe", stderr: "inherit" })
  for await (const chunk of child.stdout) return disposable(child, new TextDecoder().decode(chunk).trim())
  throw new Error("the modern server did not start")
}

function disposable(child: Bun.Subprocess, url: string): RemoteServer {
  return {
    url,
    process: child,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await child.exited
    },
  }
}

/** Below those that systems give to whoever asks for any: nobody takes it between this look and its use. */
export function freePort(): number {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true)
      return port
    } catch {
      // Somebody has it: the next.
    }
  }
}

/** An HTTP server in this process, for what real servers do not do. */
export function serveHttp(fetch: (request: Request) => Response | Promise<Response>): { url: string } & Disposable {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch, idleTimeout: 0 })
  return { url: `http://127.0.0.1:${server.port}/mcp`, [Symbol.dispose]: () => void server.stop(true) }
}

/** A server of an older revision with sessions, in this process. `call` answers `tools/call`. */
export function serveSessions(call: (tool: string, reply: (text: string) => Response) => Response | Promise<Response>) {
  const sessions = new Set<string | null>()
  const serverInfo = { name: "sessions", version: "1" }
  const introduction = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo }
  const server = serveHttp(async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405 })
    const { id, method, params } = (await request.json()) as { id?: number; method: string; params: { name: string } }
    if (method === "server/discover") return new Response(null, { status: 400 })
    if (id === undefined) return new Response(null, { status: 202 })
    if (method === "initialize") {
      const session = crypto.randomUUID()
      sessions.add(session)
      return Response.json({ jsonrpc: "2.0", id, result: introduction }, { headers: { "mcp-session-id": session } })
    }
    if (!sessions.has(request.headers.get("mcp-session-id"))) {
      const error = { code: -32001, message: "Session not found" }
      return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 })
    }
    return call(params.name, (text) =>
      Response.json({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } }),
    )
  })
  return { ...server, sessions }
}
