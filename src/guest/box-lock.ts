// What the first process of a container does to itself, and so to all that it starts, before any script
// is there: it closes itself to debuggers, and lets no program make the system calls of another kind of
// machine. Those are outside the engine's list; there, they end a thread and leave the rest hanging.
import { dlopen, ptr } from "bun:ffi"

const isArm = process.arch === "arm64"
const signatures = {
  prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
  syscall: { args: ["i64", "i64", "i64", "ptr"], returns: "i64" },
} as const

/** Throws when this process cannot be locked: then nothing may run beside it. */
export function lockBox(): void {
  const { prctl, syscall } = openLibc()
  const setDumpable = 4
  // Without this, the script could read and write our memory through /proc.
  if (prctl(setDumpable, 0n, 0n, 0n, 0n) !== 0) {
    throw new Error("the container's first process cannot be closed to debuggers")
  }
  const filter = foreignCallsFilter()
  const program = new DataView(new ArrayBuffer(16))
  program.setUint16(0, filter.length / 8, true)
  program.setBigUint64(8, BigInt(ptr(filter)), true)
  const [call, setFilter, allThreads] = [isArm ? 277n : 317n, 1n, 1n]
  if (syscall(call, setFilter, allThreads, ptr(program.buffer)) !== 0n) {
    throw new Error("the container's first process cannot refuse the calls of other machines")
  }
}

/** The C library of the container, as far as it is needed. */
export function openLibc() {
  const names = ["libc.so.6", `libc.musl-${isArm ? "aarch64" : "x86_64"}.so.1`]
  for (const name of names) {
    try {
      return dlopen(name, signatures).symbols
    } catch {
      // The other C library.
    }
  }
  throw new Error(`the container has none of ${names.join(", ")}`)
}

/** A program for the kernel: whoever calls as another machine, or as x32, is killed as a whole. */
function foreignCallsFilter(): Uint8Array {
  const [load, equals, atLeast, end] = [0x20, 0x15, 0x35, 0x06]
  const [numberAt, machineAt] = [0, 4]
  const machine = isArm ? 0xc00000b7 : 0xc000003e
  const [kill, allow] = [0x80000000, 0x7fff0000]
  const x32 = 0x40000000
  const steps: [code: number, whenTrue: number, whenFalse: number, value: number][] = [
    [load, 0, 0, machineAt],
    [equals, 0, 3, machine],
    [load, 0, 0, numberAt],
    [atLeast, 1, 0, x32],
    [end, 0, 0, allow],
    [end, 0, 0, kill],
  ]
  const bytes = new DataView(new ArrayBuffer(steps.length * 8))
  for (const [index, [code, whenTrue, whenFalse, value]] of steps.entries()) {
    bytes.setUint16(index * 8, code, true)
    bytes.setUint8(index * 8 + 2, whenTrue)
    bytes.setUint8(index * 8 + 3, whenFalse)
    bytes.setUint32(index * 8 + 4, value, true)
  }
  return new Uint8Array(bytes.buffer)
}
