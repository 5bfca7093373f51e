// What servers say, made harmless: nothing leaves its comment, its string or its line.
import { printable } from "../printable.ts"

// Separators that count as line ends, and characters that are there but cannot be seen.
const lineEnds = /\r\n?|[\u0085\u2028\u2029\v\f]/g
const invisible = /[\u00ad\u061c\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu
const unsafeInString =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

// What most texts consist of, and nothing in it is any of the above: ASCII, dashes, quotation marks and arrows.
const harmless = /^[\n -~\u2010-\u2027\u2190-\u21ff]*$/

/** Text for a block comment, as lines. */
export function commentLines(text: string): string[] {
  const lines = (harmless.test(text) ? text : clean(text)).split("\n").map((line) => commentLine(line.trimEnd()))
  return collapseBlank(lines)
}

/** The same on one line. */
export function commentText(text: string): string {
  return commentLines(text)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ")
}

function clean(text: string): string {
  return printable(text.toWellFormed().replace(lineEnds, "\n")).replace(invisible, "").replaceAll("\t", "  ")
}

function commentLine(line: string): string {
  // A tag at the start of a line would speak with our voice: @readonly, @ts-expect-error.
  const quiet = line.replaceAll("*/", "*\\/").replace(/^(\s*)@/, "$1\\@")
  return quiet.includes("=") ? quiet.replace(/(source(?:Mapping)?URL)=/gi, "$1 =") : quiet
}

/** A string literal. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(unsafeInString, (found) =>
    [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  )
}

/** A member's name, in quotes where it needs them. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
}

/** One line of Markdown that is text and nothing else: no link, no image, no markup. */
export function markdownText(text: string): string {
  return commentText(text).replace(/[\\`*_[\]<>|~#]/g, "\\$&")
}

function collapseBlank(lines: string[]): string[] {
  if (!lines.includes("")) return lines
  const kept = lines.filter((line, at) => line !== "" || (at > 0 && lines[at - 1] !== ""))
  while (kept.at(-1) === "") kept.pop()
  return kept
}
