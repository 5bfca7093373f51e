// One process at a time makes the image and tries the engine out; the others wait for its result.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

const lookAgainMs = 50

/** Runs `work` while holding a lock file. The lock of a process that is gone does not count. */
export async function withLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  while (!take(file)) {
    if (!ownerIsAlive(file)) rmSync(file, { force: true })
    else await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx", mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

function ownerIsAlive(file: string): boolean {
  try {
    // Empty for a moment, between being made and being written.
    const owner = Number(readFileSync(file, "utf8") || process.pid)
    process.kill(owner, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
