// What a response says, as text: by its type, HTML becomes Markdown and binary data a failure.
import type { IncomingMessage } from "node:http"
import { decodeText, looksBinary, readBody } from "./body.ts"
import type { Download } from "./download.ts"
import { FetchFailure } from "./failure.ts"

export interface PageContent {
  title?: string
  text: string
}

/** Reads a response's body as text; `raw` leaves it as it was sent. */
export async function readContent(
  { url, response }: Download,
  raw: boolean,
  maxBytes: number,
  signal: AbortSignal,
): Promise<PageContent> {
  const contentType = response.headers["content-type"] ?? ""
  const kind = kindOf(contentType)
  if (kind === "binary") {
    const size = response.headers["content-length"]
    response.destroy()
    throw binary(contentType, size === undefined ? "of unknown size" : `${size} bytes`)
  }
  const body = await readBody(response, maxBytes, signal)
  if (kind === "unknown" && looksBinary(body)) throw binary(contentType || "no content type", `${body.length} bytes`)
  const text = decodeText(body, contentType)
  if (raw) return { text }
  if (kind === "json") return { text: prettyJson(text) }
  if (kind === "text" || (kind === "unknown" && !/^\s*<(!doctype html|html)\b/i.test(text))) return { text }
  const { htmlToMarkdown } = await import("./markdown.ts")
  const { title, markdown } = await htmlToMarkdown(text, url, signal)
  return { ...(title !== undefined && { title }), text: markdown }
}

/** The type of a response without its parameters, in lower case. */
export function mediaType(response: IncomingMessage): string {
  return essence(response.headers["content-type"] ?? "")
}

function kindOf(contentType: string): "html" | "json" | "text" | "binary" | "unknown" {
  const type = essence(contentType)
  if (type === "" || type === "application/octet-stream") return "unknown"
  if (type === "text/html" || type === "application/xhtml+xml") return "html"
  if (/[/+]json$/.test(type)) return "json"
  if (type.startsWith("text/") || /[/+](xml|yaml|toml)$/.test(type)) return "text"
  return textApplications.test(type) ? "text" : "binary"
}

const textApplications =
  /^application\/(x-)?(javascript|ecmascript|typescript|ndjson|jsonl|json-seq|yaml|sh|sql|graphql|tex|www-form-urlencoded)$/

function essence(contentType: string): string {
  return (contentType.split(";")[0] ?? "").trim().toLowerCase()
}

function binary(type: string, size: string): FetchFailure {
  return new FetchFailure(`Not text: ${type}, ${size}. Only text, HTML and JSON can be fetched.`)
}

// Long numbers would be rounded on the way through a parser.
function prettyJson(text: string): string {
  if (/\d{16}/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text // not JSON, whatever its type says: the caller sees what was sent
  }
}
