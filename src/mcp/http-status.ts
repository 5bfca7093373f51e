// Replies over HTTP that are refusals: which status they had, and what they said.
import { isFields } from "./fields.ts"

/** A reply of an SSE server's message endpoint with a status that means failure. */
export class HttpStatusError extends Error {
  override readonly name = "HttpStatusError"
  readonly status: number
  readonly text: string

  constructor(status: number, text: string) {
    super(`HTTP ${status}`)
    this.status = status
    this.text = text
  }
}

/** The status of a reply that was refused, whichever transport it came by. */
export async function httpStatusOf(error: unknown): Promise<number | undefined> {
  const sdk = await import("@modelcontextprotocol/client")
  if (error instanceof sdk.SdkHttpError || error instanceof HttpStatusError) return error.status
  if (error instanceof sdk.SseError) return error.code
  if (error instanceof sdk.InsufficientScopeError) return 403
  return error instanceof sdk.UnauthorizedError ? 401 : undefined
}

/** Why a reply was refused, as the end of a sentence, where its body is a JSON-RPC error. */
export function spokenReason(error: unknown): string {
  const { data, text = isFields(data) ? data.text : undefined } = error as { data?: unknown; text?: unknown }
  try {
    const reason = JSON.parse(String(text)).error.message
    return typeof reason === "string" ? `: ${reason.slice(0, 500)}` : ""
  } catch {
    return "" // a web page, or nothing
  }
}
