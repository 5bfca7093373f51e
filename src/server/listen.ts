// An HTTP server for functions from Request to Response: Bun's own where it exists, node: otherwise. A
// request's signal fires when its client goes.
import { McpExecError } from "../errors.ts"

export interface ListenOptions {
  host: string
  port: number
  maxBodyBytes: number
}

export interface Peer {
  address: string
}

export interface HttpListener {
  port: number
  /** Requests under way may end; there are no new ones. */
  stopAccepting(): void
  close(): Promise<void>
}

type Answer = (request: Request, peer: Peer) => Promise<Response>

/** Listens, or says why it cannot. */
export async function startListening(options: ListenOptions, answer: Answer): Promise<HttpListener> {
  try {
    return typeof Bun === "undefined" ? await listenWithNode(options, answer) : listenWithBun(options, answer)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new McpExecError("E_USAGE", `mcp-exec cannot listen on ${options.host}:${options.port}: ${reason}`, {
      hint: "Give another port; 0 takes a free one.",
      cause,
    })
  }
}

function listenWithBun({ host, port, maxBodyBytes }: ListenOptions, answer: Answer): HttpListener {
  const server = Bun.serve({
    hostname: host,
    port,
    maxRequestBodySize: maxBodyBytes,
    // Scripts may be silent for longer than any connection is.
    idleTimeout: 0,
    fetch: (request, self) => answer(request, { address: self.requestIP(request)?.address ?? "" }),
  })
  return {
    port: server.port ?? port,
    stopAccepting: () => void server.stop(false),
    close: () => server.stop(true),
  }
}

async function listenWithNode({ host, port }: ListenOptions, answer: Answer): Promise<HttpListener> {
  const [{ createServer }, { Readable }] = await Promise.all([import("node:http"), import("node:stream")])
  const server = createServer((incoming, outgoing) => {
    const gone = new AbortController()
    outgoing.on("close", () => gone.abort())
    const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD"
    const init: RequestInit & { duplex: "half" } = {
      method: incoming.method ?? "GET",
      headers: incoming.headers as Record<string, string>,
      signal: gone.signal,
      duplex: "half",
      ...(hasBody && { body: Readable.toWeb(incoming) as unknown as ReadableStream }),
    }
    const request = new Request(`http://${incoming.headers.host ?? "localhost"}${incoming.url ?? "/"}`, init)
    const pass = async () => {
      const response = await answer(request, { address: incoming.socket.remoteAddress ?? "" })
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      // Sent at once: a client waits for them before it listens to a stream.
      outgoing.flushHeaders()
      for await (const chunk of response.body ?? []) outgoing.write(chunk)
      outgoing.end()
    }
    pass().catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    stopAccepting: () => void server.close(),
    async close() {
      server.closeAllConnections()
    },
  }
}
