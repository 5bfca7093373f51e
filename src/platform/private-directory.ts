import { chmodSync, lstatSync, mkdirSync } from "node:fs"

/** Makes a folder that only this user may enter, or throws when somebody else could. */
export function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const status = lstatSync(directory)
  if (!status.isDirectory()) throw new Error(`${directory} is not a directory`)
  if (process.platform === "win32") return
  if (status.uid !== process.getuid?.()) throw new Error(`${directory} belongs to another user`)
  if ((status.mode & 0o077) !== 0) chmodSync(directory, 0o700)
}
