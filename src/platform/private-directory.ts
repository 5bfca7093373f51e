// The private folder for sockets and short-lived files, where it takes node:fs: making it, and
// clearing away what a killed process has left in it.
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs"

/** Makes a folder that only this user may enter, or throws when somebody else could. */
export function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const status = lstatSync(directory)
  if (!status.isDirectory()) throw new Error(`${directory} is not a directory`)
  if (process.platform === "win32") return
  if (status.uid !== process.getuid?.()) throw new Error(`${directory} belongs to another user`)
  if ((status.mode & 0o077) !== 0) chmodSync(directory, 0o700)
}

/** Removes what belongs to processes that are gone. Names begin with the number of their process. */
export function removeStale(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = Number.parseInt(name, 10)
    if (!Number.isNaN(pid) && !isAlive(pid)) rmSync(`${directory}/${name}`, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process may have taken the number; its owner's files are not ours to judge.
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
