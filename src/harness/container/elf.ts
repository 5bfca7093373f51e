// Which shared libraries a Linux program needs, read from the program itself.

export interface ElfNeeds {
  /** The loader, as a path; absent in a static program. */
  interpreter?: string
  /** Names of libraries, such as `libc.so.6`. */
  libraries: string[]
  machine: "x64" | "arm64"
}

const segment = { load: 1, dynamic: 2, interpreter: 3 }
const tag = { end: 0n, needed: 1n, stringTable: 5n }
const machines: Record<number, ElfNeeds["machine"]> = { 62: "x64", 183: "arm64" }

interface Segment {
  type: number
  offset: number
  address: number
  size: number
}

/** Reads the headers of a 64-bit ELF program; undefined when it is something else. */
export function readElf(bytes: Uint8Array): ElfNeeds | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isElf64 = bytes.length > 64 && view.getUint32(0) === 0x7f454c46 && bytes[4] === 2 && bytes[5] === 1
  const machine = isElf64 ? machines[view.getUint16(18, true)] : undefined
  if (machine === undefined) return undefined
  const segments = readSegments(view)
  const interpreter = segments.find(({ type }) => type === segment.interpreter)
  return {
    ...(interpreter !== undefined && { interpreter: textAt(bytes, interpreter.offset) }),
    libraries: readLibraries(bytes, view, segments),
    machine,
  }
}

function readSegments(view: DataView): Segment[] {
  const start = Number(view.getBigUint64(32, true))
  const size = view.getUint16(54, true)
  return Array.from({ length: view.getUint16(56, true) }, (_, index) => {
    const at = start + index * size
    return {
      type: view.getUint32(at, true),
      offset: Number(view.getBigUint64(at + 8, true)),
      address: Number(view.getBigUint64(at + 16, true)),
      size: Number(view.getBigUint64(at + 32, true)),
    }
  })
}

function readLibraries(bytes: Uint8Array, view: DataView, segments: Segment[]): string[] {
  const dynamic = segments.find(({ type }) => type === segment.dynamic)
  if (dynamic === undefined) return []
  const names: number[] = []
  let strings = 0
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.size; at += 16) {
    const kind = view.getBigUint64(at, true)
    const value = Number(view.getBigUint64(at + 8, true))
    if (kind === tag.end) break
    if (kind === tag.needed) names.push(value)
    if (kind === tag.stringTable) strings = offsetOf(value, segments)
  }
  return names.map((name) => textAt(bytes, strings + name))
}

/** Where in the file a piece of memory comes from. */
function offsetOf(address: number, segments: Segment[]): number {
  const home = segments.find(
    (each) => each.type === segment.load && address >= each.address && address < each.address + each.size,
  )
  return home === undefined ? address : address - home.address + home.offset
}

function textAt(bytes: Uint8Array, at: number): string {
  return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)))
}
