// Just enough of tar to make an image: the engines read it, and no tar program is needed.

export type TarEntry =
  | { kind: "directory"; path: string; mode: number }
  | { kind: "file"; path: string; mode: number; content: Uint8Array }

const blockBytes = 512
const typeOf = { directory: "5", file: "0" }

/** The archive, in pieces: the binary in it is large and is not copied. */
export function* tarOf(entries: Iterable<TarEntry>): Generator<Uint8Array> {
  for (const entry of entries) {
    yield headerOf(entry)
    if (entry.kind !== "file") continue
    yield entry.content
    yield new Uint8Array((blockBytes - (entry.content.length % blockBytes)) % blockBytes)
  }
  yield new Uint8Array(2 * blockBytes)
}

function headerOf(entry: TarEntry): Uint8Array {
  const header = new Uint8Array(blockBytes)
  const put = (at: number, text: string, length: number) => {
    const bytes = new TextEncoder().encode(text)
    if (bytes.length > length) throw new Error(`${entry.path} does not fit into an archive`)
    header.set(bytes, at)
  }
  const octal = (at: number, value: number, length: number) =>
    put(at, `${value.toString(8).padStart(length - 1, "0")}\0`, length)
  put(0, entry.path, 100)
  octal(100, entry.mode, 8)
  // Owned by root, and without a date: the same content is the same image.
  octal(108, 0, 8)
  octal(116, 0, 8)
  octal(124, entry.kind === "file" ? entry.content.length : 0, 12)
  octal(136, 0, 12)
  put(148, "        ", 8)
  put(156, typeOf[entry.kind], 1)
  put(257, "ustar\0", 6)
  put(263, "00", 2)
  const sum = header.reduce((total, byte) => total + byte, 0)
  put(148, `${sum.toString(8).padStart(6, "0")}\0 `, 8)
  return header
}
