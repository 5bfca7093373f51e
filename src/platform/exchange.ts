// Two folders change places in one step, where the system can do that: at no moment is one of them
// missing. It takes a call into the C library, so this is loaded when there is something to exchange.
// Must never throw: whoever gets `false` has another way.

/** True when both paths have changed places; false when nothing has happened. */
export async function exchangePaths(one: string, other: string): Promise<boolean> {
  try {
    const call = exchangeCall(cString(one), cString(other))
    if (call === undefined) return false
    const open = await libraryOpener()
    if (open === undefined) return false
    const { symbols, close } = firstThatOpens(call, open)
    const result = symbols[call.symbol]?.(...call.values)
    close()
    return Number(result) === 0
  } catch {
    return false // another C library, or no permission to call this one
  }
}

interface Call {
  /** Where the function may be, the likely place first. */
  libraries: string[]
  symbol: string
  types: ("i64" | "u32" | "path")[]
  values: (number | Uint8Array)[]
  returns: "i32" | "i64"
}

// The same number on both systems: RENAME_EXCHANGE on Linux, RENAME_SWAP on macOS.
const swap = 2
/** Linux on other processors goes the other way. */
const renameat2: Record<string, { number: number; musl: string }> = {
  x64: { number: 316, musl: "libc.musl-x86_64.so.1" },
  arm64: { number: 276, musl: "libc.musl-aarch64.so.1" },
}

function exchangeCall(one: Uint8Array, other: Uint8Array): Call | undefined {
  if (process.platform === "darwin") {
    return {
      libraries: ["/usr/lib/libSystem.B.dylib"],
      symbol: "renamex_np",
      types: ["path", "path", "u32"],
      values: [one, other, swap],
      returns: "i32",
    }
  }
  const known = process.platform === "linux" ? renameat2[process.arch] : undefined
  if (known === undefined) return undefined
  const workingDirectory = -100
  return {
    libraries: ["libc.so.6", known.musl],
    // By its number, because not every C library has a name for it.
    symbol: "syscall",
    types: ["i64", "i64", "path", "i64", "path", "i64"],
    values: [known.number, workingDirectory, one, workingDirectory, other, swap],
    returns: "i64",
  }
}

function cString(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`)
}

interface Library {
  symbols: Record<string, (...values: Call["values"]) => unknown>
  close(): void
}

type Open = (library: string, call: Call) => Library

/** As much of Deno as is used here. */
interface DenoWithFfi {
  dlopen(library: string, symbols: Record<string, { parameters: string[]; result: string }>): Library
}

/** How this runtime opens a library; Node has no way. */
async function libraryOpener(): Promise<Open | undefined> {
  if (typeof Bun !== "undefined") {
    const { dlopen } = await import("bun:ffi")
    return (library, { symbol, types, returns }) => {
      const args = types.map((type) => (type === "path" ? "ptr" : type))
      const { symbols, close } = dlopen(library, { [symbol]: { args, returns } })
      return { symbols: symbols as Library["symbols"], close }
    }
  }
  const { Deno } = globalThis as { Deno?: DenoWithFfi }
  if (Deno === undefined) return undefined
  return (library, { symbol, types, returns }) => {
    const parameters = types.map((type) => (type === "path" ? "buffer" : type))
    const opened = Deno.dlopen(library, { [symbol]: { parameters, result: returns } })
    return { symbols: opened.symbols, close: () => opened.close() }
  }
}

function firstThatOpens(call: Call, open: Open): Library {
  const failures: unknown[] = []
  for (const library of call.libraries) {
    try {
      return open(library, call)
    } catch (error) {
      failures.push(error)
    }
  }
  throw new AggregateError(failures)
}
