// Where the output of a container goes: to our own streams or into memory, up to a limit. More than
// that is cut: the script's next write fails, and a line on stderr says why.
import { openStandardOutput, type StandardOutput } from "../../platform/standard-output.ts"
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

// So much may be on its way to a reader who is slower than the script.
const maxUnwritten = 1 << 20

export class Output {
  readonly #options: OutputOptions
  readonly #captured: Record<StreamName, Uint8Array[]> = { stdout: [], stderr: [] }
  readonly #targets: Partial<Record<StreamName, StandardOutput>> = {}
  readonly #writing = new Set<Promise<void>>()
  #unwritten = 0
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
    await Promise.all(this.#writing)
  }

  #put(stream: StreamName, bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (this.#options.capture) {
      if (!this.#options.isForgotten) this.#captured[stream].push(bytes)
      this.#options.onOutput?.(stream, bytes)
      return
    }
    try {
      this.#targets[stream] ??= openStandardOutput(stream)
      const writing = this.#targets[stream].write(bytes)
      if (writing !== undefined) this.#wait(writing, bytes.length)
    } catch {
      // A reader that has seen enough, as in `| head`: the script is told what it would be told directly.
      this.#cut()
    }
  }

  #wait(writing: Promise<unknown>, length: number): void {
    this.#unwritten += length
    if (this.#unwritten > maxUnwritten) this.#options.pause()
    const over = writing
      .then(undefined, () => this.#cut())
      .then(() => {
        this.#writing.delete(over)
        this.#unwritten -= length
        if (this.#unwritten <= maxUnwritten) this.#options.resume()
      })
    this.#writing.add(over)
  }

  #cut(): void {
    if (this.#isCut) return
    this.#isCut = true
    this.#options.onCut()
  }
}
