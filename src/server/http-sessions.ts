// Clients of the revisions with a handshake: each has a session, with a server and a transport of its own.
// Few of them, and none longer than it is used.
import type { Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"
import { type Client, type Core, ownerOf } from "./core.ts"
import { createMcpServer } from "./mcp-server.ts"

interface Session {
  client: Client
  server: Server
  transport: WebStandardStreamableHTTPServerTransport
  usedAt: number
  /** Requests under way. */
  users: number
}

const maxSessions = 128
const defaultIdleMs = 30 * 60_000

export class HttpSessions {
  readonly #core: Core
  readonly #sdk: typeof import("@modelcontextprotocol/server")
  readonly #maxBodyBytes: number
  readonly #idleMs: number
  readonly #sessions = new Map<string, Session>()
  readonly #sweep: ReturnType<typeof setInterval>

  constructor(
    core: Core,
    sdk: typeof import("@modelcontextprotocol/server"),
    maxBodyBytes: number,
    idleMs = defaultIdleMs,
  ) {
    this.#core = core
    this.#sdk = sdk
    this.#maxBodyBytes = maxBodyBytes
    this.#idleMs = idleMs
    this.#sweep = setInterval(() => void this.#endIdle(), idleMs / 10)
    this.#sweep.unref?.()
  }

  /** `key` is what calls are counted by: who begins a new session is still the same client. */
  async answer(request: Request, key: string): Promise<Response> {
    const id = request.headers.get("mcp-session-id")
    if (id === null) return await this.#open(request, key)
    const session = this.#sessions.get(id)
    if (session === undefined) return problem(404, "Session not found: begin a new one with initialize")
    session.users += 1
    try {
      return await session.transport.handleRequest(request)
    } finally {
      session.users -= 1
      session.usedAt = performance.now()
    }
  }

  /** Tells every client that listens. */
  resourcesChanged(): void {
    for (const { server } of this.#sessions.values()) {
      // Fails when the client has gone, or does not listen.
      void server.sendResourceListChanged().catch(() => {})
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep)
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)))
  }

  async #open(request: Request, key: string): Promise<Response> {
    if (!(await this.#makeRoom())) return problem(503, "Too many sessions: try again later")
    const id = crypto.randomUUID()
    const client: Client = { key, name: id }
    const server = await createMcpServer(this.#core, client)
    const transport = new this.#sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      maxRequestBodySize: this.#maxBodyBytes,
      onsessioninitialized: () =>
        void this.#sessions.set(id, { client, server, transport, usedAt: performance.now(), users: 0 }),
      onsessionclosed: () => void this.#end(id),
    })
    await server.connect(transport)
    const response = await transport.handleRequest(request)
    // Whatever was not a greeting has been refused.
    if (!this.#sessions.has(id)) await server.close()
    return response
  }

  async #makeRoom(): Promise<boolean> {
    if (this.#sessions.size < maxSessions) return true
    const idle = [...this.#sessions].filter(([, { users }]) => users === 0)
    const [oldest] = idle.sort(([, a], [, b]) => a.usedAt - b.usedAt)
    if (oldest === undefined) return false
    await this.#end(oldest[0])
    return true
  }

  async #endIdle(): Promise<void> {
    const now = performance.now()
    for (const [id, { users, usedAt }] of this.#sessions) {
      if (users === 0 && now - usedAt > this.#idleMs) await this.#end(id)
    }
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id)
    this.#sessions.delete(id)
    if (session === undefined) return
    await session.server.close()
    await this.#core.sessions.close(ownerOf(session.client))
  }
}

function problem(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }, { status })
}
