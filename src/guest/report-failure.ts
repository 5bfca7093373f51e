// Shows why a script failed: the message, the user's line with what is around it, the user's frames.
// Frames of mcp-exec itself are left out: nobody can mend a script by reading them.
import { describeError, isMcpExecError, McpExecError } from "../errors.ts"
import { printable } from "../printable.ts"
import { asText } from "./as-text.ts"

interface Position {
  file: string
  line: number
  column: number
}

const contextLines = 3
// A bundled script may be a single line; who reads the error pays for all that is shown.
const widestLine = 300
/** How many causes, and how many parts of an AggregateError, are shown. */
const maxShown = 8

/** Writes the failure to stderr and, when somebody wants it as data, tells the broker. `code` is that of a script in no file. */
export async function reportFailure(error: unknown, script: string, code?: string): Promise<void> {
  const { readFileSync, writeSync } = process.getBuiltinModule("node:fs")
  const readLines = (file: string) => {
    try {
      return (file === script ? (code ?? readFileSync(file, "utf8")) : readFileSync(file, "utf8")).split("\n")
    } catch {
      return [] // it may have been removed since
    }
  }
  const thrown = presentable((code !== undefined && ownProblem(error, script, code)) || error, script)
  try {
    writeSync(2, `${describeFailure(thrown, readLines)}\n`)
  } catch {
    // Nobody reads stderr any more; the exit code and the broker still tell.
  }
  if (process.env.MCP_EXEC_REPORT === undefined) return
  const { guest } = await import("./instance.ts")
  const failure = { ...summary(thrown), stack: userFrames(thrown).join("\n") || script }
  // The broker may have gone, or have refused this script: that must not keep it from ending.
  await guest.reportFailure(failure).catch(() => {})
}

/** What was thrown, unless looking at it fails, or it speaks of our files instead of the script. */
function presentable(error: unknown, script: string): unknown {
  try {
    describeFailure(error, () => [])
    summary(error)
  } catch {
    return new Error(`the script threw ${asText(error)}`)
  }
  // Bun says this of a script that it cannot import at all.
  const { name, referrer } = error instanceof Error ? (error as Error & { referrer?: unknown }) : {}
  if (name !== "ResolveMessage" || typeof referrer !== "string" || !isOurFile(referrer)) return error
  return new McpExecError("E_SCRIPT_NOT_FOUND", `${script} cannot be imported`, {
    hint: "A script is a file, and its path holds neither ? nor a backslash.",
  })
}

/** Code gets a line more to be a module. A problem that is found only there is looked for again without it. */
function ownProblem(error: unknown, file: string, code: string): unknown {
  const end = code.split("\n").length
  if (!syntaxProblems(error).some(({ position }) => position.line > end)) return undefined
  try {
    new Bun.Transpiler({ loader: "ts" }).transformSync(code)
  } catch (own) {
    const [problem] = syntaxProblems(own)
    return problem && { message: problem.message, position: { ...problem.position, file } }
  }
  return undefined
}

/** The text a person reads. */
export function describeFailure(error: unknown, readLines: (file: string) => string[]): string {
  const problems = syntaxProblems(error)
  if (problems.length > 0) {
    return problems
      .map(({ message, position }) => [frame(position, readLines), `error[E_SCRIPT_SYNTAX]: ${message}`, at(position)])
      .map((parts) => parts.filter((part) => part !== "").join("\n"))
      .join("\n\n")
  }
  const frames = userFrames(error)
  const first = frames.map(parseFrame).find((position) => position !== undefined)
  return [
    first && frame(first, readLines),
    headline(error),
    isMcpExecError(error) && error.hint && `hint: ${printable(error.hint)}`,
    ...frames.map((line) => `    ${line}`),
    ...partsOf(error),
    ...causes(error),
  ]
    .filter((part) => typeof part === "string" && part !== "")
    .join("\n")
}

function headline(error: unknown): string {
  if (isMcpExecError(error) || error instanceof Error) return title(error)
  return `error: the script threw ${printable(asText(error))}`
}

/** Name and message in one line, or what there is of them. */
function title(error: unknown): string {
  // What a server has said may hold anything, also what drives a terminal.
  if (isMcpExecError(error)) return `error[${error.code}]: ${printable(error.message)}`
  if (!(error instanceof Error)) return printable(asText(error))
  const name = typeof error.name !== "string" || unnamed.includes(error.name) ? "error" : error.name
  return error.message === "" ? name : `${name}: ${printable(error.message)}`
}

// The last two are what Bun calls a module that it cannot find or read.
const unnamed = ["Error", "ResolveMessage", "BuildMessage"]

function summary(error: unknown): { code: string; message: string; hint?: string } {
  const [problem] = syntaxProblems(error)
  if (problem !== undefined)
    return { code: "E_SCRIPT_SYNTAX", message: `${problem.message} (${at(problem.position).trim()})` }
  if (isMcpExecError(error)) return describeError(error)
  return {
    code: "E_SCRIPT_FAILED",
    message: error instanceof Error ? `${error.name}: ${error.message}` : asText(error),
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
  if (!(error instanceof Error) || typeof error.stack !== "string") return []
  // The message stands in front of the frames, and may have lines that look like some.
  const end = error.message === "" ? -1 : error.stack.indexOf(`${error.message}\n`)
  return error.stack
    .slice(end < 0 ? 0 : end + error.message.length)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at ") && !isOurs(line))
}

function isOurs(frame: string): boolean {
  const position = parseFrame(frame)
  return position === undefined || isOurFile(position.file)
}

function isOurFile(file: string): boolean {
  return /^(native|unknown)$|^(node|bun|native|ext|internal):|\/\$bunfs\/|~BUN/.test(file) || file.startsWith(ourFolder)
}

// When mcp-exec runs from source, its frames carry real paths.
const ourFolder = decodeURIComponent(new URL("../", import.meta.url).pathname)

function parseFrame(frame: string): Position | undefined {
  const match = /^at (?:async )?(?:.*\()?(?:file:\/\/)?(.+?):(\d+):(\d+)\)?$/.exec(frame)
  if (match === null) return undefined
  return { file: match[1] as string, line: Number(match[2]), column: Number(match[3]) }
}

function frame({ file, line, column }: Position, readLines: (file: string) => string[]): string {
  const lines = readLines(file)
  const from = Math.max(0, line - contextLines)
  const width = String(line).length
  const shown = lines
    .slice(from, line)
    .map((text, index) => `${String(from + index + 1).padStart(width)} | ${printable(text.slice(0, widestLine))}`)
  const mark = column > widestLine ? [] : [`${" ".repeat(width + 2 + column)}^`]
  return shown.length === 0 ? "" : [...shown, ...mark].join("\n")
}

function at({ file, line, column }: Position): string {
  return `    at ${file}:${line}:${column}`
}

/** What an AggregateError is made of: `Promise.any` says nothing else. */
function partsOf(error: unknown): string[] {
  if (!(error instanceof AggregateError)) return []
  const parts = error.errors.slice(0, maxShown).map((part) => `  - ${title(part)}`)
  return error.errors.length > maxShown ? [...parts, `  and ${error.errors.length - maxShown} more`] : parts
}

/** A cause may lead back to its effect. */
function causes(error: unknown): string[] {
  const seen = new Set<unknown>([error])
  for (let at = error; at instanceof Error && at.cause !== undefined && !seen.has(at.cause); at = at.cause) {
    if (seen.size > maxShown) break
    seen.add(at.cause)
  }
  return [...seen].slice(1).map((cause) => `caused by ${title(cause)}`)
}
