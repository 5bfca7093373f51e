// Serves many clients over streamable HTTP, at /mcp, in every revision of the protocol. Who may ask is
// settled before anything of a request is read.
import type { McpHttpHandler } from "@modelcontextprotocol/server"
import type { Core } from "./core.ts"
import { type Access, checkToken, refuse } from "./http-access.ts"
import { HttpSessions } from "./http-sessions.ts"
import { type HttpListener, type Peer, startListening } from "./listen.ts"
import { createMcpServer } from "./mcp-server.ts"
import { watchFiles } from "./watch-files.ts"

export interface HttpOptions {
  host: string
  port: number
  /** Required of every request when given. */
  token?: string | undefined
}

export interface HttpServer {
  /** Where clients connect. */
  url: string
  close(): Promise<void>
}

const maxBodyBytes = 4 << 20

/** Listens. Throws when the address cannot be had, or others could reach it without a token. */
export async function serveHttp(core: Core, options: HttpOptions): Promise<HttpServer> {
  checkToken(options)
  const sdk = await import("@modelcontextprotocol/server")
  const access: Access = { host: options.host, token: options.token, sdk }
  const onerror = (error: Error) => core.options.log("debug", error.message)
  // Clients are counted by where they are; those of older revisions are told apart by their sessions.
  const peers = new WeakMap<Request, string>()
  const modern: McpHttpHandler = sdk.createMcpHandler(
    ({ requestInfo }) =>
      createMcpServer(core, { key: (requestInfo && peers.get(requestInfo)) ?? "http", isShared: true }),
    { legacy: "reject", onerror, maxRequestBodySize: maxBodyBytes },
  )
  const sessions = new HttpSessions(core, sdk, maxBodyBytes)
  const answer = async (request: Request, peer: Peer): Promise<Response> => {
    if (new URL(request.url).pathname !== "/mcp") return new Response("Not found: MCP is at /mcp\n", { status: 404 })
    const refused = refuse(request, access)
    if (refused !== undefined) return refused
    if (core.closing.aborted) return new Response("Shutting down\n", { status: 503 })
    const key = `http ${peer.address}`
    peers.set(request, key)
    const isLegacy = await sdk.isLegacyRequest(request, undefined, { maxRequestBodySize: maxBodyBytes })
    return isLegacy ? await sessions.answer(request, key) : await modern.fetch(request)
  }
  const stopWatching = watchFiles(await core.contexts.directory(), () => {
    modern.notify.resourcesChanged()
    sessions.resourcesChanged()
  })
  const listener = await listen(options, answer).catch((error) => {
    stopWatching()
    throw error
  })
  return {
    url: `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${listener.port}/mcp`,
    async close() {
      stopWatching()
      listener.stopAccepting()
      await core.close()
      await sessions.close()
      await modern.close()
      await listener.close()
    },
  }
}

async function listen(
  { host, port }: HttpOptions,
  answer: (request: Request, peer: Peer) => Promise<Response>,
): Promise<HttpListener> {
  const safely = async (request: Request, peer: Peer) => {
    try {
      return await answer(request, peer)
    } catch {
      // The SDK answers what clients do wrong; this is for what nobody has thought of.
      return new Response("Internal error\n", { status: 500 })
    }
  }
  return await startListening({ host, port, maxBodyBytes }, safely)
}
