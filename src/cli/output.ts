// The only place that prints what is not a result: errors, log lines, progress. stdout belongs to
// the result; with --json it gets exactly one JSON value, also when that value is an error.
import { describeError, type ErrorDescription } from "../errors.ts"
import type { LogLevel, OnProgress } from "../operations/context.ts"
import { printable } from "../printable.ts"
import type { Globals } from "./globals.ts"
import type { CliIo } from "./io.ts"

export interface Output {
  readonly json: boolean
  /** Colours a text for stdout, where that is a terminal. */
  paint(color: Color, text: string): string
  print(text: string): void
  printJson(value: unknown): void
  /** Something to tell the user that is neither a result nor a problem. */
  notice(text: string): void
  log(level: LogLevel, message: string): void
  progress: OnProgress
  /** Takes the progress line away. */
  clear(): void
  error(error: unknown): void
}

const colors = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2, bold: 1 }
export type Color = keyof typeof colors

const levels: LogLevel[] = ["debug", "info", "warning", "error"]

/** What printing needs of the process. */
export type OutputIo = Pick<CliIo, "stdout" | "stderr" | "isTTY" | "columns" | "env">

/** What a command prints with. */
export function createOutput(io: OutputIo, globals: Globals): Output {
  const lowest: LogLevel = globals.quiet ? "error" : globals.verbose ? "debug" : "warning"
  const status = createStatusLine(io)
  const toStderr = (text: string) => {
    status.clear()
    io.stderr(text)
  }
  const paintError = painter(useColor(io, globals, io.isTTY.stderr))
  return {
    json: globals.json,
    paint: painter(useColor(io, globals, io.isTTY.stdout)),
    print(text) {
      status.clear()
      io.stdout(text)
    },
    printJson(value) {
      status.clear()
      io.stdout(`${JSON.stringify(value ?? null, null, 2)}\n`)
    },
    notice(text) {
      if (!globals.quiet) toStderr(text)
    },
    log(level, message) {
      if (levels.indexOf(level) < levels.indexOf(lowest)) return
      toStderr(`[${level.toUpperCase()}] ${printable(message)}\n`)
    },
    progress({ progress, total, message }) {
      if (globals.quiet || !io.isTTY.stderr) return
      const share = total === undefined ? `${progress}` : `${progress}/${total}`
      status.show(message === undefined ? share : `${share} ${printable(message)}`)
    },
    clear: status.clear,
    error(error) {
      const description = describeError(error)
      if (globals.json) io.stdout(`${JSON.stringify({ error: description }, null, 2)}\n`)
      else {
        toStderr(`${paintError("red", `error[${description.code}]`)}: ${printable(messageOf(description))}\n`)
        if (description.hint !== undefined) toStderr(`${paintError("cyan", "hint")}: ${printable(description.hint)}\n`)
      }
      if (globals.verbose) toStderr(explain(error))
    },
  }
}

/** What a tool said about its failure does not say which tool it was. */
function messageOf({ code, message, server, tool }: ErrorDescription): string {
  return code === "E_TOOL_FAILED" && tool !== undefined ? `${server}.${tool}: ${message}` : message
}

/** True when colour is wanted and can be seen. */
export function useColor(io: OutputIo, globals: Globals, isTTY: boolean): boolean {
  return isTTY && globals.color && !io.env.NO_COLOR && io.env.TERM !== "dumb"
}

function painter(enabled: boolean): (color: Color, text: string) => string {
  return (color, text) => (enabled ? `\u001b[${colors[color]}m${text}\u001b[0m` : text)
}

/** One line at the bottom of the terminal that is overwritten until something lasting is printed. */
function createStatusLine(io: OutputIo) {
  let shown = false
  const clear = () => {
    if (shown) io.stderr("\r\u001b[K")
    shown = false
  }
  return {
    show(text: string) {
      clear()
      io.stderr(text.replaceAll("\n", " ").slice(0, (io.columns ?? 80) - 1))
      shown = true
    },
    clear,
  }
}

/** Stack and causes, for whoever looks for the reason inside. */
function explain(error: unknown): string {
  const lines: string[] = []
  for (let at = error; at !== undefined && at !== null; at = at instanceof Error ? at.cause : undefined) {
    const prefix = lines.length === 0 ? "" : "caused by: "
    lines.push(prefix + printable(at instanceof Error ? (at.stack ?? at.message) : String(at)))
    // A cause that leads back to its effect would never end.
    if (lines.length > 8) break
  }
  return `${lines.join("\n")}\n`
}
