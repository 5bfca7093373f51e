// JSON with comments → a plain value, and where in the text each part of it stands.
import { getNodePath, type Node, type ParseError, parseTree } from "jsonc-parser"
import { ConfigError } from "../errors.ts"
import { formatPath, type JsonPath } from "./json-path.ts"
import { syntaxError } from "./syntax-error.ts"

export interface ConfigDocument {
  value: unknown
  /** The line (from 1) of a place, or of the nearest one around it that exists. */
  lineOf(path: JsonPath): number
  /** Keys that stand twice in one object: the last one counts. */
  duplicates: string[]
}

/** Parses the text of a configuration file. A syntax error says line, column and what was expected. */
export function parseDocument(source: string, file: string): ConfigDocument {
  const text = source.replace(/^\uFEFF/, "")
  // UTF-16, which some Windows programs write, shows as NUL or replacement characters when read as UTF-8.
  if (/^\uFFFD|\0/.test(text)) {
    throw new ConfigError("E_CONFIG_SYNTAX", `${file} is not UTF-8 text`, { hint: "Save the file as UTF-8." })
  }
  const duplicates: string[] = []
  try {
    const root = parse(text, file)
    const value = toValue(root, duplicates)
    return { value, lineOf: (path) => lineAt(text, offsetOf(root, path)), duplicates }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new ConfigError("E_CONFIG_SYNTAX", `${file} is nested too deeply to be a configuration`, {
      hint: 'A configuration looks like {"mcpServers": {"name": {"command": "program"}}}.',
      cause,
    })
  }
}

function parse(text: string, file: string): Node {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  if (root === undefined || errors.length > 0) throw syntaxError(text, file, errors)
  return root
}

// Objects without a prototype: a server may be called `__proto__`.
function toValue(node: Node, duplicates: string[]): unknown {
  if (node.type === "array") return (node.children ?? []).map((item) => toValue(item, duplicates))
  if (node.type !== "object") return node.value
  const object: Record<string, unknown> = Object.create(null)
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? []
    if (key === undefined || value === undefined) continue
    if (Object.hasOwn(object, key.value)) duplicates.push(formatPath(getNodePath(value)))
    object[key.value] = toValue(value, duplicates)
  }
  return object
}

function offsetOf(root: Node, path: JsonPath): number {
  let node = root
  let offset = root.offset
  for (const segment of path) {
    const property = node.children?.findLast((child) => child.children?.[0]?.value === segment)
    const next = node.type === "array" ? node.children?.[segment as number] : property?.children?.[1]
    if (next === undefined) break
    offset = property?.offset ?? next.offset
    node = next
  }
  return offset
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length
}
