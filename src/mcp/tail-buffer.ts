/** Keeps the end of a byte stream. */
export class TailBuffer {
  readonly #maxBytes: number
  #chunks: Uint8Array[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  push(chunk: Uint8Array): void {
    // A copy: the runtime may reuse the chunk's memory, and a view would keep all of it alive.
    const kept = chunk.slice(Math.max(0, chunk.length - this.#maxBytes))
    this.#chunks.push(kept)
    this.#bytes += kept.length
    let first = this.#chunks[0]
    while (first !== undefined && this.#bytes - first.length >= this.#maxBytes) {
      this.#chunks.shift()
      this.#bytes -= first.length
      first = this.#chunks[0]
    }
  }

  text(): string {
    const decoder = new TextDecoder()
    const whole = this.#chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode()
    return whole.slice(-this.#maxBytes)
  }
}
