// What a process asks of the kernel, and what the kernel says, as strace sees it from the outside.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { strace } from "../fixtures/strace.ts"

export interface Call {
  name: string
  line: string
  isRefused: boolean
}

// Everything of which not a single call may succeed, and last two of which some may.
const names = [
  ...["unshare", "setns", "mount", "move_mount", "fsopen", "open_tree", "pivot_root", "chroot", "keyctl", "add_key"],
  ...["ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "bpf", "perf_event_open"],
  ...["io_uring_setup", "userfaultfd", "init_module", "kexec_load", "open_by_handle_at", "mknodat", "reboot"],
  ...["setuid", "setgid", "shmget", "clone3", "clone", "socket"],
]
/** Threads and processes without namespaces of their own, and local sockets. */
const isOrdinary = (line: string) => /^clone\((?!.*CLONE_NEW)/.test(line) || line.startsWith("socket(AF_UNIX")

/** Follows a process until it ends. Resolves when it is being followed. */
export async function traceCalls(pid: string): Promise<{ finished: Promise<Call[]> }> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-exec-trace-"))
  const file = join(folder, "calls")
  const command = [strace, "-f", "-qq", "-p", pid, "-e", `trace=${names.join()}`, "-e", "signal=none", "-o", file]
  const watcher = Bun.spawn(command, { stderr: "pipe", stdout: "ignore", stdin: "ignore" })
  const status = () => /TracerPid:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  while (status() !== String(watcher.pid)) {
    if (watcher.exitCode !== null) throw new Error(`strace: ${await new Response(watcher.stderr).text()}`)
    await Bun.sleep(10)
  }
  const finished = watcher.exited.then(() => {
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean)
    rmSync(folder, { recursive: true })
    return lines.map((line) => line.replace(/^\d+\s+/, "")).flatMap(asCall)
  })
  return { finished }
}

function asCall(line: string): Call[] {
  const name = /^(\w+)\(/.exec(line)?.[1]
  if (name === undefined || isOrdinary(line)) return []
  return [{ name, line, isRefused: / = -1 E/.test(line) }]
}
