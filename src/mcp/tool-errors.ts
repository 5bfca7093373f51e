// The errors that a call of a tool can end in, other than those of the connection.
import { type McpExecError, ToolError } from "../errors.ts"
import { nearMiss } from "../suggest.ts"
import { invalidParams, jsonRpcCode } from "./failures.ts"
import type { Fields } from "./fields.ts"

/** The error of a tool that does not exist. `names` are those that do, `answer` is what the server said, if asked. */
export function unknownTool(server: string, tool: string, names: readonly string[], answer?: string): ToolError {
  return new ToolError("E_TOOL_UNKNOWN", server, tool, `Server '${server}' has no tool '${tool}'`, {
    hint: names.length === 0 ? "It has no tools." : nearMiss(tool, names, "It has"),
    ...(answer !== undefined && { details: { answer } }),
  })
}

/** The error of a tool that the configuration hides. */
export function deniedTool(server: string, tool: string): ToolError {
  return new ToolError(
    "E_TOOL_DENIED",
    server,
    tool,
    `The configuration does not allow tool '${tool}' of '${server}'`,
    {
      hint: `See \`tools.allow\` and \`tools.deny\` of server '${server}'.`,
    },
  )
}

/** The error of a tool that says itself that it has failed. */
export function failedTool(server: string, tool: string, text: string, { structuredContent }: Fields): ToolError {
  return new ToolError("E_TOOL_FAILED", server, tool, text, {
    ...(structuredContent !== undefined && { details: { structuredContent } }),
  })
}

/** Whatever else went wrong, as an error of the tool that was called. */
export function toToolError(server: string, tool: string, error: McpExecError): ToolError {
  const { code, message, hint, details } = error
  if (jsonRpcCode(error) !== invalidParams) {
    return new ToolError(code, server, tool, message, { hint, details, cause: error.cause ?? error })
  }
  return new ToolError("E_TOOL_ARGUMENTS", server, tool, message, {
    hint: hint ?? `Compare the arguments with the input schema of '${tool}'.`,
    details,
    cause: error,
  })
}
