// The servers of other programs → entries of mcp_config.json. Reads the files of each program, converts,
// validates, and says what became of every server. A file that is broken stops nobody else; nothing is written.
import { stat } from "node:fs/promises"
import { readText } from "../files.ts"
import { formatPath } from "../json-path.ts"
import type { Fields, Problem } from "../problems.ts"
import { validateServers } from "../servers.ts"
import { toEntry } from "./entry.ts"
import { startsOurselves } from "./own-entry.ts"
import type { Foreign, Place, Program, Source } from "./program.ts"
import { programsNamed } from "./programs.ts"
import { plainSecrets } from "./secrets.ts"

export interface ImportNote {
  program: string
  server?: string
  message: string
}

export interface ImportSource {
  program: string
  title: string
  file: string
  /** The names, as they are in the result. */
  servers: string[]
}

export interface Imported {
  servers: Map<string, Fields>
  /** The files that there are, and that could be read. */
  sources: ImportSource[]
  /** Those that could not; the notes say why. */
  unread: string[]
  notes: ImportNote[]
  /** True when a credential is among the values. */
  hasSecrets: boolean
}

/** Imports from the programs that are named, `all` being all of them. */
export async function importServers(place: Place, names: readonly string[]): Promise<Imported> {
  const imported: Imported = { servers: new Map(), sources: [], unread: [], notes: [], hasSecrets: false }
  for (const program of programsNamed(names)) {
    const sources = distinct(program.sources(place))
    const own = new Map<string, Fields>()
    let isFound = false
    for (const source of sources) {
      if (!(await isRegularFile(source.path))) continue
      isFound = true
      const entries = await readSource(program, source, place, imported.notes)
      if (entries === undefined) {
        if (!imported.unread.includes(source.path)) imported.unread.push(source.path)
        continue
      }
      const added = entries.map(([name, entry]) => adopt(imported, program, own, name, entry))
      if (added.length === 0 && source.scope === "local") continue
      const { name, title } = program
      imported.sources.push({ program: name, title, file: source.path, servers: added.flatMap((each) => each ?? []) })
    }
    if (!isFound && !names.includes("all")) {
      const places = [...new Set(sources.map(({ path }) => path))].join(", ")
      imported.notes.push({ program: program.name, message: `${program.title} has no file here; looked for ${places}` })
    }
  }
  imported.hasSecrets = [...imported.servers.values()].some((entry) => plainSecrets(entry).length > 0)
  return imported
}

/** Which programs have a file with servers here, without converting anything. */
export async function findPrograms(place: Place): Promise<ImportSource[]> {
  const { sources } = await importServers(place, ["all"])
  return sources.filter(({ servers }) => servers.length > 0)
}

/** A pipe of that name would be waited for. */
async function isRegularFile(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => undefined)
  return status?.isFile() ?? false
}

/** In the home folder itself, a project's file and the user's may be the same. */
function distinct(sources: readonly Source[]): Source[] {
  const isFirst = ({ path, scope }: Source, index: number) =>
    scope === "local" || !sources.slice(0, index).some((other) => other.path === path && other.scope !== "local")
  return sources.filter(isFirst)
}

/** The valid entries of one file, undefined when it cannot be read; what is wrong becomes a note. */
async function readSource(
  program: Program,
  source: Source,
  place: Place,
  notes: ImportNote[],
): Promise<[string, Fields][] | undefined> {
  let found: Foreign[]
  try {
    found = program.read(await readText(source.path), source, place)
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n")
    const message = `not read: ${reason.includes(source.path) ? "" : `${source.path}: `}${reason}`
    // One file may be a source twice.
    if (!notes.some((note) => note.message === message)) notes.push({ program: program.name, message })
    return undefined
  }
  return found.flatMap((foreign): [string, Fields][] => {
    const name = usableName(foreign.name)
    const note = (message: string) => notes.push({ program: program.name, server: name, message })
    if (name !== foreign.name) note(`was called ${JSON.stringify(foreign.name)}`)
    foreign.notes.forEach(note)
    if (foreign.entry === undefined) return []
    const entry = toEntry(foreign.entry, { server: name, dialect: program.dialect, place, note })
    if (startsOurselves(entry)) {
      note("skipped: it starts mcp-exec itself")
      return []
    }
    const problems: Problem[] = []
    validateServers({ [name]: entry }, problems)
    for (const { path, found: given, allowed, message } of problems) {
      const field = formatPath(path.slice(2))
      note(`skipped: ${field === "" ? "" : `${field}: `}${message ?? `found ${given}, allowed: ${allowed}`}`)
    }
    if (problems.length > 0) return []
    for (const field of plainSecrets(entry)) {
      note(`${field}: a secret is copied as it stands there; better export it and write \${NAME} instead`)
    }
    return [[name, entry]]
  })
}

/** Adds an entry under a name that is free or means the same; undefined when the program itself overrules it. */
function adopt(
  { servers, notes }: Imported,
  program: Program,
  own: Map<string, Fields>,
  name: string,
  entry: Fields,
): string | undefined {
  const overruling = own.get(name)
  if (overruling !== undefined) {
    const message = `is in two files of ${program.title}; the one that overrules the other is taken`
    if (!isSame(overruling, entry)) notes.push({ program: program.name, server: name, message })
    return undefined
  }
  own.set(name, entry)
  // A third program may have what the second had, under the name that that one was given.
  const same = [...servers].find(([other, taken]) => other.startsWith(name) && isSame(taken, entry))
  if (same !== undefined) return same[0]
  const candidates = [name, `${name}-${program.name}`]
  for (let number = 2; ; number++) {
    const candidate = candidates.shift() ?? `${name}-${program.name}-${number}`
    if (servers.has(candidate)) continue
    if (candidate !== name) {
      const message = `another program has a different '${name}', so this one is called '${candidate}'`
      notes.push({ program: program.name, server: name, message })
    }
    servers.set(candidate, entry)
    return candidate
  }
}

/** True for two entries that say the same, in any order. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.entries(value)
    .map(([key, inner]): [string, unknown] => [key, sorted(inner)])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Names become parts of commands and paths. */
function usableName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return name.replace(/[/\u0000-\u001f\u007f-\u009f]+/g, "-").trim() || "server"
}
