// What was measured with, and on what: for whoever compares numbers. Neither host names nor paths.
import { readFileSync } from "node:fs"
import { cpus, loadavg, release, type as systemType, totalmem } from "node:os"
import { join } from "node:path"
import { run } from "./measure.ts"
import type { Peers } from "./peers/peers.ts"

/** One line per fact. */
export function describeMachine(): string[] {
  const [cpu] = cpus()
  const load = loadavg()[0] ?? 0
  const busy = load > cpus().length / 4 ? ": something else was running, so trust the ratios only" : ""
  return [
    `${cpus().length} cores (${cpu?.model.trim() || process.arch}), ${(totalmem() / 2 ** 30).toFixed(0)} GB`,
    `${systemName()}, ${systemType()} ${release()}`,
    `load when it began: ${load.toFixed(2)}${busy}`,
  ]
}

/** Name and version of each program and package that took part. */
export function describeVersions(repository: string, tools: Record<string, string>, { installed }: Peers): string[] {
  const own = Object.entries(tools).map(([name, program]) => {
    return `${name} ${run([program, "--version"], repository).trim().replace(/^v/, "").split(/\s/).at(-1)}`
  })
  const packages = ["@modelcontextprotocol/client", "@modelcontextprotocol/server-filesystem"].map((name) => {
    const file = join(repository, "node_modules", name, "package.json")
    return `${name} ${JSON.parse(readFileSync(file, "utf8")).version}`
  })
  return [...own, ...packages, ...installed.flatMap(({ versions }) => versions)]
}

function systemName(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? process.platform
  } catch {
    return process.platform // only Linux has that file
  }
}
