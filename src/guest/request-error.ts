// The error that a script sees for a request of its own.
import { type ErrorDescription, McpExecError, ServerError, ToolError } from "../errors.ts"
import { type RequestBody, RequestFailure } from "./channel.ts"

/** `site` was made by whoever the script asked: below that function's own frame are those of the script. */
export function requestError(failure: unknown, body: RequestBody, site: Error): unknown {
  const description = failure instanceof RequestFailure ? failure.description : unserializable(failure)
  const { code, message, hint, details, server = body.server ?? "", tool = body.tool } = description
  const options = { hint, details }
  const error = withoutFrames(() =>
    tool !== undefined
      ? new ToolError(code, String(server), String(tool), message, options)
      : server !== ""
        ? new ServerError(code, String(server), message, options)
        : new McpExecError(code, message, options),
  )
  const frames = typeof site.stack === "string" ? site.stack.split("\n").slice(2) : []
  error.stack = [`${error.name}: ${message}`, ...frames].join("\n")
  return error
}

/** Our own frames say nothing to the script, and Bun would print the code around them. */
function withoutFrames<Made extends Error>(make: () => Made): Made {
  const { stackTraceLimit } = Error
  if (typeof Bun !== "undefined") Error.stackTraceLimit = 0
  const error = make()
  Error.stackTraceLimit = stackTraceLimit
  // Deno replaces an error whose stack nobody has looked at before it was changed.
  void error.stack
  return error
}

/** The channel fails by itself only with what cannot be sent. */
function unserializable(failure: unknown): ErrorDescription {
  const reason = failure instanceof Error ? failure.message : String(failure)
  return { code: "E_TOOL_ARGUMENTS", message: `The arguments cannot be written as JSON: ${reason}` }
}

/** A request that is not sent, because nobody could understand it. */
export function misuse({ type }: RequestBody, problem: string): RequestFailure {
  const isCall = type === "call"
  const message = `${isCall ? "This call" : "This request"} cannot be made: ${problem}`
  return new RequestFailure({
    code: isCall ? "E_TOOL_ARGUMENTS" : "E_USAGE",
    message,
    ...(isCall && { hint: 'For example: callTool("server", "tool", { key: "value" }, { timeoutMs: 5000 })' }),
  })
}
