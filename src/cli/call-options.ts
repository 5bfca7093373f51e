// The command line of `call` where a daemon answers: read without commander, which takes longer to load
// than the call. What is unusual here is left to commander, which has the words for it.
import type { CallWords } from "./call-view.ts"
import type { Globals } from "./globals.ts"

export interface CallArguments extends CallWords {
  raw: boolean
  timeoutMs: number | undefined
  globals: Globals
}

/** Undefined when there is anything but a plain call, or one that must do without a daemon. */
export function parseCallArguments(argv: readonly string[]): CallArguments | undefined {
  const globals: Globals = {
    config: undefined,
    cwd: undefined,
    json: false,
    quiet: false,
    verbose: false,
    color: true,
  }
  const words: string[] = []
  let args: string | undefined
  let raw = false
  let timeoutMs: number | undefined
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string
    if (!word.startsWith("-")) {
      words.push(word)
      continue
    }
    const value = argv[at + 1]
    switch (word) {
      case "--json":
      case "--quiet":
      case "--verbose":
        globals[word.slice(2) as "json" | "quiet" | "verbose"] = true
        break
      case "--no-color":
        globals.color = false
        break
      case "--raw":
        raw = true
        break
      case "--args":
      case "--config":
        if (value === undefined) return undefined
        if (word === "--args") args = value
        else globals.config = value
        at++
        break
      case "--timeout": {
        const seconds = Number(value?.trim() || Number.NaN)
        if (!(Number.isFinite(seconds) && seconds > 0)) return undefined
        timeoutMs = seconds * 1000
        at++
        break
      }
      default:
        return undefined
    }
  }
  const [target, ...rest] = words
  return target === undefined ? undefined : { target, words: rest, args, raw, timeoutMs, globals }
}
