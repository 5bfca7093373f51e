// Shows why a script failed: the message, the user's line with what is around it, the user's frames.
// Frames of mcp-exec itself are left out: nobody can mend a script by reading them.
import { describeError, isMcpExecError } from "../errors.ts"
import { printable } from "../printable.ts"

interface Position {
  file: string
  line: number
  column: number
}

const contextLines = 3

/** Writes the failure to stderr and, when somebody wants it as data, tells the broker. */
export async function reportFailure(error: unknown, script: string): Promise<void> {
  const { readFileSync, writeSync } = process.getBuiltinModule("node:fs")
  const readLines = (file: string) => {
    try {
      return readFileSync(file, "utf8").split("\n")
    } catch {
      return [] // code from stdin or -e: there is no file to show
    }
  }
  writeSync(2, `${describeFailure(error, readLines)}\n`)
  if (process.env.MCP_EXEC_REPORT === undefined) return
  const { guest } = await import("./instance.ts")
  await guest.reportFailure({ ...summary(error), stack: userFrames(error).join("\n") || script })
}

/** The text a person reads. */
export function describeFailure(error: unknown, readLines: (file: string) => string[]): string {
  const problems = syntaxProblems(error)
  if (problems.length > 0) {
    return problems
      .map(({ message, position }) =>
        [frame(position, readLines), `error[E_SCRIPT_SYNTAX]: ${message}`, at(position)].join("\n"),
      )
      .join("\n\n")
  }
  const frames = userFrames(error)
  const first = frames.map(parseFrame).find((position) => position !== undefined)
  return [
    first && frame(first, readLines),
    headline(error),
    isMcpExecError(error) && error.hint && `hint: ${printable(error.hint)}`,
    ...frames.map((line) => `    ${line}`),
    ...causes(error),
  ]
    .filter((part) => typeof part === "string" && part !== "")
    .join("\n")
}

function headline(error: unknown): string {
  // What a server has said may hold anything, also what drives a terminal.
  if (isMcpExecError(error)) return `error[${error.code}]: ${printable(error.message)}`
  if (error instanceof Error) return `${error.name === "Error" ? "error" : error.name}: ${error.message}`
  return `error: the script threw ${typeof error === "string" ? error : (JSON.stringify(error) ?? String(error))}`
}

function summary(error: unknown): { code: string; message: string } {
  const [problem] = syntaxProblems(error)
  if (problem !== undefined)
    return { code: "E_SCRIPT_SYNTAX", message: `${problem.message} (${at(problem.position).trim()})` }
  if (isMcpExecError(error)) return describeError(error)
  return {
    code: "E_SCRIPT_FAILED",
    message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  }
}

/** Bun reports what it could not parse as messages with a position. */
function syntaxProblems(error: unknown): { message: string; position: Position }[] {
  const candidates = error instanceof AggregateError ? error.errors : [error]
  return candidates.filter(
    (each): each is { message: string; position: Position } =>
      typeof each?.position?.file === "string" && typeof each.position.line === "number",
  )
}

function userFrames(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? "") : ""
  return stack
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at ") && !isOurs(line))
}

function isOurs(frame: string): boolean {
  const position = parseFrame(frame)
  if (position === undefined) return true
  return /^(node|bun|native|ext):|\/\$bunfs\/|~BUN/.test(position.file) || position.file.startsWith(ourFolder)
}

// When mcp-exec runs from source, its frames carry real paths.
const ourFolder = decodeURIComponent(new URL("../", import.meta.url).pathname)

function parseFrame(frame: string): Position | undefined {
  const match = /^at (?:.*\()?(?:file:\/\/)?(.+?):(\d+):(\d+)\)?$/.exec(frame)
  if (match === null) return undefined
  return { file: match[1] as string, line: Number(match[2]), column: Number(match[3]) }
}

function frame({ file, line, column }: Position, readLines: (file: string) => string[]): string {
  const lines = readLines(file)
  const from = Math.max(0, line - contextLines)
  const width = String(line).length
  const shown = lines.slice(from, line).map((text, index) => `${String(from + index + 1).padStart(width)} | ${text}`)
  return shown.length === 0 ? "" : [...shown, `${" ".repeat(width + 2 + column)}^`].join("\n")
}

function at({ file, line, column }: Position): string {
  return `    at ${file}:${line}:${column}`
}

function causes(error: unknown): string[] {
  const cause = error instanceof Error ? error.cause : undefined
  return cause === undefined ? [] : [`caused by ${headline(cause)}`, ...causes(cause)]
}
