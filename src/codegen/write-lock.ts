// One writer at a time per folder. A lock names its process, so that one left by a killed writer is
// known at once; the tree stays whole even if two should ever write together, the lock only saves work.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { McpExecError } from "../errors.ts"

const pauseMs = 20
const maxWaitMs = 60_000

/** Waits for the lock file and takes it. Dispose to release. */
export async function takeLock(path: string, unique: string): Promise<Disposable> {
  const mine = `${path}-${unique}`
  const content = `${process.pid} ${unique}\n`
  writeFileSync(mine, content)
  try {
    const startedAt = Date.now()
    // A link appears with its content or not at all, and never in place of another.
    while (!tryLink(mine, path)) {
      const holder = readOrNothing(path)
      if (holder !== undefined && !isAlive(Number.parseInt(holder, 10))) breakLock(path, holder, mine)
      else if (Date.now() - startedAt > maxWaitMs) throw stillLocked(path, holder)
      else await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  } finally {
    rmSync(mine, { force: true })
  }
  return {
    [Symbol.dispose]() {
      if (readOrNothing(path) === content) rmSync(path, { force: true })
    },
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "EEXIST") return false
    // Without hard links: exclusive creation, which a kill can leave empty. An empty lock counts as left behind.
    if (code === "EPERM" || code === "ENOTSUP" || code === "ENOSYS" || code === "EOPNOTSUPP") return tryCreate(from, to)
    throw error
  }
}

function tryCreate(from: string, to: string): boolean {
  try {
    writeFileSync(to, readFileSync(from), { flag: "wx" })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

/** Takes a dead writer's lock away; gives it back when somebody alive was quicker. */
function breakLock(path: string, holder: string, mine: string): void {
  const aside = `${mine}-broken`
  try {
    renameSync(path, aside)
    if (readOrNothing(aside) !== holder) tryLink(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error // gone: somebody else broke it
  } finally {
    rmSync(aside, { force: true })
  }
}

/** True for a process that runs, also when it is somebody else's. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined // released meanwhile
  }
}

function stillLocked(path: string, holder: string | undefined): McpExecError {
  const who = Number.parseInt(holder ?? "", 10)
  return new McpExecError("E_STATE", `Process ${who} has been writing the same folder for a minute`, {
    hint: `If it is not one of mcp-exec, delete ${path} and try again.`,
  })
}
