// Names of servers and tools → names of exports, types and files. Where a name cannot be used as it
// is, what is added depends on that name alone, so that it is the same whatever else a server has.
import { createHash } from "node:crypto"

export interface ToolName {
  /** The exported function. */
  export: string
  /** Begins the names of its types: `${type}Params`, `${type}Result`. */
  type: string
  /** Without the extension. */
  file: string
}

const maxLength = 72
const hashLength = 6

// Words of the language, globals that cannot be declared again, and what a wrapper itself uses.
// A module that exports `then` would be taken for a promise by `await import()`.
const reservedWords = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try type typeof undefined var void while with yield " +
    "calltool exports globalthis infinity nan require then"
  ).split(" "),
)
const ownFiles = new Set(["index", "utils", "readme", "types", "_runtime", "node_modules"])
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])$/i

/** Names for the tools of one server. Does not depend on their order. */
export function nameTools(tools: readonly string[]): Map<string, ToolName> {
  const named = [...new Set(tools)].map((tool): [string, string] => [tool, identifier(tool)])
  return new Map(
    [...settle(named, spellings)].map(([tool, name]) => [
      tool,
      { export: name, type: upperFirst(name), file: fileStem(name, tool) },
    ]),
  )
}

/** Folder names for servers. A plain name is kept as it is. */
export function nameServers(servers: readonly string[]): Map<string, string> {
  return settle(
    [...new Set(servers)].map((server): [string, string] => [server, folderName(server)]),
    () => [],
  )
}

/** A free name for a type within a file. */
export function typeName(wanted: string, isTaken: (name: string) => boolean): string {
  const base = upperFirst(cut(camelCase(wanted) || "Value", wanted))
  const name = /^\p{ID_Start}/u.test(base) ? base : `_${base}`
  if (!isTaken(name)) return name
  for (let count = 2; ; count++) if (!isTaken(`${name}${count}`)) return `${name}${count}`
}

/** A short text that stands for a longer one. */
export function hashOf(text: string, length = 16): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length)
}

/** Of names that differ at most in case, the most natural spelling stays as it is. */
function settle(named: [string, string][], natural: (name: string) => string[]): Map<string, string> {
  const groups = new Map<string, [string, string][]>()
  for (const pair of named) {
    const key = pair[1].toLowerCase()
    groups.set(key, [...(groups.get(key) ?? []), pair])
  }
  const settled = new Map<string, string>()
  for (const group of groups.values()) {
    const order = group.map(([given, name]) => {
      const rank = natural(name).indexOf(given)
      return { given, name, rank: rank < 0 ? Number.POSITIVE_INFINITY : rank }
    })
    order.sort((a, b) => a.rank - b.rank || (a.given < b.given ? -1 : 1))
    order.forEach(({ given, name }, at) => {
      settled.set(given, at === 0 ? name : withHash(name, given))
    })
  }
  return settled
}

/** How a name is usually written, the most usual way first: list_issues, listIssues, list-issues. */
function spellings(name: string): string[] {
  const plain = name.replace(/^_|_$/g, "")
  const snake = plain.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return [snake, plain, snake.replaceAll("_", "-"), snake.replaceAll("_", "."), upperFirst(plain), snake.toUpperCase()]
}

function identifier(tool: string): string {
  const name = cut(lowerFirst(camelCase(tool)), tool)
  if (name === "") return `tool_${hashOf(tool, hashLength)}`
  if (!/^\p{ID_Start}/u.test(name)) return `_${name}`
  const lower = name.toLowerCase()
  // camelCase leaves no underscore: this name cannot be another tool's.
  return reservedWords.has(lower) || ownFiles.has(lower) || devices.test(lower) ? `${name}_` : name
}

/** `list_issues`, `list-issues` and `List Issues` are all listIssues. */
function camelCase(text: string): string {
  const normal = text.toWellFormed().normalize("NFC")
  const words = normal.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "")
  const shouting = !/\p{Ll}/u.test(normal)
  return words
    .map((word) => (shouting ? word.toLowerCase() : word))
    .map((word, at) => (at === 0 ? word : upperFirst(word)))
    .join("")
    .replace(/[^\p{ID_Continue}]/gu, "")
}

/** `APIKey` begins as apiKey, `ID` as id. */
function lowerFirst(name: string): string {
  return name.replace(/^\p{Lu}+(?![\p{Ll}])|^\p{Lu}/u, (start) => start.toLowerCase())
}

function upperFirst(name: string): string {
  const [first = ""] = name
  const upper = first.toUpperCase()
  return (upper.length === first.length ? upper : first) + name.slice(first.length)
}

/** Plain ASCII: file systems differ in how they store and compare anything else. */
function fileStem(name: string, tool: string): string {
  const plain = name.replace(/[^\w]/g, "")
  return plain === name ? name : withHash(plain === "" ? "tool" : plain, tool)
}

function folderName(server: string): string {
  const plain = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?$/.test(server) && server.length <= maxLength
  const base = server.split(".")[0] ?? ""
  const clashes = ownFiles.has(server.toLowerCase()) || devices.test(base) || /\.(?:ts|js|json|md)$/i.test(server)
  if (plain && !clashes) return server
  const safe = server.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^[-_]+|-+$/g, "")
  return withHash(safe === "" ? "server" : safe, server)
}

function cut(name: string, given: string): string {
  return name.length <= maxLength ? name : withHash(name, given)
}

function withHash(name: string, given: string): string {
  let kept = ""
  for (const letter of name) {
    if (kept.length + letter.length > maxLength - hashLength - 1) break
    kept += letter
  }
  return `${kept}_${hashOf(given.toWellFormed(), hashLength)}`
}
