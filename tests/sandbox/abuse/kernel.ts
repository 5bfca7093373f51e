// Asks the kernel for what opens doors: namespaces, mounts, others' memory, keys, programs inside it.
import { dlopen, read } from "bun:ffi"
import { attempt, beLookedAt } from "./attempt.ts"

const word = "i64" as const
const libc = dlopen(process.arch === "x64" || process.arch === "arm64" ? "libc.so.6" : "", {
  syscall: { args: [word, word, word, word, word, word, word], returns: word },
  __errno_location: { args: [], returns: "ptr" },
})

// The numbers of x64 and of arm64.
const calls: [name: string, x64: number, arm64: number, ...args: number[]][] = [
  ["unshare a user namespace", 272, 97, 0x10000000],
  ["unshare a mount namespace", 272, 97, 0x20000],
  ["clone with a user namespace", 56, 220, 0x10000000 | 17],
  ["clone with a network namespace", 56, 220, 0x40000000 | 17],
  ["clone3", 435, 435, 0, 0],
  ["setns", 308, 268, 0, 0],
  ["mount", 165, 40],
  ["move_mount", 429, 429],
  ["fsopen", 430, 430],
  ["open_tree", 428, 428],
  ["pivot_root", 155, 41],
  ["chroot", 161, 51],
  ["keyctl", 250, 219, 0, -2],
  ["add_key", 248, 217],
  ["ptrace", 101, 117, 0],
  ["process_vm_readv", 310, 270, 1],
  ["process_vm_writev", 311, 271, 1],
  ["pidfd_getfd", 438, 438],
  ["kcmp", 312, 272, 1, 1],
  ["bpf", 321, 280],
  ["perf_event_open", 298, 241],
  ["io_uring_setup", 425, 425, 8],
  ["userfaultfd", 323, 282, 1],
  ["init_module", 175, 105],
  ["kexec_load", 246, 104],
  ["open_by_handle_at", 304, 265],
  ["mknodat", 259, 33],
  ["reboot", 169, 142],
  ["setuid to root", 105, 146, 0],
  ["setgid to root", 106, 144, 0],
  ["shmget", 29, 194, 0, 4096, 0o1777],
  ...[2, 10, 16, 17, 38, 40, 44].map((family): [string, number, number, number, number, number] => [
    `a socket of family ${family}`,
    41,
    198,
    family,
    1,
    0,
  ]),
]
await beLookedAt()
for (const [name, x64, arm64, ...args] of calls) {
  await attempt(name, () => {
    const number = BigInt(process.arch === "x64" ? x64 : arm64)
    const [a = 0, b = 0, c = 0, d = 0] = args
    const result = libc.symbols.syscall(number, BigInt(a), BigInt(b), BigInt(c), BigInt(d), 0n, 0n)
    const address = libc.symbols.__errno_location()
    if (result < 0n && address !== null) throw new Error(`error ${read.i32(address, 0)}`)
    return result
  })
}
await attempt("gain privileges", () => {
  const status = require("node:fs").readFileSync("/proc/self/status", "utf8")
  if (/NoNewPrivs:\s*1/.test(status) && /CapBnd:\s*0+$/m.test(status)) throw new Error("none to gain")
  return status
})
console.log("done")
