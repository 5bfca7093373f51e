// What can be said of a script by its name and a look at the disk, with nothing loaded.
import { within } from "../platform/paths.ts"

export interface NamedScript {
  path: string
  args: string[]
}

/** The script that the words after `exec` name; undefined when options may change how it is started. */
export function namedScript(words: readonly string[], cwd: string): NamedScript | undefined {
  // Of the options, this one alone changes nothing about it.
  const [script, ...args] = words[0] === "--no-daemon" ? words.slice(1) : words
  if (script === undefined || script.startsWith("-") || !script.endsWith(".ts")) return undefined
  return { path: within(cwd, script), args }
}

/**
 * True for a file with something in it that is no skill, which may have to be approved first. Bun reads the size without
 * loading anything; only a folder has one when its name ends in a slash.
 */
export function isPlainScript(path: string): boolean {
  if (path.includes(process.platform === "win32" ? "skills" : "/skills/")) return false
  return typeof Bun !== "undefined" && Bun.file(path).size > 0 && Bun.file(`${path}/`).size === 0
}
