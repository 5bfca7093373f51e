// Calls the kernel as another kind of machine would, whose calls have other numbers: x32, or 32 bits.
import { CFunction, dlopen, type Pointer, toBuffer } from "bun:ffi"

const libc = dlopen("libc.so.6", {
  syscall: { args: ["i64"], returns: "i64" },
  mmap: { args: ["u64", "u64", "i32", "i32", "i32", "i64"], returns: "ptr" },
})
console.log("before")
if (process.argv[2] === "x32") console.log(`ESCAPED x32: ${libc.symbols.syscall(0x40000000n + 39n)}`)
else {
  const [readWriteRun, privateMemory] = [7, 0x22]
  const memory = libc.symbols.mmap(0n, 4096n, readWriteRun, privateMemory, -1, 0n) as Pointer
  // mov eax, getpid; int 0x80; ret
  toBuffer(memory, 0, 8).set([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3])
  console.log(`ESCAPED 32 bits: ${CFunction({ ptr: memory, args: [], returns: "i32" })()}`)
}
