// A web site for the tests: real HTTP on this machine, one handler per path.

import type { Resolve } from "../../../src/builtin/fetch/address.ts"
import { type FetchOptions, parseFetchOptions } from "../../../src/builtin/fetch/options.ts"
import { createFetchTool } from "../../../src/builtin/fetch/tool.ts"

export type Pages = Record<string, (request: Request, origin: string) => Response | Promise<Response>>

export interface Site extends Disposable {
  /** `http://localhost:<port>` */
  origin: string
  /** The paths that were asked for. */
  requests: string[]
}

export function startSite(pages: Pages): Site {
  const requests: string[] = []
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch(request): Response | Promise<Response> {
      const { pathname } = new URL(request.url)
      requests.push(pathname)
      return pages[pathname]?.(request, origin) ?? new Response("there is no such page", { status: 404 })
    },
  })
  const origin: string = `http://localhost:${server.port}`
  return { origin, requests, [Symbol.dispose]: () => void server.stop(true) }
}

/** Calls the fetch tool as its server would. */
export async function fetchPage(
  args: Record<string, unknown>,
  { flags = ["--allow-private"], resolve, signal }: { flags?: string[]; resolve?: Resolve; signal?: AbortSignal } = {},
): Promise<{ text: string; isError: boolean; page: Record<string, unknown> | undefined }> {
  const options: FetchOptions = parseFetchOptions(flags)
  const result = await createFetchTool(options, resolve).call(args, { signal: signal ?? new AbortController().signal })
  const [item] = result.content
  return {
    text: item?.type === "text" ? item.text : "",
    isError: result.isError === true,
    page: result.structuredContent as Record<string, unknown> | undefined,
  }
}

export function html(body: string, head = "<title>Test page</title>"): Response {
  return new Response(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`, {
    headers: { "content-type": "text/html; charset=utf-8" },
  })
}
