// Nearly everything that a script sends is a call, and a schema takes many times as long to look at one. This sees
// the calls that are right; whatever it does not recognise is left to the schema, which alone refuses.
import { isFields } from "../mcp/fields.ts"
import type { Request } from "./protocol.ts"

type Call = Extract<Request, { type: "call" }>

/** True only for what the schema of a call would let pass. */
export function isPlainCall(message: unknown): message is Call {
  if (!isFields(message) || message.type !== "call") return false
  const { id, server, tool, args, raw, progress, timeoutMs } = message
  return (
    typeof tool === "string" &&
    (server === undefined || typeof server === "string") &&
    isFields(args) &&
    Number.isSafeInteger(id) &&
    (id as number) >= 0 &&
    (raw === undefined || typeof raw === "boolean") &&
    (progress === undefined || typeof progress === "boolean") &&
    (timeoutMs === undefined || (Number.isFinite(timeoutMs) && (timeoutMs as number) > 0))
  )
}
