// Scripts may be JavaScript, and types are erased: what the broker would take for a broken
// connection is found here, and said about the one call that is wrong.
import type { RequestBody, RequestOptions } from "./channel.ts"

const texts = ["server", "tool", "uri", "name", "query"]
const details = ["name", "description", "full"]

/** What is wrong with a request, in words; undefined when nothing is. */
export function problemWith(body: RequestBody, { signal, onProgress }: RequestOptions): string | undefined {
  const problem = isRightCall(body) ? undefined : problemWithBody(body)
  if (problem !== undefined) return problem
  if (signal && typeof signal.addEventListener !== "function") return "signal must be an AbortSignal"
  if (onProgress && typeof onProgress !== "function") return "onProgress must be a function"
  return undefined
}

/** True for nearly all calls: the first ones of a script run slowly, and a closer look is felt. */
function isRightCall({ type, server, tool, args, timeoutMs }: RequestBody): boolean {
  if (type !== "call" || typeof server !== "string" || typeof tool !== "string" || timeoutMs !== undefined) return false
  return typeof args === "object" && args !== null && !Array.isArray(args) && !("toJSON" in args)
}

function problemWithBody(body: RequestBody): string | undefined {
  for (const key of texts) {
    if (key in body && typeof body[key] !== "string") return `the ${key} must be a string, found ${kindOf(body[key])}`
  }
  if ("args" in body && kindAsJson(body.args) !== "an object") {
    return `the arguments must be an object, found ${kindAsJson(body.args)}`
  }
  if (body.type === "get-prompt") {
    const wrong = Object.entries(body.args as object).find(
      ([, value]) => !["string", "undefined"].includes(typeof value),
    )
    if (wrong !== undefined) return `arguments of a prompt must be strings, found ${kindOf(wrong[1])} for ${wrong[0]}`
  }
  const { timeoutMs, limit, detail } = body
  if (limit !== undefined && !(Number.isInteger(limit) && Number(limit) > 0 && Number(limit) <= 100)) {
    return `limit must be an integer from 1 to 100, found ${typeof limit === "number" ? limit : kindOf(limit)}`
  }
  if (detail !== undefined && !details.includes(String(detail))) return `detail must be one of ${details.join(", ")}`
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && Number(timeoutMs) > 0)) {
    return `timeoutMs must be a number above 0, found ${typeof timeoutMs === "number" ? timeoutMs : kindOf(timeoutMs)}`
  }
  return undefined
}

/** A Date is an object, but not where it arrives. */
function kindAsJson(value: unknown): string {
  if (typeof value !== "object" || value === null || !("toJSON" in value)) return kindOf(value)
  try {
    return typeof value.toJSON === "function" ? kindOf(value.toJSON()) : kindOf(value)
  } catch (error) {
    return `something that cannot be written as JSON (${error})`
  }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return "an array"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}
