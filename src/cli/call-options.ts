// The command line of `call` where a daemon answers: read without commander, which takes longer to load
// than the call.
import type { CallWords } from "./call-view.ts"
import type { Globals } from "./globals.ts"
import { parsePlainWords } from "./plain-words.ts"

export interface CallArguments extends CallWords {
  raw: boolean
  timeoutMs: number | undefined
  globals: Globals
}

/** Undefined when there is anything but a plain call, or one that must do without a daemon. */
export function parseCallArguments(argv: readonly string[]): CallArguments | undefined {
  const parsed = parsePlainWords(argv, { switches: ["--raw"], values: ["--args", "--timeout"] })
  const [target, ...words] = parsed?.words ?? []
  if (parsed === undefined || target === undefined) return undefined
  const { switches, values, globals } = parsed
  const timeout = values.get("--timeout")
  const seconds = Number(timeout?.trim() || Number.NaN)
  if (timeout !== undefined && !(Number.isFinite(seconds) && seconds > 0)) return undefined
  const timeoutMs = timeout === undefined ? undefined : seconds * 1000
  return { target, words, args: values.get("--args"), raw: switches.has("--raw"), timeoutMs, globals }
}
