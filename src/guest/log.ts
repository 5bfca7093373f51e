// A line on stderr for people, so that stdout stays the script's result.
import { asText } from "./as-text.ts"

type Level = "debug" | "info" | "warning" | "error"

export interface Log {
  (...values: unknown[]): void
  debug(...values: unknown[]): void
  info(...values: unknown[]): void
  warning(...values: unknown[]): void
  error(...values: unknown[]): void
}

/** Writes `[LEVEL] message` to stderr. `log(…)` is `log.info(…)`. */
export const log: Log = Object.assign(writer("info"), {
  debug: writer("debug"),
  info: writer("info"),
  warning: writer("warning"),
  error: writer("error"),
})

function writer(level: Level): (...values: unknown[]) => void {
  return (...values) => {
    // Loaded on use: scripts that log nothing start without it. Synchronous, so that lines keep their order.
    const { writeSync } = process.getBuiltinModule("node:fs")
    writeSync(2, `[${level.toUpperCase()}] ${values.map(inWords).join(" ")}\n`)
  }
}

function inWords(value: unknown): string {
  return value instanceof Error ? (value.stack ?? value.message) : asText(value)
}
