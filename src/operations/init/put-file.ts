import { randomUUID } from "node:crypto"
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"

/** The text of a file; undefined when there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

/** Writes a file at once: whoever is interrupted leaves the old text or the new one. */
export function putFile(path: string, text: string, mode?: number): void {
  mkdirSync(dirname(path), { recursive: true })
  const existing = statSync(path, { throwIfNoEntry: false })
  // Where a link leads to the file, it stays a link.
  const target = existing === undefined ? path : realpathSync(path)
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID().slice(0, 8)}`)
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: mode ?? (existing?.mode ?? 0o666) & 0o777 })
    renameSync(temporary, target)
  } finally {
    rmSync(temporary, { force: true })
  }
}
