// A folder is replaced as a whole: the new one is made beside it, then both change places in one step.
// What stays the same is linked, not copied. Whoever is killed on the way leaves the old folder or the
// new one. Where the system has no such step there are two, and `repairTree` for whoever dies between them.
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
import { changeInPlace, clearUnfinished, makeFolders, type TreeChange } from "./write-in-place.ts"
import { isAlive } from "./write-lock.ts"

/** How folders are moved: not every system and file system can do all of it. */
export interface Moves {
  /** False when nothing has happened. */
  exchange(one: string, other: string): Promise<boolean>
  rename(from: string, to: string): void
}

const systemMoves: Moves = {
  async exchange(one, other) {
    const { exchangePaths } = await import("../platform/exchange.ts")
    return await exchangePaths(one, other)
  },
  rename: renameSync,
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
export async function changeTree(
  root: string,
  change: TreeChange,
  unique: string,
  moves: Moves = systemMoves,
): Promise<void> {
  const next = besides(root, "next", unique)
  try {
    const kept = listFiles(root).filter((path) => !change.write.has(path) && !change.remove.has(path))
    makeFolders(next, [...kept, ...change.write.keys()])
    for (const path of kept) carry(join(root, path), join(next, path))
    for (const [path, text] of change.write) writeFileSync(join(next, path), text)
    const old = await replace(root, next, besides(root, "old", unique), moves)
    if (old === undefined) {
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
  if (old !== undefined && !existsSync(root)) putBack(join(parent, old), root)
  for (const name of left) rmSync(join(parent, name), { recursive: true, force: true })
  clearUnfinished(root)
}

function putBack(old: string, root: string): void {
  try {
    renameSync(old, root)
  } catch (error) {
    if (!existsSync(root)) throw error // else somebody else has repaired it in between
  }
}

/** A name beside the folder, which tells whose it is. */
export function besides(root: string, what: "next" | "old" | "lock", unique: string): string {
  return join(dirname(root), `.${basename(root)}.${what}${unique === "" ? "" : `-${unique}`}`)
}

/** Where the old folder is now; undefined when it cannot be moved: a mount, or in use on Windows. */
async function replace(root: string, next: string, old: string, moves: Moves): Promise<string | undefined> {
  if (existsSync(root) && (await moves.exchange(next, root))) return next
  return replaceInTwoSteps(root, next, old, moves) ? old : undefined
}

function replaceInTwoSteps(root: string, next: string, old: string, moves: Moves): boolean {
  for (;;) {
    try {
      if (existsSync(root)) moves.rename(root, old)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return false
    }
    try {
      moves.rename(next, root)
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Another writer has put its folder here in between: that one is the old folder now.
      if (code !== "ENOTEMPTY" && code !== "EEXIST") {
        if (existsSync(old) && !existsSync(root)) moves.rename(old, root)
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
    const now = lstatSync(target, { throwIfNoEntry: false })
    if (now !== undefined && now.mtimeMs >= lstatSync(join(old, path)).mtimeMs) continue
    mkdirSync(dirname(target), { recursive: true })
    renameSync(join(old, path), target)
  }
}

function carry(from: string, to: string): void {
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to)
  else link(from, to)
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to) // this file system has no hard links
  }
}
