// A folder is replaced as a whole: the new one is made beside it, then both change places. What
// stays the same is linked, not copied. Whoever is killed on the way leaves the old folder or the new one.
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { isAlive } from "./write-lock.ts"

export interface TreeChange {
  /** Paths, with `/`, and their new text. */
  write: ReadonlyMap<string, string>
  remove: ReadonlySet<string>
}

/** All files of a folder, as paths with `/`; none when it does not exist. */
export function listFiles(root: string, below = ""): string[] {
  if (!existsSync(join(root, below))) return []
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`
    return entry.isDirectory() ? listFiles(root, path) : [path]
  })
}

/** Makes the change, at once. */
export function changeTree(root: string, change: TreeChange, unique: string): void {
  const next = besides(root, "next", unique)
  const old = besides(root, "old", unique)
  try {
    const kept = listFiles(root).filter((path) => !change.write.has(path) && !change.remove.has(path))
    mkdirSync(next, { recursive: true })
    for (const path of kept) carry(join(root, path), join(next, path))
    for (const [path, text] of change.write) put(join(next, path), text)
    if (!exchange(root, next, old)) {
      changeInPlace(root, change, unique)
      return
    }
    rescue(old, root, change)
    rmSync(old, { recursive: true, force: true })
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

/** Puts back what a killed writer had moved aside, and clears away what it has left. */
export function repairTree(root: string): void {
  const parent = dirname(root)
  if (!existsSync(parent)) return
  const prefix = `.${basename(root)}.`
  const left = readdirSync(parent).filter((name) => {
    if (!name.startsWith(prefix)) return false
    const pid = /^(?:next|old|lock)-(\d+)-/.exec(name.slice(prefix.length))?.[1]
    return pid !== undefined && !isAlive(Number(pid))
  })
  // Of a finished next and a complete old folder either would do; the old one is known to be whole.
  const old = left.find((name) => name.startsWith(`${prefix}old-`))
  if (old !== undefined && !existsSync(root)) renameSync(join(parent, old), root)
  for (const name of left) rmSync(join(parent, name), { recursive: true, force: true })
}

/** A name beside the folder, which tells whose it is. */
export function besides(root: string, what: "next" | "old" | "lock", unique: string): string {
  return join(dirname(root), `.${basename(root)}.${what}${unique === "" ? "" : `-${unique}`}`)
}

/** False when the folder cannot be moved: a mount, or in use on Windows. */
function exchange(root: string, next: string, old: string): boolean {
  for (;;) {
    try {
      if (existsSync(root)) renameSync(root, old)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return false
    }
    try {
      renameSync(next, root)
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Another writer has put its folder here in between: that one is the old folder now.
      if (code !== "ENOTEMPTY" && code !== "EEXIST") {
        if (existsSync(old) && !existsSync(root)) renameSync(old, root)
        return false
      }
      rmSync(old, { recursive: true, force: true })
    }
  }
}

/** What somebody saved in the old folder while the new one was made: it is theirs, and comes along. */
function rescue(old: string, root: string, change: TreeChange): void {
  for (const path of listFiles(old)) {
    if (change.write.has(path) || change.remove.has(path)) continue
    const target = join(root, path)
    if (existsSync(target) && lstatSync(target).mtimeMs >= lstatSync(join(old, path)).mtimeMs) continue
    mkdirSync(dirname(target), { recursive: true })
    renameSync(join(old, path), target)
  }
}

/** File by file: every file is whole, new ones come before what names them, and stale ones go last. */
function changeInPlace(root: string, { write, remove }: TreeChange, unique: string): void {
  for (const [path, text] of write) {
    const temporary = join(root, `${path}.${unique}`)
    put(temporary, text)
    renameSync(temporary, join(root, path))
  }
  for (const path of remove) rmSync(join(root, path), { force: true })
}

function carry(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  const status = lstatSync(from)
  if (status.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
  else link(from, to)
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to) // this file system has no hard links
  }
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
