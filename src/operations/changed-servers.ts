// Word left for `ls` that a server no longer offers what was generated: one small file per server in the
// cache, because servers/ itself is replaced as a whole. Nothing depends on it, and nobody waits for it.
import { statSync } from "node:fs"
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Tool } from "../catalog.ts"
import { offerHash } from "../codegen/origin.ts"
import type { Manifest, ManifestServer } from "../codegen/print-server.ts"
import { manifestFile, readManifest } from "../codegen/read-manifest.ts"
import { mayExist } from "../platform/may-exist.ts"
import { within } from "../platform/paths.ts"
import { hashText } from "../skills/hash-text.ts"

export type List = "tools" | "prompts" | "resources"

export interface Mark {
  server: string
  /** Of the tools that were seen, when they were not those that were generated. */
  offer?: string
  /** What the server says has changed, and was not asked for since. */
  doubtful: List[]
}

/** What has been seen of a server: its tools, or its word that lists have changed. */
export type Seen = { tools: readonly Tool[] } | { changed: readonly List[] }

export interface Marks {
  cacheDirectory: string
  /** servers/ */
  directory: string
}

/** Leaves word of servers that no longer offer what was generated. The manifest is read when it has changed. */
export class OfferNotes {
  readonly #marks: Marks
  #stamp: string | undefined
  #servers: Manifest["servers"] = {}

  constructor(marks: Marks) {
    this.#marks = marks
  }

  /** Compares what was seen of a server with what was generated from it. */
  async note(server: string, seen: Seen): Promise<void> {
    const generated = this.#generated(server)
    if (generated?.offer === undefined) return
    const known = await readMark(fileOf(this.#marks, server))
    let offer = known?.offer
    const doubtful = new Set(known?.doubtful)
    if ("tools" in seen) {
      offer = offerHash(seen.tools)
      doubtful.delete("tools")
    } else {
      for (const list of seen.changed) if (generated[list] !== undefined) doubtful.add(list)
    }
    if (offer === generated.offer) offer = undefined
    if (offer !== undefined || doubtful.size > 0) {
      await writeMark(this.#marks, { server, ...(offer !== undefined && { offer }), doubtful: [...doubtful] })
    } else if (known !== undefined) await clearMarks(this.#marks, [server])
  }

  #generated(server: string): ManifestServer | undefined {
    const { directory } = this.#marks
    const status = statSync(join(directory, manifestFile), { throwIfNoEntry: false })
    const stamp = status && `${status.ino} ${status.size} ${status.mtimeMs}`
    if (stamp !== this.#stamp) this.#servers = readManifest(directory)?.servers ?? {}
    this.#stamp = stamp
    return Object.hasOwn(this.#servers, server) ? this.#servers[server] : undefined
  }
}

/** All that was noted since the servers were generated. */
export async function readMarks(marks: Marks): Promise<Mark[]> {
  const folder = folderOf(marks)
  if (!mayExist(folder)) return [] // most of the time
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith(".json"))
  return (await Promise.all(files.map((name) => readMark(join(folder, name))))).filter((mark) => mark !== undefined)
}

/** Forgets what was noted of servers: their files are new. */
export async function clearMarks(marks: Marks, servers: readonly string[]): Promise<void> {
  await Promise.all(servers.map((server) => rm(fileOf(marks, server), { force: true }).catch(() => {})))
}

async function writeMark(marks: Marks, mark: Mark): Promise<void> {
  const file = fileOf(marks, mark.server)
  const draft = `${file}.${process.pid}-${crypto.randomUUID()}`
  try {
    await mkdir(folderOf(marks), { recursive: true, mode: 0o700 })
    await writeFile(draft, `${JSON.stringify(mark)}\n`, { mode: 0o600, flag: "wx" })
    await rename(draft, file)
  } catch {
    // A full disk or a read-only home: `ls` will not know.
    await rm(draft, { force: true }).catch(() => {})
  }
}

async function readMark(file: string): Promise<Mark | undefined> {
  try {
    const mark: unknown = JSON.parse(await readFile(file, "utf8"))
    return isMark(mark) ? mark : undefined
  } catch {
    return undefined // none, or cleared away meanwhile
  }
}

function folderOf({ cacheDirectory, directory }: Marks): string {
  return within(cacheDirectory, `changed/${shortHash(directory)}`)
}

function fileOf(marks: Marks, server: string): string {
  return join(folderOf(marks), `${shortHash(server)}.json`)
}

function shortHash(text: string): string {
  return hashText(text).slice(0, 32)
}

function isMark(value: unknown): value is Mark {
  if (typeof value !== "object" || value === null) return false
  const { server, offer, doubtful } = value as Partial<Mark>
  return typeof server === "string" && ["string", "undefined"].includes(typeof offer) && Array.isArray(doubtful)
}
