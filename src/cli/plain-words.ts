// Command lines that are nothing but words and well-known options, read without commander: loading it takes
// longer than many a command. What is unusual is left to commander, which has the words for it.
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

/** Undefined when there is anything else: help, another folder, `--option=value`, a mistake. */
export function parsePlainWords(argv: readonly string[], known: KnownOptions): PlainWords | undefined {
  const switches = new Set<string>()
  const values = new Map<string, string>()
  const words: string[] = []
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string
    if (!word.startsWith("-")) words.push(word)
    else if (globalSwitches.includes(word) || known.switches?.includes(word)) switches.add(word)
    else if (word === "--config" || known.values?.includes(word)) {
      const value = argv[++at]
      if (value === undefined) return undefined
      values.set(word, value)
    } else return undefined
  }
  const globals: Globals = {
    config: values.get("--config"),
    cwd: undefined,
    json: switches.has("--json"),
    quiet: switches.has("--quiet"),
    verbose: switches.has("--verbose"),
    color: !switches.has("--no-color"),
  }
  return { words, switches, values, globals }
}

const globalSwitches: readonly string[] = ["--json", "--quiet", "--verbose", "--no-color"]
