// Newline-delimited JSON framing, shared by the broker, the guest and the stdio transport.
// A message may be 100 MB: chunks are kept as they come and joined once, when their newline arrives.

const newline = 0x0a
const decoder = new TextDecoder()

export interface LineReader {
  /** Takes a chunk and calls back for each line that it completes. */
  push(chunk: Uint8Array): void
}

/** Splits a byte stream into lines. Blank lines are dropped; a line over `maxBytes` ends in `onOverflow`. */
export function createLineReader(
  onLine: (line: string) => void,
  { maxBytes = Number.POSITIVE_INFINITY, onOverflow }: { maxBytes?: number; onOverflow?: () => void } = {},
): LineReader {
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  let overflowed = false

  const emit = (lastPart: Uint8Array) => {
    const line = pendingBytes === 0 ? decoder.decode(lastPart) : decoder.decode(join([...pending, lastPart]))
    pending = []
    pendingBytes = 0
    if (line.trim() !== "") onLine(line)
  }

  return {
    push(chunk) {
      let from = 0
      while (!overflowed) {
        const end = chunk.indexOf(newline, from)
        if (end < 0) break
        emit(chunk.subarray(from, end))
        from = end + 1
      }
      if (overflowed || from >= chunk.length) return
      // The runtime may reuse the chunk's memory once the callback returns.
      pending.push(chunk.slice(from))
      pendingBytes += chunk.length - from
      if (pendingBytes > maxBytes) {
        overflowed = true
        pending = []
        onOverflow?.()
      }
    },
  }
}

function join(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
