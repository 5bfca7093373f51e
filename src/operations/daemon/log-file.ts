// The daemon's log: a file in the cache, of bounded size. Whoever logs must never fail because of it.
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { daemonPrefix } from "../../broker/daemon-address.ts"

const maxBytes = 512 << 10

/** Where the daemons of a configuration file write. */
export async function logPath(cacheDirectory: string, file: string): Promise<string> {
  return `${cacheDirectory}/daemon/${await daemonPrefix(file)}log`
}

export class LogFile {
  readonly #path: string
  #bytes = 0

  constructor(path: string) {
    this.#path = path
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      this.#bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    } catch {
      // There will be no log, as below.
    }
  }

  write(message: string): void {
    const line = `${new Date().toISOString()} ${process.pid} ${message.replaceAll("\n", "\n  ")}\n`
    try {
      if (this.#bytes > maxBytes) {
        renameSync(this.#path, `${this.#path}.old`)
        this.#bytes = 0
      }
      appendFileSync(this.#path, line, { mode: 0o600 })
      this.#bytes += line.length
    } catch {
      // A full or read-only disk: what the daemon does matters more than what it says.
    }
  }
}

/** The last lines of a log; none when there is no log. */
export function readLog(path: string, lines: number): string[] {
  const text = [`${path}.old`, path].map(textOf).join("")
  return text === "" ? [] : text.trimEnd().split("\n").slice(-lines)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return "" // nothing was written yet
  }
}
