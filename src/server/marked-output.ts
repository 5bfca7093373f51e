// The output of one snippet among that of a whole session: it ends, on both streams, with a mark that
// nobody else knows, and behind that stands how it went.

export type SnippetReport = { ok: true } | { ok: false; error: { code: string; message: string; hint?: string } }

type StreamName = "stdout" | "stderr"

// More than this is not kept.
const maxBytes = 10 << 20

export class MarkedOutput {
  readonly mark = `\u0000${crypto.randomUUID()}`
  /** Settles when both streams have come to their end. */
  readonly report: Promise<SnippetReport>
  /** Settles when there is too much of it. */
  readonly full: Promise<void>
  readonly #pass: (stream: StreamName, chunk: Uint8Array) => void
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  readonly #texts = { stdout: "", stderr: "" }
  readonly #marks: { stdout?: number | undefined; stderr?: number | undefined } = {}
  readonly #open = new Set<StreamName>(["stdout", "stderr"])
  #resolve: (report: SnippetReport) => void = () => {}
  #fill: () => void = () => {}
  #found: SnippetReport = { ok: true }
  #bytes = 0

  constructor(pass: (stream: StreamName, chunk: Uint8Array) => void) {
    this.#pass = pass
    this.report = new Promise((resolve) => {
      this.#resolve = resolve
    })
    this.full = new Promise((resolve) => {
      this.#fill = resolve
    })
  }

  get stdout(): string {
    return this.#texts.stdout
  }

  get stderr(): string {
    return this.#texts.stderr
  }

  take(stream: StreamName, chunk: Uint8Array): void {
    if (!this.#open.has(stream) || this.#bytes > maxBytes) return
    const before = this.#texts[stream].length
    this.#texts[stream] += this.#decoders[stream].decode(chunk, { stream: true })
    this.#bytes += chunk.length
    const text = this.#texts[stream]
    // It may have come in two pieces.
    this.#marks[stream] ??= positionOf(this.mark, text, before - this.mark.length)
    const at = this.#marks[stream]
    if (at === undefined) {
      if (this.#bytes > maxBytes) this.#fill()
      else this.#pass(stream, chunk)
      return
    }
    const end = text.indexOf("\n", at)
    // The rest of the line is still on its way.
    if (end < 0) return
    if (stream === "stdout") this.#found = JSON.parse(text.slice(at + this.mark.length, end))
    this.#texts[stream] = text.slice(0, at)
    this.#open.delete(stream)
    if (this.#open.size === 0) this.#resolve(this.#found)
  }
}

function positionOf(mark: string, text: string, from: number): number | undefined {
  const at = text.indexOf(mark, Math.max(0, from))
  return at < 0 ? undefined : at
}
