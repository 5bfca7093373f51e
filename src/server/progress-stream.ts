// What a script prints, told as progress: in pieces that are not too many, not too long, and whole
// characters. Nobody may be listening.

type Report = (amount: number, message: string) => void

const everyMs = 50
const maxLength = 4000

export class ProgressStream {
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  #report: Report | undefined
  #bytes = 0
  #pending = ""
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Who is told from now on. */
  attach(report: Report | undefined): void {
    // What was printed so far belongs to the one who goes.
    if (report === undefined) this.#flush()
    this.#report = report
  }

  write(stream: "stdout" | "stderr", chunk: Uint8Array): void {
    this.#bytes += chunk.length
    if (this.#report === undefined) return
    this.#pending += this.#decoders[stream].decode(chunk, { stream: true })
    // The result has everything: of a flood, its newest part is shown.
    if (this.#pending.length > maxLength * 2) this.#pending = this.#pending.slice(-maxLength)
    this.#timer ??= setTimeout(() => this.#flush(), everyMs)
  }

  end(): void {
    this.#flush()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#pending === "") return
    const message = this.#pending.length > maxLength ? `…${this.#pending.slice(-maxLength)}` : this.#pending
    this.#pending = ""
    this.#report?.(this.#bytes, message)
  }
}
