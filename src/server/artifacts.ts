// What was too long to show, or is no text: kept in a private folder while the server runs, and read in
// slices. Bounded in number and size: the oldest goes first. Whoever knows the id may read it.
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { McpExecError } from "../errors.ts"
import { cacheDirectory } from "../platform/directories.ts"
import { makePrivate, removeStale } from "../platform/private-directory.ts"

export interface Artifact {
  uri: string
  name: string
  mimeType: string
  bytes: number
}

interface Range {
  uri: string
  mimeType: string
  /** In characters of a text, in bytes of anything else. */
  _meta: { offset: number; length: number; total: number; nextOffset?: number }
}

export type Slice = Range & ({ text: string } | { blob: string })

const prefix = "mcp-exec://artifacts/"
const maxNumber = 100
const maxBytes = 256 << 20
const sliceLength = 50_000

export class Artifacts {
  readonly #env: Record<string, string | undefined>
  /** In the order in which they were made. */
  readonly #known = new Map<string, Artifact & { file: string }>()
  #directory: string | undefined

  constructor(env: Record<string, string | undefined>) {
    this.#env = env
  }

  /** Keeps a content and says where it can be read. */
  add(name: string, mimeType: string, content: string | Uint8Array): Artifact {
    const id = crypto.randomUUID()
    const file = `${this.#folder()}/${id}`
    writeFileSync(file, content, { mode: 0o600 })
    const artifact = { uri: prefix + id, name, mimeType, bytes: statSync(file).size }
    this.#known.set(id, { ...artifact, file })
    this.#makeRoom()
    return artifact
  }

  /** A part of an artifact: `mcp-exec://artifacts/{id}?offset=&length=`. */
  read(uri: string): Slice {
    const { pathname, searchParams } = new URL(uri)
    const found = this.#known.get(pathname.replace(/^\//, ""))
    if (found === undefined) {
      throw new McpExecError("E_STATE", `There is no artifact ${uri}`, {
        hint: `The newest ${maxNumber} are kept while the server runs. Run the script again.`,
      })
    }
    const offset = wholeNumber(searchParams.get("offset"), "offset", 0)
    const length = Math.min(wholeNumber(searchParams.get("length"), "length", sliceLength), sliceLength * 4)
    const content = readFileSync(found.file)
    if (!isText(found.mimeType)) {
      const part = content.subarray(offset, offset + length)
      return { ...describe(uri, found, offset, part.length, content.length), blob: part.toString("base64") }
    }
    const text = content.toString("utf8")
    const part = text.slice(offset, offset + length)
    return { ...describe(uri, found, offset, part.length, text.length), text: part }
  }

  /** Removes all of them. */
  close(): void {
    this.#known.clear()
    if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true, force: true })
    this.#directory = undefined
  }

  #folder(): string {
    if (this.#directory !== undefined) return this.#directory
    const all = `${cacheDirectory(this.#env)}/artifacts`
    makePrivate(all)
    // Those of servers that were killed.
    removeStale(all)
    this.#directory = `${all}/${process.pid}.${crypto.randomUUID().slice(0, 8)}`
    makePrivate(this.#directory)
    return this.#directory
  }

  #makeRoom(): void {
    let bytes = this.#known.values().reduce((sum, artifact) => sum + artifact.bytes, 0)
    for (const [id, oldest] of this.#known) {
      if (this.#known.size === 1 || (this.#known.size <= maxNumber && bytes <= maxBytes)) return
      bytes -= oldest.bytes
      this.#known.delete(id)
      rmSync(oldest.file, { force: true })
    }
  }
}

function describe(uri: string, { mimeType }: Artifact, offset: number, length: number, total: number): Range {
  const end = offset + length
  return { uri, mimeType, _meta: { offset, length, total, ...(end < total && length > 0 && { nextOffset: end }) } }
}

function isText(mimeType: string): boolean {
  return /^text\/|[/+](json|xml|yaml|javascript|typescript)\b/.test(mimeType)
}

function wholeNumber(text: string | null, name: string, fallback: number): number {
  if (text === null || text === "") return fallback
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new McpExecError("E_USAGE", `${name}=${text} is not a whole number`, { hint: `Write ${name}=0 or more.` })
}
