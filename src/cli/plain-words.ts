// Command lines that are nothing but words and well-known options, read without commander: loading it takes
// longer than many a command. What is unusual is left to commander, which has the words for it.
import { resolveWithin } from "../platform/paths.ts"
import type { Globals } from "./globals.ts"

export interface PlainWords {
  words: string[]
  /** Options that take no value, and those that do. */
  switches: Set<string>
  values: Map<string, string>
  globals: Globals
}

export interface KnownOptions {
  switches?: readonly string[]
  values?: readonly string[]
}

/** Undefined when there is anything else: help, `--option=value`, a mistake. */
export function parsePlainWords(argv: readonly string[], known: KnownOptions): PlainWords | undefined {
  const switches = new Set<string>()
  const values = new Map<string, string>()
  const words: string[] = []
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string
    if (!word.startsWith("-")) words.push(word)
    else if (globalSwitches.includes(word) || known.switches?.includes(word)) switches.add(word)
    else if (globalValues.includes(word) || known.values?.includes(word)) {
      const value = argv[++at]
      if (value === undefined) return undefined
      values.set(word, value)
    } else return undefined
  }
  const globals: Globals = {
    config: values.get("--config"),
    cwd: values.get("--cwd"),
    json: switches.has("--json"),
    quiet: switches.has("--quiet"),
    verbose: switches.has("--verbose"),
    color: !switches.has("--no-color"),
  }
  return { words, switches, values, globals }
}

/** The folder in which a command acts; undefined when --cwd does not surely name one. */
export function plainFolder(startedIn: string, { cwd }: Globals): string | undefined {
  if (cwd === undefined) return startedIn
  const folder = resolveWithin(startedIn, cwd)
  // With the slash, a file has no size.
  return typeof Bun !== "undefined" && Bun.file(`${folder}/`).size > 0 ? folder : undefined
}

const globalValues: readonly string[] = ["--config", "--cwd"]
const globalSwitches: readonly string[] = ["--json", "--quiet", "--verbose", "--no-color"]
