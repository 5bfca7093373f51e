// Remembers, from one run to the next, how a server wants to be spoken to. A verdict only saves time:
// whatever is wrong with a file, the answer is to negotiate again. No secrets: the file is named by a
// hash of the server's address and holds nothing a server has said.

/** The protocol revisions and the transport that a server turned out to speak. */
export interface Verdict {
  era: "legacy" | "modern"
  transport: "stdio" | "http" | "sse"
}

const maxAgeMs = 7 * 24 * 60 * 60 * 1000

export class VerdictStore {
  readonly #directory: string | undefined

  constructor(cacheDirectory: string | undefined) {
    this.#directory = cacheDirectory === undefined ? undefined : `${cacheDirectory}/negotiation`
  }

  async read(identity: string): Promise<Verdict | undefined> {
    if (this.#directory === undefined) return undefined
    try {
      const { era, transport, date } = JSON.parse(await readText(await this.#fileOf(identity)))
      const age = Date.now() - Date.parse(date)
      const known = (era === "legacy" || era === "modern") && ["stdio", "http", "sse"].includes(transport)
      return known && age >= 0 && age < maxAgeMs ? { era, transport } : undefined
    } catch {
      // Missing, unreadable or broken: all the same as never remembered.
      return undefined
    }
  }

  async write(identity: string, verdict: Verdict): Promise<void> {
    if (this.#directory === undefined) return
    try {
      const { mkdir, rename, writeFile } = await import("node:fs/promises")
      const file = await this.#fileOf(identity)
      const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
      await mkdir(this.#directory, { recursive: true, mode: 0o700 })
      await writeFile(draft, `${JSON.stringify({ ...verdict, date: new Date().toISOString() })}\n`, { mode: 0o600 })
      await rename(draft, file)
    } catch {
      // A cache that cannot be written costs a round trip next time, nothing else.
    }
  }

  async forget(identity: string): Promise<void> {
    if (this.#directory === undefined) return
    const { rm } = await import("node:fs/promises")
    await rm(await this.#fileOf(identity), { force: true }).catch(() => {})
  }

  async #fileOf(identity: string): Promise<string> {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(identity))
    const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")
    return `${this.#directory}/${hash}.json`
  }
}

/** On the way of every first call, so without loading node:fs where there is another way. */
async function readText(path: string): Promise<string> {
  if (typeof Bun !== "undefined") return Bun.file(path).text()
  const { readFile } = await import("node:fs/promises")
  return readFile(path, "utf8")
}
