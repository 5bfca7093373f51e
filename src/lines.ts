// Framing shared by the broker, the guest and the stdio transport: lines of JSON, and between two of them texts as they
// are. Either may have 100 MB: what comes is decoded as it comes, and the engine joins it once, when it is read.

const newline = 0x0a
const byteOrderMark = 0xfeff
// Memory for a string of a megabyte is had in two thirds of the time that it takes for as many characters in small ones.
const pieceBytes = 1 << 20

export interface LineReader {
  /** Takes a chunk and calls back for each line that it completes. */
  push(chunk: Uint8Array): void
  /** Called for a line that says so: texts of so many bytes follow it, which are no lines. */
  follow(sizes: readonly number[], onTexts: (texts: string[]) => void): void
}

interface Following {
  sizes: readonly number[]
  onTexts(texts: string[]): void
  texts: string[]
  /** Of the text that is being read. */
  missing: number
}

/** Splits a byte stream into lines. Blank lines are dropped; a line over `maxBytes` ends in `onOverflow`. */
export function createLineReader(
  onLine: (line: string) => void,
  { maxBytes = Number.POSITIVE_INFINITY, onOverflow }: { maxBytes?: number; onOverflow?: () => void } = {},
): LineReader {
  // Deno would take a mark of the order of bytes out of the middle, too.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  let pending = ""
  let pendingBytes = 0
  /** Of what is large, the bytes of the next piece. */
  let piece: Uint8Array | undefined
  let pieceLength = 0
  let overflowed = false
  let following: Following | undefined

  /** The text that ends with this part. */
  const finish = (lastPart: Uint8Array): string => {
    if (pendingBytes === 0) return decoder.decode(lastPart)
    endPiece()
    const text = pending + decoder.decode(lastPart)
    forget()
    return text
  }

  const forget = () => {
    pending = ""
    pendingBytes = 0
    piece = undefined
    pieceLength = 0
  }

  const keep = (part: Uint8Array) => {
    pendingBytes += part.length
    if (pendingBytes <= pieceBytes || part.length >= pieceBytes) {
      endPiece()
      pending += decoder.decode(part, { stream: true })
      return
    }
    if (pieceLength + part.length > pieceBytes) endPiece()
    piece ??= new Uint8Array(pieceBytes)
    piece.set(part, pieceLength)
    pieceLength += part.length
  }

  const endPiece = () => {
    if (pieceLength === 0) return
    pending += decoder.decode(piece?.subarray(0, pieceLength), { stream: true })
    pieceLength = 0
  }

  /** How far the texts go that the chunk has from here on. */
  const readText = (state: Following, chunk: Uint8Array, from: number): number => {
    const end = from + state.missing
    if (end > chunk.length) {
      keep(chunk.subarray(from))
      state.missing = end - chunk.length
      return chunk.length
    }
    state.texts.push(finish(chunk.subarray(from, end)))
    const next = state.sizes[state.texts.length]
    if (next !== undefined) state.missing = next
    else {
      following = undefined
      state.onTexts(state.texts)
    }
    return end
  }

  const readLine = (chunk: Uint8Array, from: number): number => {
    const end = chunk.indexOf(newline, from)
    if (end >= 0) {
      const line = finish(chunk.subarray(from, end))
      if (line.trim() !== "") onLine(line.charCodeAt(0) === byteOrderMark ? line.slice(1) : line)
      return end + 1
    }
    keep(chunk.subarray(from))
    if (pendingBytes > maxBytes) {
      overflowed = true
      forget()
      onOverflow?.()
    }
    return chunk.length
  }

  return {
    push(chunk) {
      let from = 0
      while (from < chunk.length && !overflowed) {
        from = following === undefined ? readLine(chunk, from) : readText(following, chunk, from)
      }
    },
    follow(sizes, onTexts) {
      following = { sizes, onTexts, texts: [], missing: sizes[0] ?? 0 }
    },
  }
}
