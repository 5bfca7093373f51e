// What can be seen of containers from the outside, without asking what runs in them.
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs"
import { join } from "node:path"
import type { EngineName } from "./program.ts"

/** The names of the containers whose places are in a folder. */
export function containersIn(engine: EngineName, folder: string): string[] {
  const label = `label=mcp-exec-folder=${folder}`
  const { stdout } = Bun.spawnSync([engine, "ps", "--all", "--filter", label, "--format", "{{.Names}}"])
  return stdout
    .toString()
    .split("\n")
    .filter((name) => name !== "")
}

/** The processes of this machine, in containers or not, whose command line holds a text. */
export function processesWith(text: string): string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && procFile(name, "cmdline").includes(text))
}

export interface Insider {
  pid: string
  /** Of the place whose container it is in. */
  number: string
}

/** The processes in containers whose places are, or were, in a folder: whatever they are called, they are shown their place. */
export function processesIn(places: string): Insider[] {
  // Of a path, the kernel shows what is below the file system that it is in.
  const end = places.split("/").slice(-3).join("/")
  return readdirSync("/proc").flatMap((pid) => {
    const shown = /^\d+$/.test(pid)
      ? /\/([\w./-]+)\/\d+\.(\d+) \/run\/mcp-exec /.exec(procFile(pid, "mountinfo"))
      : null
    const [, folder = "", number = ""] = shown ?? []
    return folder.endsWith(end) ? [{ pid, number }] : []
  })
}

/** A file of a process; empty when it has ended. */
export function procFile(pid: string | number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8")
  } catch {
    return ""
  }
}

/** The fields of a process' status, such as `Uid` or `CapEff`. */
export function statusOf(pid: string | number): Record<string, string> {
  const lines = procFile(pid, "status").split("\n")
  return Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2)))
}

export const namespaces = ["cgroup", "ipc", "mnt", "net", "pid", "uts"] as const

/** What tells the namespaces of a process from those of others. */
export function namespacesOf(pid: string | number): string[] {
  return namespaces.map((name) => readlinkSync(`/proc/${pid}/ns/${name}`))
}

export interface Peaks {
  processes: number
  /** Of all together. */
  residentBytes: number
  /** Of those that lived longest, in seconds. */
  cpu: number
}

/** Looks at processes again and again, and gives the most that it has seen. */
export function watchProcesses(find: () => string[]): { stop(): Peaks } {
  const peaks: Peaks = { processes: 0, residentBytes: 0, cpu: 0 }
  const timer = setInterval(() => {
    const pids = find()
    peaks.processes = Math.max(peaks.processes, pids.length)
    peaks.residentBytes = Math.max(peaks.residentBytes, sum(pids.map(residentBytesOf)))
    peaks.cpu = Math.max(peaks.cpu, sum(pids.map(cpuOf)))
  }, 30)
  return {
    stop() {
      clearInterval(timer)
      return peaks
    },
  }
}

export function residentBytesOf(pid: string | number): number {
  return Number.parseInt(statusOf(pid).VmRSS ?? "0", 10) * 1024
}

/** Processor time so far, in seconds; the kernel counts in hundredths. */
function cpuOf(pid: string): number {
  const fields = procFile(pid, "stat")
    .replace(/^.*\) /s, "")
    .split(" ")
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** Everything in a folder by its name, with what changes when it is written to. */
export function snapshot(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => !name.startsWith(".cache"))
  return Object.fromEntries(
    names.sort().map((name) => {
      const { size, mtimeMs, ino, mode } = statSync(join(folder, name))
      return [name, [size, mtimeMs, ino, mode].join()]
    }),
  )
}
