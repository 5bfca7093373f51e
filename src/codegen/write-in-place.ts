// For a folder that cannot be moved, such as a mount: its files are changed one by one. Each is whole
// at every moment, and none names another that is not there yet, or no longer.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { isAlive } from "./write-lock.ts"

export interface TreeChange {
  /** Paths, with `/`, and their new text. */
  write: ReadonlyMap<string, string>
  remove: ReadonlySet<string>
}

/** Makes the change: new files come before what names them, and what is stale goes after it. */
export function changeInPlace(root: string, { write, remove }: TreeChange, unique: string): void {
  // In the folder, because a file cannot be renamed from one file system to another.
  const drafts = join(root, `${draftsPrefix}${unique}`)
  try {
    const order = [...write.keys()].sort((a, b) => rankOf(a) - rankOf(b))
    makeFolders(drafts, order)
    for (const path of order) writeFileSync(join(drafts, path), write.get(path) ?? "")
    makeFolders(root, order)
    for (const path of order) renameSync(join(drafts, path), join(root, path))
    for (const path of [...remove].sort((a, b) => rankOf(b) - rankOf(a))) rmSync(join(root, path), { force: true })
    for (const folder of new Set([...remove].map((path) => dirname(path)))) removeIfEmpty(root, folder)
  } finally {
    rmSync(drafts, { recursive: true, force: true })
  }
}

/** Clears away the drafts of a writer that was killed. */
export function clearUnfinished(root: string): void {
  if (!existsSync(root)) return
  for (const name of readdirSync(root)) {
    const pid = name.startsWith(draftsPrefix) ? Number.parseInt(name.slice(draftsPrefix.length), 10) : Number.NaN
    if (!Number.isNaN(pid) && !isAlive(pid)) rmSync(join(root, name), { recursive: true, force: true })
  }
}

/** Makes a folder, and those in it which these files will be in: each once, however many files that are. */
export function makeFolders(root: string, paths: Iterable<string>): void {
  mkdirSync(root, { recursive: true })
  const folders = new Set<string>()
  for (const path of paths) folders.add(dirname(path))
  for (const folder of folders) if (folder !== ".") mkdirSync(join(root, folder), { recursive: true })
}

const draftsPrefix = ".next-"

/** Wrappers first, then the lists of one server, then the list of all. */
function rankOf(path: string): number {
  if (!path.includes("/")) return path.endsWith(".json") ? 2 : 0
  return /^(index|README)\./.test(basename(path)) ? 1 : 0
}

function removeIfEmpty(root: string, folder: string): void {
  if (folder === "." || !existsSync(join(root, folder)) || readdirSync(join(root, folder)).length > 0) return
  rmSync(join(root, folder), { recursive: true, force: true })
}
