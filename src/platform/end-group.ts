// Ending processes, together with everything they have started.
import { type SpawnedProcess, signalGroup } from "./spawn.ts"

/** Ends a process group: TERM, and KILL for what is left after `graceMs`. Resolves when it is gone. */
export async function endGroup(child: SpawnedProcess, graceMs = 2000): Promise<void> {
  if (signalGroup(child.pid, "SIGTERM")) await goneWithin(child, graceMs)
  if (signalGroup(child.pid, "SIGKILL")) await goneWithin(child, graceMs)
}

async function goneWithin(child: SpawnedProcess, milliseconds: number): Promise<void> {
  const deadline = performance.now() + milliseconds
  await exitWithin(child, milliseconds)
  while (groupIsAlive(child.pid) && performance.now() < deadline) await sleep(10)
}

async function exitWithin(child: SpawnedProcess, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([child.exited, timeout])
  clearTimeout(timer)
}

/** True while somebody in the group runs. A zombie that nobody has reaped yet is not somebody. */
export function groupIsAlive(pid: number): boolean {
  if (!signalGroup(pid, 0)) return false
  if (process.platform !== "linux") return true
  const { readdirSync, readFileSync } = process.getBuiltinModule("node:fs")
  return readdirSync("/proc").some((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      // "1234 (a name) S 1 <group> …": the name may contain anything, also brackets.
      const [state, , group] = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")
      return Number(group) === pid && state !== "Z" && state !== "X"
    } catch {
      return false // ended between the two looks
    }
  })
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
