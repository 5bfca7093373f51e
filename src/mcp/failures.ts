// What the SDK, a process or the network throws → our errors. Decided by types, codes and state, never by
// the text of a message.
import { type ErrorCode, type ErrorOptions, McpExecError, ServerError } from "../errors.ts"
import type { CancelSignal } from "../platform/cancellation.ts"
import { isFields } from "./fields.ts"
import { httpStatusOf, spokenReason } from "./http-status.ts"
import type { Link } from "./link.ts"
import { streamEnded } from "./loose-transport.ts"
import { brokenReply } from "./parse-message.ts"
import type { StdioTransport } from "./stdio-transport.ts"

export const methodNotFound = -32601
export const invalidParams = -32602
/** Headers of an HTTP request do not repeat what its body says. */
export const headerMismatch = -32020
/** The HTTP status of a server that does not know our session (any more). */
const unknownSession = 404

export interface RequestContext {
  server: string
  /** What was being done, as in "during …". */
  action: string
  timeoutMs: number
  timeoutCode: "E_SERVER_TIMEOUT" | "E_TOOL_TIMEOUT"
  signal: CancelSignal | undefined
  process: StdioTransport | undefined
  /** True when the connection was closed on purpose, by us. */
  closedByUs: boolean
}

/** The error of a request on an established connection. */
export async function requestError(error: unknown, context: RequestContext): Promise<McpExecError> {
  if (error instanceof McpExecError) return error
  const { server, action, timeoutMs, signal, process, closedByUs } = context
  const fail = (code: ErrorCode, message: string, options: ErrorOptions = {}) =>
    new ServerError(code, server, message, { cause: error, ...options })

  if (signal?.aborted) return fail("E_TOOL_CANCELLED", `${action} was cancelled`)
  const { ProtocolError, SdkError, SdkErrorCode } = await import("@modelcontextprotocol/client")
  if (error instanceof ProtocolError) {
    if (error.data === streamEnded) return fail("E_SERVER_CLOSED", `Server '${server}' ended ${action} without a reply`)
    if (error.data === brokenReply) return fail("E_SERVER_PROTOCOL", brokenText(server, action))
    return fail("E_SERVER_PROTOCOL", `Server '${server}' refused ${action}: ${error.message} (${error.code})`, {
      details: { code: error.code, ...(error.data !== undefined && { data: error.data }) },
    })
  }
  const status = await httpStatusOf(error)
  if (status !== undefined) return httpError(status, error, fail, context)
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout) {
      return fail(context.timeoutCode, `Server '${server}' did not finish ${action} within ${seconds(timeoutMs)}`, {
        hint: `Raise \`timeout\` (milliseconds) of server '${server}' if it needs longer.`,
      })
    }
    if (error.code === SdkErrorCode.CapabilityNotSupported) {
      return fail("E_SERVER_PROTOCOL", `Server '${server}' asked during ${action} for something that is not offered`, {
        details: error.data,
      })
    }
    const isLost = error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected
    if (!isLost) return fail("E_SERVER_PROTOCOL", brokenText(server, action), { details: error.data })
  } else if (isUnreadable(error)) {
    return fail("E_SERVER_PROTOCOL", brokenText(server, action))
  }
  if (closedByUs) return fail("E_SERVER_CLOSED", `The connection to server '${server}' was closed during ${action}`)
  const isNetwork = process === undefined && !(error instanceof SdkError)
  const why = isNetwork ? `: ${innermostReason(error)}` : ""
  return fail("E_SERVER_CLOSED", `Server '${server}' ${endOf(process)} during ${action}${why}`, {
    hint: lastWords(process) ?? "The next call connects again.",
    details: processDetails(process),
  })
}

/** What a failed request says about its connection: that it is gone, that it may be, or nothing. */
export function connectionAfter({ code, details }: McpExecError, kind: Link["kind"]): "lost" | "doubtful" | "fine" {
  const isClosed = code === "E_SERVER_CLOSED"
  const status = isFields(details) ? details.status : undefined
  if (kind !== "remote" || status === unknownSession) return isClosed ? "lost" : "fine"
  // Over HTTP every request travels alone: one that fails need not be the end of the others.
  return isClosed || (code === "E_SERVER_PROTOCOL" && status !== undefined) ? "doubtful" : "fine"
}

/** How a process ended, as a verb. */
export function endOf(process: StdioTransport | undefined): string {
  if (process?.givenUp === "endless message") return "sent a message that is too large"
  if (process?.givenUp === "junk") return "printed much that is not MCP, and no message"
  if (process?.exit === undefined) return "closed the connection"
  const { code, signal } = process.exit
  return signal === null ? `exited with code ${code}` : `was ended by ${signal}`
}

/** The last lines a process wrote to stderr, for a hint. */
export function lastWords(process: StdioTransport | undefined): string | undefined {
  const lines = process?.stderr.trimEnd().split("\n").slice(-10) ?? []
  if (lines.join("").trim() === "") return undefined
  return `It wrote to stderr:\n${lines.map((line) => `  ${line}`).join("\n")}`
}

export function processDetails(process: StdioTransport | undefined): Record<string, unknown> | undefined {
  if (process === undefined) return undefined
  return {
    ...(process.exit !== undefined && { exitCode: process.exit.code, signal: process.exit.signal }),
    ...(process.stderr !== "" && { stderr: process.stderr }),
  }
}

/** What the innermost cause says: the outer layers only say "failed". */
export function innermostReason(error: unknown): string {
  let innermost = error
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause
  return innermost instanceof Error ? innermost.message : String(innermost)
}

/** True for a reply that is not JSON, or not JSON-RPC. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Error && "issues" in error)
}

export function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${Number((milliseconds / 1000).toFixed(1))} s`
}

type Fail = (code: ErrorCode, message: string, options?: ErrorOptions) => ServerError

function httpError(status: number, error: unknown, fail: Fail, { server, action }: RequestContext): ServerError {
  const message = `Server '${server}' answered ${action} with HTTP ${status}${spokenReason(error)}`
  const details = { status }
  if (status === 401 || status === 403) {
    return fail("E_SERVER_AUTH", message, {
      hint: `Check the credentials in \`headers\` of server '${server}'.`,
      details,
    })
  }
  return fail(status === unknownSession ? "E_SERVER_CLOSED" : "E_SERVER_PROTOCOL", message, { details })
}

function brokenText(server: string, action: string): string {
  return `Server '${server}' sent a reply to ${action} that cannot be understood`
}

/** The JSON-RPC code with which a server refused a request. */
export function jsonRpcCode(error: unknown): number | undefined {
  const details = error instanceof McpExecError ? error.details : undefined
  return isFields(details) && typeof details.code === "number" ? details.code : undefined
}
