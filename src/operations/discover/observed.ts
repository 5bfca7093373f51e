// What scripts' own calls have taught: one file per server in the cache, because servers/ is replaced as a
// whole. It holds shapes and words about changes, never a value. Nothing depends on it.
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { addShape, emptyShape, type ToolShape } from "../../discovery/shape.ts"
import { readShapes, writeShapes } from "../../discovery/shape-file.ts"

/** Where notes are kept: for one project, which is known by its servers/. */
export interface Notes {
  cacheDirectory: string
  directory: string
}

export interface ServerNotes {
  server: string
  /** By tool, the shapes that were seen. */
  shapes: Map<string, ToolShape>
  /** By tool, how results differ from the types that were generated. */
  drift: Map<string, string[]>
}

const mostChanges = 20

/** Everything that was noted, by server. */
export function readNotes(notes: Notes): Map<string, ServerNotes> {
  const found = new Map<string, ServerNotes>()
  for (const name of filesIn(folderOf(notes))) {
    const entry = readFile(join(folderOf(notes), name))
    if (entry !== undefined) found.set(entry.server, entry)
  }
  return found
}

/** Adds to what was noted of a server. A full disk or a read-only home only means that it is not known. */
export function addNotes(notes: Notes, { server, shapes, drift }: ServerNotes): void {
  const known = readFile(fileOf(notes, server)) ?? { server, shapes: new Map(), drift: new Map() }
  for (const [tool, shape] of shapes) {
    const sum = known.shapes.get(tool) ?? emptyShape()
    addShape(sum, shape)
    known.shapes.set(tool, sum)
  }
  for (const [tool, changes] of drift) {
    known.drift.set(tool, [...new Set([...(known.drift.get(tool) ?? []), ...changes])].slice(0, mostChanges))
  }
  writeFile(notes, known)
}

/** Forgets what was noted of tools whose types are new. */
export function forgetNotes(notes: Notes, server: string, tools: readonly string[], what: "drift" | "all"): void {
  const known = readFile(fileOf(notes, server))
  if (known === undefined) return
  for (const tool of tools) {
    known.drift.delete(tool)
    if (what === "all") known.shapes.delete(tool)
  }
  if (known.drift.size + known.shapes.size > 0) writeFile(notes, known)
  else remove(fileOf(notes, server))
}

function readFile(path: string): ServerNotes | undefined {
  try {
    const file: unknown = JSON.parse(readFileSync(path, "utf8"))
    const { server, drift, shapes } = (file ?? {}) as Record<string, unknown>
    if (typeof server !== "string" || typeof drift !== "object" || drift === null) return undefined
    const changes = Object.entries(drift).filter((entry): entry is [string, string[]] => isStrings(entry[1]))
    return { server, shapes: readShapes(typeof shapes === "string" ? shapes : ""), drift: new Map(changes) }
  } catch {
    return undefined // none, or cut short
  }
}

function writeFile(notes: Notes, { server, shapes, drift }: ServerNotes): void {
  const file = fileOf(notes, server)
  const draft = `${file}.${process.pid}-${crypto.randomUUID()}`
  const text = JSON.stringify({ server, drift: Object.fromEntries(drift), shapes: writeShapes(shapes) })
  try {
    mkdirSync(folderOf(notes), { recursive: true, mode: 0o700 })
    writeFileSync(draft, `${text}\n`, { mode: 0o600, flag: "wx" })
    renameSync(draft, file)
  } catch {
    remove(draft)
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // What cannot be removed could not be written either.
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"))
  } catch {
    return [] // most of the time there is none
  }
}

function folderOf({ cacheDirectory, directory }: Notes): string {
  return join(cacheDirectory, "observed", shortHash(resolve(directory)))
}

function fileOf(notes: Notes, server: string): string {
  return join(folderOf(notes), `${shortHash(server)}.json`)
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32)
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string")
}
