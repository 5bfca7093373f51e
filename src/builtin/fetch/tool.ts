// The fetch tool: a URL as Markdown, in pieces that fit a context. What it may reach and how much it
// may read come from the server's arguments, never from the caller.
import type { CallToolResult } from "@modelcontextprotocol/server"
import { type BuiltinTool, errorResult } from "../tool-server.ts"
import type { Resolve } from "./address.ts"
import { FetchFailure } from "./failure.ts"
import { type FetchInput, inputSchema, readArguments } from "./input.ts"
import type { FetchOptions } from "./options.ts"

const excerptLength = 500

/** The fetch tool within these limits. `resolve` takes the place of the system's resolver in tests. */
export function createFetchTool(options: FetchOptions, resolve?: Resolve): BuiltinTool {
  return {
    name: "fetch",
    description: "Fetches a web page as markdown; JSON and other text as they are",
    inputSchema,
    outputSchema,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    async call(args, { signal }) {
      try {
        const input = readArguments(args)
        return await withDeadline(options.timeoutMs, signal, (limited) => fetchPage(input, options, resolve, limited))
      } catch (error) {
        if (error instanceof FetchFailure) return errorResult(error.message)
        throw error
      }
    },
  }
}

const outputSchema = {
  type: "object",
  properties: {
    url: { type: "string", description: "After redirects" },
    status: { type: "integer" },
    contentType: { type: "string" },
    title: { type: "string" },
    content: { type: "string" },
    length: { type: "integer", description: "Characters of the whole content" },
    nextIndex: { type: "integer", description: "The startIndex of the rest, when there is more" },
  },
  required: ["url", "status", "contentType", "content", "length"],
}

async function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController()
  const expire = () =>
    deadline.abort(
      new FetchFailure(
        `The page took longer than ${timeoutMs / 1000} s. ` +
          `To wait longer, give the fetch server "args": ["--timeout=SECONDS"].`,
      ),
    )
  const timer = setTimeout(expire, timeoutMs)
  try {
    return await run(AbortSignal.any([signal, deadline.signal]))
  } finally {
    clearTimeout(timer)
  }
}

async function fetchPage(
  input: FetchInput,
  options: FetchOptions,
  resolve: Resolve | undefined,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const [{ download, parseUrl, resolveWithSystem }, { mediaType, readContent }] = await Promise.all([
    import("./download.ts"),
    import("./content.ts"),
  ])
  const accept = input.raw ? "*/*" : "text/markdown, text/html;q=0.9, text/*;q=0.8, */*;q=0.7"
  const page = await download(parseUrl(input.url), accept, options, resolve ?? resolveWithSystem, signal)
  const status = page.response.statusCode ?? 0
  const reading = readContent(page, input.raw, options.maxBytes, signal)
  if (status < 200 || status > 299) return errorResult(await describeStatus(page.url, page.response, reading))
  const { title, text } = await reading
  const contentType = mediaType(page.response)
  return pageResult(input, text, { url: page.url.href, status, contentType, ...(title !== undefined && { title }) })
}

async function describeStatus(
  url: URL,
  response: { statusCode?: number | undefined; statusMessage?: string | undefined },
  reading: Promise<{ text: string }>,
): Promise<string> {
  const status = `${url.href} answered ${response.statusCode} ${response.statusMessage ?? ""}`.trim()
  // An error page that cannot be read takes nothing from the error itself.
  const { text } = await reading.catch((error: unknown) => {
    if (error instanceof FetchFailure) return { text: "" }
    throw error
  })
  const excerpt = text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text
  return excerpt === "" ? status : `${status}\n\n${excerpt}`
}

function pageResult(
  { startIndex, maxLength }: FetchInput,
  text: string,
  page: { url: string; status: number; contentType: string; title?: string },
): CallToolResult {
  if (startIndex > 0 && startIndex >= text.length) {
    throw new FetchFailure(`startIndex ${startIndex} is past the end: the content has ${text.length} characters`)
  }
  const end = endOfPiece(text, startIndex, maxLength)
  const content = text.slice(startIndex, end)
  const more = end < text.length
  const note = `\n\n[${text.length - end} more characters: continue with startIndex ${end}]`
  return {
    content: [{ type: "text", text: more ? content + note : content }],
    structuredContent: { ...page, content, length: text.length, ...(more && { nextIndex: end }) },
  }
}

// Not between the two halves of a character.
function endOfPiece(text: string, start: number, maxLength: number): number {
  const end = Math.min(text.length, start + maxLength)
  const splits = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))
  return splits && end - start > 1 ? end - 1 : end
}
