// skills/skills.lock.json: where skills came from and what they were when they were approved, and which
// tools a saved skill used and how those looked. A skill of one's own may change; one that was added may not.
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { McpExecError } from "../errors.ts"
import { hashText } from "./hash-text.ts"
import { putFile } from "./put-file.ts"
import { listContent } from "./skill-content.ts"
import { skillsFolder } from "./skill-files.ts"

export interface LockEntry {
  /** Where it was added from; absent for one's own. */
  source?: string
  /** The hash of each of its files, seen from skills/; only for those that were added. */
  files?: Record<string, string>
  /** `server.tool` and the hash of its wrapper, when the skill was saved. */
  tools?: Record<string, string>
}

export type SkillsLock = Map<string, LockEntry>

const lockFile = "skills.lock.json"

/** Reads the lock; empty when there is none. One that cannot be read is an error: it may forbid a run. */
export function readLock(project: string): SkillsLock {
  const file = join(project, skillsFolder, lockFile)
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT" || (cause as NodeJS.ErrnoException).code === "ENOTDIR") {
      return new Map()
    }
    throw broken(file, cause)
  }
  try {
    const { format, skills } = JSON.parse(text) as { format: unknown; skills: Record<string, LockEntry> }
    if (format !== 1) throw new Error("its format is not 1")
    if (typeof skills !== "object" || skills === null) throw new Error("it has no skills")
    const entries = Object.entries(skills)
    if (entries.every(([, entry]) => isEntry(entry))) return new Map(entries)
    throw new Error("an entry is not as mcp-exec writes it")
  } catch (cause) {
    throw broken(file, cause)
  }
}

/** Puts the lock in place in one step; an empty one is taken away. */
export function writeLock(project: string, lock: SkillsLock): void {
  const file = join(project, skillsFolder, lockFile)
  if (lock.size === 0) {
    rmSync(file, { force: true })
    return
  }
  const skills = Object.fromEntries([...lock].sort(byName).map(([name, entry]) => [name, sorted(entry)]))
  putFile(file, `${JSON.stringify({ format: 1, skills }, null, 2)}\n`)
}

/** What of an added skill is not as it was approved, seen from skills/: changed, gone, new, or turned into a link. */
export function changedFiles(project: string, { files: approved = {} }: LockEntry): string[] {
  const folder = join(project, skillsFolder)
  const entries = new Set(Object.keys(approved).map((path) => path.slice(0, `${path}/`.indexOf("/"))))
  const found = [...entries].map((entry) => listContent(folder, entry))
  const present = new Set(found.flatMap(({ files }) => files))
  const changed = Object.entries(approved).flatMap(([path, hash]) => {
    return present.has(path) && hashOf(join(folder, path)) === hash ? [] : [path]
  })
  const added = [...present].filter((path) => !Object.hasOwn(approved, path))
  return [...new Set([...changed, ...added, ...found.flatMap(({ unfit }) => unfit)])]
}

function hashOf(file: string): string | undefined {
  try {
    return hashText(readFileSync(file))
  } catch {
    return undefined // gone in the meantime, or not readable
  }
}

function sorted({ source, files, tools }: LockEntry): LockEntry {
  const inOrder = (record: Record<string, string>) => Object.fromEntries(Object.entries(record).sort(byName))
  return {
    ...(source !== undefined && { source }),
    ...(files !== undefined && { files: inOrder(files) }),
    ...(tools !== undefined && { tools: inOrder(tools) }),
  }
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}

function isEntry(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return false
  const { source, files, tools } = entry as Record<string, unknown>
  return (
    ["string", "undefined"].includes(typeof source) &&
    [files, tools].every(
      (record) =>
        record === undefined ||
        (typeof record === "object" &&
          record !== null &&
          Object.entries(record).every(([path, hash]) => typeof hash === "string" && !path.split("/").includes(".."))),
    )
  )
}

function broken(file: string, cause: unknown): McpExecError {
  return new McpExecError("E_STATE", `${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
    hint: "Restore it from version control. Without it nobody knows which skills were approved.",
    cause,
  })
}
