// What TypeScript's compiler prints, as data.

export interface Diagnostic {
  file: string
  /** Both from 1 on. */
  line: number
  column: number
  /** 2322 for TS2322. */
  code: number
  message: string
  /** The lines below it, which go into detail. */
  details: string[]
}

/** Reads the plain output of `tsc`. */
export function parseDiagnostics(output: string): Diagnostic[] {
  const found: Diagnostic[] = []
  for (const line of output.split(/\r?\n/)) {
    const match = /^(.+?)\((\d+),(\d+)\): error TS(\d+): (.*)$/.exec(line)
    if (match !== null) {
      const [, file = "", row, column, code, message = ""] = match
      found.push({ file, line: Number(row), column: Number(column), code: Number(code), message, details: [] })
    } else if (/^\s+\S/.test(line)) found.at(-1)?.details.push(line.trim())
  }
  return found
}
