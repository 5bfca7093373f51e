// A position in a skill's text, and the small steps from there.
import { skipBlanks } from "./mask-source.ts"

export interface Source {
  text: string
  /** The text with nothing but code in it. */
  masked(): string
  /** Where the value of a constant of the same file begins; undefined when there is none. */
  constant(name: string): number | undefined
}

export interface Cursor extends Source {
  at: number
  dynamic: string[]
  /** The constants being looked up: one that leads back to itself has no value. */
  pending: readonly string[]
  depth: number
}

/** Starts at `at`. */
export function createCursor(source: Source, at: number): Cursor {
  return { ...source, at, dynamic: [], pending: [], depth: 0 }
}

/** Takes the dots before what is to be spread. */
export function spread(cursor: Cursor): boolean {
  peek(cursor)
  if (!cursor.text.startsWith("...", cursor.at)) return false
  cursor.at += 3
  return true
}

/** The next character that says something; empty at the end. */
export function peek(cursor: Cursor): string {
  cursor.at = skipBlanks(cursor.text, cursor.at)
  return cursor.text[cursor.at] ?? ""
}

/** Takes the character, when it is the next that says something. */
export function expect(cursor: Cursor, character: string): boolean {
  if (peek(cursor) !== character) return false
  cursor.at++
  return true
}

/** Takes what the pattern fits, from exactly here. */
export function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)?.[0]
  if (found !== undefined) cursor.at += found.length
  return found
}
