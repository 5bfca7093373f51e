// What servers and their offers are called → names of exports, types, files and folders. Who has a
// name keeps it. Where a name is taken, what is added depends on the newcomer's own name alone.
import { maxLength, settle, type Wish, withHash } from "./settle-names.ts"

export interface ExportName {
  /** The exported function. */
  export: string
  /** Begins the names of its types: `${type}Params`, `${type}Result`. */
  type: string
}

export interface ToolName extends ExportName {
  /** Without the extension. */
  file: string
}

/** What a server offers, by name; of a template also its URI, which is what tells it from others. */
export interface OfferedNames {
  tools: readonly string[]
  prompts?: readonly string[]
  templates?: readonly { uriTemplate: string; name: string }[]
}

/** The exports that were given out before: by tool, by prompt, and by URI template. */
export interface HeldNames {
  tools?: ReadonlyMap<string, string>
  prompts?: ReadonlyMap<string, string>
  templates?: ReadonlyMap<string, string>
}

export interface GivenNames {
  tools: Map<string, ToolName>
  prompts: Map<string, ExportName>
  templates: Map<string, ExportName>
}

// Words of the language, globals that cannot be declared again, and what a wrapper itself uses.
// A module that exports `then` would be taken for a promise by `await import()`.
const reservedWords = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try type typeof undefined var void while with yield " +
    "calltool exports globalthis infinity nan readresource require then"
  ).split(" "),
)
const ownFiles = new Set("index utils readme types prompts resources _runtime node_modules".split(" "))
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])$/i
// Letters of recent Unicode: programs that read the files do not agree yet on which of them exist.
const disputed = /\u0897|[\u088f\u0c5c\u0cdc\u1c89\u1c8a\ua7cb-\ua7dc\ua7f1]|[\u1acf-\u1aeb]|[\u{10000}-\u{10ffff}]/gu

/** Names for all that one server offers, which is exported side by side. Does not depend on its order. */
export function nameOffer({ tools, prompts = [], templates = [] }: OfferedNames, held: HeldNames = {}): GivenNames {
  const named = settle([
    [toolWishes(tools), held.tools],
    [prompts.map((prompt) => wishFor("prompt", prompt, prompt)), held.prompts],
    [templates.map(({ uriTemplate, name }) => wishFor("resource", name, uriTemplate)), held.templates],
  ])
  const [ofTools, ofPrompts, ofTemplates] = named.map((names) => [...names])
  return {
    tools: new Map(ofTools?.map(([tool, name]) => [tool, { ...exportName(name), file: fileStem(name, tool) }])),
    prompts: new Map(ofPrompts?.map(([prompt, name]) => [prompt, exportName(name)])),
    templates: new Map(ofTemplates?.map(([template, name]) => [template, exportName(name)])),
  }
}

/** Folder names for servers. A plain name is kept as it is. */
export function nameServers(servers: readonly string[], held?: ReadonlyMap<string, string>): Map<string, string> {
  const wishes = servers.map((server) => ({ owner: server, identity: server, name: folderName(server), rank: 0 }))
  return settle([[wishes, held]])[0] ?? new Map()
}

/** A free name for a type within a file. */
export function typeName(wanted: string, isTaken: (name: string) => boolean): string {
  const base = upperFirst(cut(camelCase(wanted) || "Value", wanted))
  const name = /^\p{ID_Start}/u.test(base) ? base : `_${base}`
  if (!isTaken(name)) return name
  for (let count = 2; ; count++) if (!isTaken(`${name}${count}`)) return `${name}${count}`
}

/** Of tools that would have the same name, the most natural spelling gets it. */
function toolWishes(tools: readonly string[]): Wish[] {
  return tools.map((tool) => {
    const name = identifier(tool, tool)
    const usual = spellings(name)
    const at = usual.indexOf(tool)
    return { owner: tool, identity: tool, name, rank: at < 0 ? usual.length : at }
  })
}

/** `review` → reviewPrompt. One that says what it is needs no other word for it. */
function wishFor(kind: "prompt" | "resource", given: string, owner: string): Wish {
  const identity = `${kind}\0${owner}`
  const says = new RegExp(`${kind}$`, "i").test(camelCase(given))
  return { owner, identity, name: identifier(says ? given : `${given} ${upperFirst(kind)}`, identity), rank: 0 }
}

/** No type is named as a function is: a name that has no capital gets one. */
function exportName(name: string): ExportName {
  const type = upperFirst(name)
  return { export: name, type: type === name ? `T_${name.replace(/^_/, "")}` : type }
}

/** How a name is usually written, the most usual way first: list_issues, listIssues, list-issues. */
function spellings(name: string): string[] {
  const plain = name.replace(/^_|_$/g, "")
  const snake = plain.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return [snake, plain, snake.replaceAll("_", "-"), snake.replaceAll("_", "."), upperFirst(plain), snake.toUpperCase()]
}

function identifier(given: string, identity: string): string {
  const name = cut(lowerFirst(camelCase(given)), identity)
  if (name === "") return withHash("tool", identity)
  if (!/^\p{ID_Start}/u.test(name)) return `_${name}`
  const lower = name.toLowerCase()
  // camelCase leaves no underscore: this name cannot be anybody else's.
  return reservedWords.has(lower) || ownFiles.has(lower) || devices.test(lower) ? `${name}_` : name
}

/** `list_issues`, `list-issues` and `List Issues` are all listIssues. */
function camelCase(text: string): string {
  const isPlain = /^[ -~]*$/.test(text)
  const normal = isPlain ? text : text.toWellFormed().normalize("NFC")
  const words = normal.split(isPlain ? /[^A-Za-z\d]+/ : /[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "")
  const shouting = !/\p{Ll}/u.test(normal)
  const joined = words
    .map((word) => (shouting ? word.toLowerCase() : word))
    .map((word, at) => (at === 0 ? word : upperFirst(word)))
    .join("")
  return isPlain ? joined : joined.replace(/[^\p{ID_Continue}]/gu, "").replace(disputed, "")
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
