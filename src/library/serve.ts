// The MCP server for a program that has the library: made of the same parts as `mcp-exec serve`, but on
// streams and addresses that the program chooses.
import type { ContextOptions } from "../operations/context.ts"
import type { ServeOptions, Serving } from "../operations/library/api.ts"
import { Core } from "../server/core.ts"

/** Serves until it is closed, or left. Rejects when the address cannot be had. */
export async function serve(options: ContextOptions, where: ServeOptions): Promise<Serving> {
  const { elicit: _asks, sample: _samples, ...settings } = options
  const core = new Core(settings)
  return "port" in where ? await overHttp(core, where) : await onStreams(core, where)
}

async function overHttp(core: Core, where: Extract<ServeOptions, { port: number }>): Promise<Serving> {
  const { port, host = "127.0.0.1", token } = where
  const { serveHttp } = await import("../server/http.ts")
  const { url, close } = await serveHttp(core, { host, port, token })
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  return serving(url, closed, async () => {
    await close()
    resolve()
  })
}

async function onStreams(core: Core, streams: Exclude<ServeOptions, { port: number }>): Promise<Serving> {
  const { serveStdio } = await import("../server/stdio.ts")
  const ending = new AbortController()
  const closed = serveStdio(core, streams, ending.signal)
  return serving(undefined, closed, async () => {
    ending.abort()
    await closed
  })
}

function serving(url: string | undefined, closed: Promise<void>, end: () => Promise<void>): Serving {
  let ended: Promise<void> | undefined
  const close = () => {
    ended ??= end()
    return ended
  }
  return { url, closed, close, [Symbol.asyncDispose]: close }
}
