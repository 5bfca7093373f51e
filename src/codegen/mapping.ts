// How `#servers/<name>` and `mcp-exec` are found outside this program: entries in package.json (Node, Bun,
// Deno), tsconfig.json (editors, tsc, Bun) and deno.json. Text in, text out; touches no disk. Whatever else
// stands in a file stays as it is, and a name that somebody has given another meaning keeps it.
//
// Node resolves a bare name from node_modules alone: there, `mcp-exec` is imported as servers/_runtime.ts.
import { posix } from "node:path"
import { type ParseError, parse } from "jsonc-parser"
import { addMember } from "./add-member.ts"

export const mappedFiles = ["package.json", "tsconfig.json", "deno.json"] as const
export type MappedFile = (typeof mappedFiles)[number]

export interface Mapping {
  /** The file's text from now on; undefined when it should stay as it is. */
  text: string | undefined
  /** What could not be mapped, and why. */
  problems: string[]
}

/** Adds our names to a file that is there, or makes one. The same text again changes nothing. */
export function mapServers(file: MappedFile, existing: string | undefined): Mapping {
  if (existing === undefined || existing.trim() === "") {
    return { text: `${JSON.stringify(newFiles[file], null, 2)}\n`, problems: [] }
  }
  const errors: ParseError[] = []
  const value: unknown = parse(withoutMark(existing), errors, { allowTrailingComma: true })
  if (errors.length > 0 || !isObject(value)) return { text: undefined, problems: ["is not valid JSON"] }
  const obstacle = obstacles[file](value)
  if (obstacle !== undefined) return { text: undefined, problems: [obstacle] }
  return addEntries(existing, value, entriesFor[file](value))
}

type Fields = Record<string, unknown>
interface Entry {
  path: string[]
  value: string | string[]
}

const runtime = "./servers/_runtime.ts"
const wrappers = "./servers/*/index.ts"

const newFiles: Record<MappedFile, object> = {
  "package.json": { private: true, type: "module", imports: { "#servers/*": wrappers } },
  "tsconfig.json": {
    compilerOptions: {
      target: "ESNext",
      lib: ["ESNext", "DOM", "DOM.Iterable"],
      module: "Preserve",
      moduleResolution: "Bundler",
      moduleDetection: "force",
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      paths: { "mcp-exec": [runtime], "#servers/*": [wrappers] },
    },
  },
  "deno.json": { imports: { "mcp-exec": runtime } },
}

const entriesFor: Record<MappedFile, (value: Fields) => Entry[]> = {
  "package.json": () => [{ path: ["imports", "#servers/*"], value: wrappers }],
  "tsconfig.json": ({ compilerOptions }) => {
    // With a baseUrl, that is where paths start.
    const base = isObject(compilerOptions) ? compilerOptions.baseUrl : undefined
    const from = (path: string) => {
      const relative = posix.relative(typeof base === "string" ? base : ".", path)
      return relative.startsWith("../") ? relative : `./${relative}`
    }
    return [
      { path: ["compilerOptions", "paths", "mcp-exec"], value: [from(runtime)] },
      { path: ["compilerOptions", "paths", "#servers/*"], value: [from(wrappers)] },
    ]
  },
  "deno.json": () => [{ path: ["imports", "mcp-exec"], value: runtime }],
}

/** Why a file had better not be touched at all. */
const obstacles: Record<MappedFile, (value: Fields) => string | undefined> = {
  "package.json": () => undefined,
  "tsconfig.json": ({ extends: base, compilerOptions }) => {
    const hasPaths = isObject(compilerOptions) && compilerOptions.paths !== undefined
    if (base === undefined || hasPaths) return undefined
    return `extends another file, whose paths would be lost: add "mcp-exec": ["${runtime}"] and "#servers/*": ["${wrappers}"] there`
  },
  "deno.json": ({ importMap }) =>
    importMap === undefined
      ? undefined
      : `uses the import map ${String(importMap)}: add "mcp-exec": "${runtime}" there`,
}

function addEntries(existing: string, value: Fields, entries: readonly Entry[]): Mapping {
  const problems: string[] = []
  const mark = existing.slice(0, existing.length - withoutMark(existing).length)
  let text = withoutMark(existing)
  for (const { path, value: wanted } of entries) {
    const found = valueAt(value, path)
    if (isSame(found, wanted)) continue
    if (found !== undefined) {
      problems.push(`already has its own ${path.join(".")}, which stays: ${JSON.stringify(wanted)} was wanted`)
      continue
    }
    const edited = addMember(text, path, wanted)
    if (edited === undefined)
      problems.push(`has something else where ${path.slice(0, -1).join(".")} should be an object`)
    else text = edited
  }
  // Nothing is written that cannot be read again.
  const errors: ParseError[] = []
  parse(text, errors, { allowTrailingComma: true })
  if (errors.length > 0)
    return { text: undefined, problems: [...problems, "could not be edited: add the entries by hand"] }
  return { text: mark + text === existing ? undefined : mark + text, problems: [...new Set(problems)] }
}

function isSame(found: unknown, wanted: string | string[]): boolean {
  const plain = (value: unknown) => JSON.stringify(value)?.replaceAll('"./', '"')
  return found !== undefined && plain(found) === plain(wanted)
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "")
}
