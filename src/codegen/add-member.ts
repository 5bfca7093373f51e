// Adds a member to a JSON text with comments, as a careful person would: on a line of its own where the
// others have one, and without touching anything else. (jsonc-parser's own `modify` formats the neighbours anew.)
import { createScanner, findNodeAtLocation, type Node, parseTree } from "jsonc-parser"

/** The text with the value at the path, where nothing is yet; undefined where no object can take it. */
export function addMember(text: string, path: readonly string[], value: unknown): string | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true })
  if (root === undefined) return undefined
  let depth = 0
  let object = root
  for (; depth < path.length - 1; depth++) {
    const inner = findNodeAtLocation(object, path.slice(depth, depth + 1))
    if (inner === undefined) break
    object = inner
  }
  const key = path[depth]
  if (object.type !== "object" || key === undefined) return undefined
  const nested = path.slice(depth + 1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  return insert(text, object, key, nested)
}

function insert(text: string, object: Node, key: string, value: unknown): string {
  const style = styleOf(text)
  const last = object.children?.at(-1)
  const outer = indentAt(text, object.offset)
  const end = object.offset + object.length
  if (last === undefined) {
    const indent = outer + style.unit
    const inside = text.slice(object.offset + 1, end - 1).trimEnd()
    const member = `${style.eol}${indent}${memberText(key, value, indent, style)}${style.eol}${outer}`
    return text.slice(0, object.offset + 1) + inside + member + text.slice(end - 1)
  }
  const lastEnd = last.offset + last.length
  const isOnOneLine = !text.slice(object.offset, end).includes("\n")
  if (isOnOneLine) {
    const space = /^\{\s/.test(text.slice(object.offset)) ? " " : ""
    const member = memberText(key, value, undefined, style)
    return `${text.slice(0, lastEnd)},${space}${member}${text.slice(lastEnd)}`
  }
  const indent = indentAt(text, last.offset)
  const comma = commaAfter(text, lastEnd)
  const from = comma === undefined ? lastEnd : comma + 1
  // A comment at the end of the line belongs to the line.
  const [rest = ""] = /^[ \t]*(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(text.slice(from)) ?? []
  const at = from + rest.length
  const member = `${style.eol}${indent}${memberText(key, value, indent, style)}`
  if (comma !== undefined) return `${text.slice(0, at)}${member},${text.slice(at)}`
  return `${text.slice(0, lastEnd)},${text.slice(lastEnd, at)}${member}${text.slice(at)}`
}

interface Style {
  unit: string
  eol: string
}

function styleOf(text: string): Style {
  return { unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ", eol: text.includes("\r\n") ? "\r\n" : "\n" }
}

/** `"key": value`, on one line without an indent. */
function memberText(key: string, value: unknown, indent: string | undefined, { unit, eol }: Style): string {
  if (indent === undefined) return `${JSON.stringify(key)}: ${JSON.stringify(value)}`
  const lines = JSON.stringify(value, null, unit).replace(/\[\s+("[^"\\]*")\s+\]/g, "[$1]")
  return `${JSON.stringify(key)}: ${lines.replaceAll("\n", eol + indent)}`
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ""
}

/** Where the comma behind a member is, if it has one. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  return text[scanner.getTokenOffset()] === "," ? scanner.getTokenOffset() : undefined
}
