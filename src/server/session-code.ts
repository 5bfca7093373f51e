// A snippet of a session → plain JavaScript that leaves its declarations behind, and its value. Imports go
// through a function of the session's process, which knows where they start.
import { parse } from "acorn"
import { McpExecError } from "../errors.ts"
import { hasValue, withoutFence } from "./forgive.ts"

export interface SessionCode {
  code: string
  /** Whether its last value is to be printed. */
  hasValue: boolean
}

/** Throws E_SCRIPT_SYNTAX for what is not TypeScript. */
export function sessionCode(given: string): SessionCode {
  if (typeof Bun === "undefined") {
    throw new McpExecError("E_USAGE", "Sessions need mcp-exec's own runtime", {
      hint: "Start the server with the mcp-exec binary, or leave out session.",
    })
  }
  const written = withoutFence(given)
  const code = transpile(written)
  const calls = importCalls(parse(code, { ecmaVersion: "latest", sourceType: "script" }))
  // From the end, so that what comes before keeps its place.
  const rewritten = calls
    .sort((a, b) => b - a)
    .reduce((text, at) => `${text.slice(0, at)}__mcpExecImport${text.slice(at + "import".length)}`, code)
  return { code: rewritten, hasValue: hasValue(written) }
}

function transpile(code: string): string {
  try {
    return new Bun.Transpiler({ loader: "ts", replMode: true }).transformSync(code)
  } catch (cause) {
    throw new McpExecError("E_SCRIPT_SYNTAX", messageOf(cause), {
      hint: "Nothing of the snippet was run; the session's variables are as they were.",
      cause,
    })
  }
}

function messageOf(error: unknown): string {
  const problems = error instanceof AggregateError ? error.errors : [error]
  return problems
    .map(({ message, position }: { message?: string; position?: { line?: number } | null }) =>
      position?.line === undefined ? String(message) : `line ${position.line}: ${message}`,
    )
    .join("\n")
}

/** Where `import(` stands. */
function importCalls(node: unknown): number[] {
  if (typeof node !== "object" || node === null) return []
  if (Array.isArray(node)) return node.flatMap(importCalls)
  const { type, start } = node as { type?: unknown; start?: unknown }
  const own = type === "ImportExpression" && typeof start === "number" ? [start] : []
  return [...own, ...Object.values(node).flatMap(importCalls)]
}
