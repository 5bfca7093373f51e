// Serves one client over stdin and stdout, which nothing else may use. The SDK is loaded when it is needed.
import type { Core } from "./core.ts"
import { type StdioStreams, StdioTransport } from "./stdio-transport.ts"

/** Serves until the client closes its end, or the signal fires. */
export async function serveStdio(core: Core, streams: StdioStreams, signal: AbortSignal): Promise<void> {
  const transport = new StdioTransport(streams)
  transport.listen()
  const over = Promise.race([transport.closed, aborted(signal)])
  const started = transport.needed
    .then(() => start(core, transport))
    .catch((error: unknown) => {
      core.options.log("error", String(error))
      void transport.close()
    })
  await over
  const server = await Promise.race([started, Promise.resolve(undefined)])
  await core.close()
  await server?.close()
  await transport.close()
}

async function start(core: Core, transport: StdioTransport): Promise<{ close(): Promise<void> }> {
  const [{ serveStdio: serve }, { createMcpServer }, { parseJSONRPCMessage }] = await Promise.all([
    import("@modelcontextprotocol/server/stdio"),
    import("./mcp-server.ts"),
    import("@modelcontextprotocol/server"),
  ])
  transport.parse = parseJSONRPCMessage
  const client = { key: "stdio" }
  let stopWatching: (() => void) | undefined
  const factory = async () => {
    const server = await createMcpServer(core, client)
    const { watchFiles } = await import("./watch-files.ts")
    stopWatching?.()
    // Fails when the client has gone, or does not listen.
    const tell = () => void server.sendResourceListChanged().catch(() => {})
    stopWatching = watchFiles(await core.contexts.directory(), tell)
    return server
  }
  const onerror = (error: Error) => core.options.log("debug", error.message)
  const handle = serve(factory, { transport, onerror })
  return {
    async close() {
      stopWatching?.()
      await handle.close()
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener("abort", () => resolve(), { once: true })
  })
}
