// Whether a configuration file still says what a daemon was started with. Its time stamp is in the
// daemon's address; this also finds a change that keeps size and time.
import { createHash } from "node:crypto"
import { readFileSync, statSync } from "node:fs"

export class ConfigState {
  readonly #file: string
  readonly #hash: string
  #look: string

  constructor(file: string) {
    this.#file = file
    this.#look = lookAt(file)
    this.#hash = hashOf(file)
  }

  /** Reads the file only when it was touched. */
  isUnchanged(): boolean {
    const look = lookAt(this.#file)
    if (look === this.#look) return true
    if (hashOf(this.#file) !== this.#hash) return false
    this.#look = look
    return true
  }
}

function lookAt(file: string): string {
  const status = statSync(file, { bigint: true, throwIfNoEntry: false })
  return status === undefined ? "" : `${status.ino} ${status.size} ${status.ctimeNs}`
}

function hashOf(file: string): string {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex")
  } catch {
    return "" // gone, or not ours to read any more: changed in either case
  }
}
