// One line of a server's output → JSON-RPC messages. The SDK ignores a reply that is not quite valid,
// and its call then waits for the timeout; here such a reply becomes one that fails the call at once.
import type { JSONRPCMessage } from "@modelcontextprotocol/client"
import { isFields } from "./fields.ts"

/** Marks the errors that are ours, not the server's. */
export const brokenReply = "mcp-exec/broken-reply"

/** A first look, for the sake of programs that print a lot of what is no message. */
export function seemsMessage(line: string): boolean {
  return /^\s*[[{]/.test(line)
}

/** The messages in a line, or undefined when it is none: programs print banners and warnings. */
export function parseMessages(line: string): JSONRPCMessage[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  const messages = (Array.isArray(value) ? value : [value]).map(toMessage)
  return messages.every((message) => message !== undefined) && messages.length > 0 ? messages : undefined
}

function toMessage(value: unknown): JSONRPCMessage | undefined {
  if (!isFields(value)) return undefined
  if (typeof value.method === "string") return { ...value, jsonrpc: "2.0" } as JSONRPCMessage
  const { id, result, error } = value
  if (typeof id !== "string" && typeof id !== "number") return undefined
  if (error !== undefined && error !== null) return { jsonrpc: "2.0", id, error: toError(error) }
  if (!isFields(result)) {
    const message = "the reply has neither a result nor an error"
    return { jsonrpc: "2.0", id, error: { code: -32603, message, data: brokenReply } }
  }
  const { _meta } = result
  if (_meta === undefined || isFields(_meta)) return { jsonrpc: "2.0", id, result }
  const { _meta: _dropped, ...rest } = result
  return { jsonrpc: "2.0", id, result: rest }
}

function toError(error: unknown): { code: number; message: string; data?: unknown } {
  const { code, message, data } = isFields(error) ? error : {}
  return {
    code: Number.isInteger(code) ? (code as number) : -32603,
    message: typeof message === "string" ? message : JSON.stringify(error),
    ...(data !== undefined && { data }),
  }
}
