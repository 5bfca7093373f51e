// Puts a file in place in one step, so that nobody ever sees half of it.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/** Writes a file and the folders above it. Throws the system's error, and leaves nothing behind then. */
export function putFile(file: string, text: string, { isPrivate = false }: { isPrivate?: boolean } = {}): void {
  const draft = `${file}.${process.pid}.${crypto.randomUUID()}.tmp`
  mkdirSync(dirname(file), { recursive: true, ...(isPrivate && { mode: 0o700 }) })
  try {
    writeFileSync(draft, text, { flag: "wx", ...(isPrivate && { mode: 0o600 }) })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
