// What a container looks like from the inside: the limits and locks that the kernel really applies,
// whatever the engine was asked for.
import { readFileSync } from "node:fs"
import type { BoxFacts, BoxInspect } from "./box-messages.ts"

/** Looks around, after using up as much memory as it is told to. */
export async function inspectBox({ eatBytes = 0 }: BoxInspect): Promise<BoxFacts> {
  const eaten: Uint8Array[] = []
  // Filled, because memory that nobody has written to costs nothing.
  for (let bytes = 0; bytes < eatBytes; bytes += 1 << 24) eaten.push(new Uint8Array(1 << 24).fill(eaten.length + 1))
  const status = read("/proc/self/status")
  return {
    memoryBytes: numberIn(["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]),
    pids: numberIn(["/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"]),
    cpus: cpuShare(),
    seccomp: /^Seccomp:\s*2$/m.test(status),
    noNewPrivileges: /^NoNewPrivs:\s*1$/m.test(status),
    capabilities: !/^CapEff:\s*0+$/m.test(status) || !/^CapBnd:\s*0+$/m.test(status),
    // The fifth word is where something is mounted, the sixth how.
    rootIsReadOnly: /^(?:\S+ ){4}\/ ro[, ]/m.test(read("/proc/self/mountinfo")),
    hasNetwork: read("/proc/net/dev")
      .split("\n")
      .some((line) => line.includes(":") && !/^\s*lo:/.test(line)),
  }
}

/** True when the kernel has killed somebody in here because memory ran out. */
export function killedForMemory(): boolean {
  const count = /^oom_kill (\d+)$/m
  return ["/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"].some(
    (file) => Number(count.exec(read(file))?.[1] ?? 0) > 0,
  )
}

function cpuShare(): number | null {
  const [quota, period] = read("/sys/fs/cgroup/cpu.max").split(" ").map(Number)
  if (quota !== undefined && period !== undefined) return quota > 0 ? quota / period : null
  const old = Number(read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"))
  const oldPeriod = Number(read("/sys/fs/cgroup/cpu/cpu.cfs_period_us"))
  return old > 0 && oldPeriod > 0 ? old / oldPeriod : null
}

/** Of the first file that is there. "max", and what the kernel has instead of it, are no limit. */
function numberIn(files: string[]): number | null {
  const number = Number(files.map(read).find((text) => text !== "") ?? "max")
  return number > 0 && number < 2 ** 53 ? number : null
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8").trim()
  } catch {
    return ""
  }
}
