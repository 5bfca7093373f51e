// Where the output of a container goes: to our own streams or into memory, up to a limit. More than
// that is cut: the script's next write fails, and a line on stderr says why.
import type { OnOutput } from "../harness.ts"

type StreamName = "stdout" | "stderr"

export interface OutputOptions {
  capture: boolean
  /** Sees what is captured as it comes. */
  onOutput?: OnOutput | undefined
  /** Captured output is only shown to `onOutput`. */
  isForgotten?: boolean
  maxBytes: number
  /** Too much, or nobody reads it any more. */
  onCut: () => void
  /** How fast we are read: the container must not fill our memory. */
  pause: () => void
  resume: () => void
}

export class Output {
  readonly #options: OutputOptions
  readonly #captured: Record<StreamName, Uint8Array[]> = { stdout: [], stderr: [] }
  readonly #unwritten = new Set<Promise<void>>()
  readonly #full = new Set<StreamName>()
  #bytes = 0
  #isCut = false

  constructor(options: OutputOptions) {
    this.#options = options
  }

  take(stream: StreamName, chunk: Uint8Array): void {
    if (this.#isCut) return
    const { maxBytes } = this.#options
    const room = maxBytes - this.#bytes
    this.#bytes += chunk.length
    this.#put(stream, chunk.slice(0, room))
    if (chunk.length <= room) return
    this.#cut()
    const limit = maxBytes >= 1 << 20 ? `${maxBytes / (1 << 20)} MB` : `${maxBytes} bytes`
    this.#put("stderr", new TextEncoder().encode(`\n[ERROR] The script's output was cut after ${limit}\n`))
  }

  /** What was captured, as text. */
  text(stream: StreamName): string {
    return new TextDecoder().decode(Buffer.concat(this.#captured[stream]))
  }

  /** Resolves when everything has left this process. */
  async flush(): Promise<void> {
    await Promise.all(this.#unwritten)
  }

  #put(stream: StreamName, bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (this.#options.capture) {
      if (!this.#options.isForgotten) this.#captured[stream].push(bytes)
      this.#options.onOutput?.(stream, bytes)
      return
    }
    const target = process[stream]
    if (target.listenerCount("error", this.#onLost) === 0) target.on("error", this.#onLost)
    const written = new Promise<void>((resolve) => {
      if (target.write(bytes, () => resolve()) || this.#full.has(stream)) return
      this.#full.add(stream)
      this.#options.pause()
      target.once("drain", () => this.#drained(stream))
    }).catch(this.#onLost)
    this.#unwritten.add(written)
    void written.then(() => this.#unwritten.delete(written))
  }

  #drained(stream: StreamName): void {
    this.#full.delete(stream)
    if (this.#full.size === 0) this.#options.resume()
  }

  // A reader that has seen enough, as in `| head`: the script is told what it would be told directly.
  readonly #onLost = () => {
    this.#cut()
    this.#options.resume()
  }

  #cut(): void {
    if (this.#isCut) return
    this.#isCut = true
    this.#options.onCut()
  }
}
