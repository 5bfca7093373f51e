// Strings and numbers as JavaScript writes them.

export interface Position {
  text: string
  at: number
}

const patterns: Record<string, RegExp> = {
  '"': /"((?:[^"\\\n]|\\[\s\S])*)"/y,
  "'": /'((?:[^'\\\n]|\\[\s\S])*)'/y,
  // A part of a template: from its opening, or the end of a substitution, to the next of these.
  "`": /`((?:[^`\\$]|\\[\s\S]|\$(?!\{))*)(?:`|\$\{)/y,
  "}": /\}((?:[^`\\$]|\\[\s\S]|\$(?!\{))*)(?:`|\$\{)/y,
}
const number = /(?:0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)(?![\w$.])/y
const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", 0: "\0" }

/** The string, or part of a template, that begins here; undefined when it has no end. Moves on. */
export function readString(position: Position): string | undefined {
  const { text, at } = position
  const quote = text[at] ?? ""
  if (quote === '"' || quote === "'") {
    // Most strings are plain, and end at the next quote.
    const end = text.indexOf(quote, at + 1)
    const plain = text.slice(at + 1, end)
    if (end > at && !plain.includes("\\") && !plain.includes("\n")) {
      position.at = end + 1
      return plain
    }
  }
  const pattern = patterns[quote]
  const found = pattern && match(position, pattern)
  if (found === undefined) return undefined
  const content = found[1] as string
  return content.includes("\\") ? unescaped(content) : content
}

/** The name that begins here; undefined when none does. Moves on. */
export function readWord(position: Position): string | undefined {
  const { text, at: start } = position
  let end = start
  for (let code = text.charCodeAt(end); isLetter(code) || (end > start && isDigit(code)); code = text.charCodeAt(end)) {
    end++
  }
  position.at = end
  return end === start ? undefined : text.slice(start, end)
}

/** The number that begins here. Moves on. */
export function readNumber(position: Position): number | undefined {
  const found = match(position, number)
  return found === undefined ? undefined : Number(found[0].replaceAll("_", ""))
}

function match(position: Position, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = position.at
  const found = pattern.exec(position.text) ?? undefined
  if (found !== undefined) position.at += found[0].length
  return found
}

function unescaped(content: string): string {
  const sequence = /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r?\n)|([\s\S]))/g
  return content.replace(sequence, (_, long, four, two, lineBreak, character) => {
    const code = Number.parseInt(long ?? four ?? two, 16)
    if (!Number.isNaN(code)) return code <= 0x10ffff ? String.fromCodePoint(code) : ""
    return lineBreak === undefined ? (escapes[character] ?? character) : ""
  })
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
