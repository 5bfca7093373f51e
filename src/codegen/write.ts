// Puts generated files on disk: writes what has changed, removes what is stale, touches nothing else.
// Only this file and its three helpers write; what users keep in the folder (utils.ts, discovered types) stays.
import { existsSync, mkdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { McpExecError } from "../errors.ts"
import { printUtils } from "./print-server.ts"
import { header } from "./print-wrapper.ts"
import { takeLock } from "./write-lock.ts"
import { besides, changeTree, listFiles, type Moves, repairTree } from "./write-tree.ts"

export interface WriteOptions {
  /** Folders of servers that were not generated this time: their files stay as they are. */
  keep?: ReadonlySet<string>
  /** What this system can do with folders; found out when absent. */
  moves?: Moves
}

/** Paths, with `/`, sorted. */
export interface WritePlan {
  write: string[]
  unchanged: string[]
  remove: string[]
}

type Files = ReadonlyMap<string, string>

/** Brings a folder up to date, at once. When nothing has changed, nothing is written. */
export function writeFiles(directory: string, files: Files, options: WriteOptions = {}): Promise<WritePlan> {
  return updateFolder(directory, () => ({ ...options, files }))
}

/** The same for files that depend on what is there: nobody else writes between looking and writing. */
export async function updateFolder(
  directory: string,
  makeFiles: (directory: string) => WriteOptions & { files: Files },
): Promise<WritePlan> {
  const root = locate(directory)
  const unique = `${process.pid}-${crypto.randomUUID().slice(0, 8)}`
  try {
    mkdirSync(dirname(root), { recursive: true })
    using _lock = await takeLock(besides(root, "lock", ""), unique)
    repairTree(root)
    const { files, moves, ...options } = makeFiles(root)
    const plan = planWrite(root, files, options)
    if (plan.write.length > 0 || plan.remove.length > 0) {
      const write = new Map(plan.write.map((path) => [path, files.get(path) ?? ""]))
      await changeTree(root, { write, remove: new Set(plan.remove) }, unique, moves)
    }
    return plan
  } catch (error) {
    if (error instanceof McpExecError) throw error
    throw new McpExecError("E_STATE", `The generated files could not be written to ${directory}`, {
      hint: `${error instanceof Error ? error.message : error}. Check that the folder may be written to.`,
      cause: error,
    })
  }
}

/** What `writeFiles` would do. Writes nothing. */
export function planWrite(directory: string, files: Files, { keep = new Set() }: WriteOptions = {}): WritePlan {
  const root = locate(directory)
  const existing = new Set(listFiles(root))
  const plan: WritePlan = { write: [], unchanged: [], remove: [] }
  for (const [path, text] of files) {
    const same = existing.has(path) && (isTheirs(path) || readFileSync(join(root, path), "utf8") === text)
    plan[same ? "unchanged" : "write"].push(path)
  }
  const ours = [...existing].filter((path) => !files.has(path) && !keep.has(path.split("/")[0] ?? ""))
  plan.remove = ours.filter((path) => isGenerated(root, path)).sort()
  return plan
}

function isTheirs(path: string): boolean {
  return path.endsWith("/utils.ts")
}

/** Made by us, and not changed by anybody into something of their own. */
function isGenerated(root: string, path: string): boolean {
  const [folder, name, deeper] = path.split("/")
  if (name === undefined || deeper !== undefined) return false
  if (name === "utils.ts") return readFileSync(join(root, path), "utf8") === printUtils()
  if (name === "README.md") return startsWithHeader(join(root, folder ?? "", "index.ts"))
  return name.endsWith(".ts") && name !== "types.discovered.ts" && startsWithHeader(join(root, path))
}

function startsWithHeader(path: string): boolean {
  return existsSync(path) && readFileSync(path, "utf8").startsWith(header)
}

/** The folder itself, where a link leads to it; also when it is not there at the moment. */
function locate(directory: string): string {
  if (existsSync(directory)) return realpathSync(directory)
  const path = resolve(directory)
  try {
    return resolve(dirname(path), readlinkSync(path))
  } catch {
    return path // no link
  }
}
