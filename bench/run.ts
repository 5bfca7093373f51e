// npm run bench [-- job …]: every performance claim of the project, as a ratio against a floor that
// is measured in the same run. Prints one line per figure and whether the goal is met. A run of all jobs
// writes RESULTS.md. Jobs that need captured data are skipped unless CAPTURES names a directory of it.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Figure, Job, Table, Workplace } from "./job.ts"
import { coldCall } from "./jobs/cold-call.ts"
import { discovery } from "./jobs/discovery.ts"
import { generate } from "./jobs/generate.ts"
import { growth } from "./jobs/growth.ts"
import { hello } from "./jobs/hello.ts"
import { largeResult } from "./jobs/large-result.ts"
import { liveGenerate } from "./jobs/live-generate.ts"
import { memory } from "./jobs/memory.ts"
import { readBack } from "./jobs/read-back.ts"
import { sandbox } from "./jobs/sandbox.ts"
import { serve } from "./jobs/serve.ts"
import { skills } from "./jobs/skills.ts"
import { throughput } from "./jobs/throughput.ts"
import { warm } from "./jobs/warm.ts"
import { describeMachine, describeVersions } from "./machine.ts"
import { installPeers, type Peers } from "./peers/peers.ts"
import { printResults, printTable } from "./results.ts"

const jobs: Record<string, Job> = {
  hello,
  warm,
  "cold-call": coldCall,
  throughput,
  "large-result": largeResult,
  "read-back": readBack,
  generate,
  memory,
  growth,
  "live-generate": liveGenerate,
  skills,
  serve,
  sandbox,
  discovery,
}

const repository = join(import.meta.dir, "..")
const program = join(repository, "dist/mcp-exec")
const bun = join(repository, "node_modules/.bin/bun")
const node = join(repository, "node_modules/.bin/node")
if (!(await Bun.file(program).exists())) {
  console.error("dist/mcp-exec is missing: npm run build")
  process.exit(2)
}
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in jobs))
if (unknown.length > 0) {
  console.error(`no such job: ${unknown.join(", ")}; there are ${Object.keys(jobs).join(", ")}`)
  process.exit(2)
}
const captures = process.env.CAPTURES
if (captures !== undefined) {
  // Jobs run in folders of their own.
  process.env.CAPTURES = resolve(captures)
  if (!existsSync(captures)) {
    console.error(`CAPTURES names a directory that is not there: ${captures}`)
    process.exit(2)
  }
}

const machine = describeMachine()
const tables: Table[] = []
const figures: Record<string, Figure[]> = {}
const peersFolder = mkdtempSync(join(tmpdir(), "bench-peers-"))
let installing: Promise<Peers> | undefined
const peers = () => {
  installing ??= installPeers(peersFolder)
  return installing
}
try {
  for (const [name, job] of Object.entries(jobs)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    figures[name] = await runJob(name, job)
  }
  if (wanted.length === 0) await writeResults()
} finally {
  rmSync(peersFolder, { recursive: true, force: true })
}
process.exit(Object.values(figures).flat().some(isMissed) ? 1 : 0)

async function runJob(name: string, job: Job): Promise<Figure[]> {
  console.log(`\n${name}`)
  // A cache in a folder whose name begins with ours is taken for the one in a shared /tmp, and checked each time.
  const directory = mkdtempSync(join(tmpdir(), `bench-${name}-`))
  process.env.MCP_EXEC_CACHE_DIR = join(directory, "cache")
  const show: Workplace["show"] = (table) => {
    tables.push(table)
    console.log(printTable(table))
  }
  const picture = join(wanted.length === 0 ? import.meta.dir : directory, "growth.svg")
  try {
    const found = await job({ directory, repository, program, bun, node, peers, picture, show })
    const told = found.length > 0 ? found : [{ name, goal: "", skipped: "it could not be measured here" }]
    for (const figure of told) console.log(`  ${describeFigure(figure)}`)
    return told
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function describeFigure(figure: Figure): string {
  const name = figure.name.padEnd(58)
  if ("skipped" in figure) return `SKIPPED  ${name} ${figure.skipped}   goal ${figure.goal}`
  return `${figure.met ? "met    " : "MISSED "}  ${name} ${figure.value}   goal ${figure.goal}`
}

function isMissed(figure: Figure): boolean {
  return "met" in figure && !figure.met
}

async function writeResults(): Promise<void> {
  const { missing, ...rest } = await peers()
  const versions = describeVersions(repository, { "mcp-exec": program, Bun: bun, Node: node }, { missing, ...rest })
  const command = `${captures === undefined ? "" : "CAPTURES=DIR "}npm run bench`
  const date = new Date().toISOString().slice(0, 10)
  const text = printResults({ command, date, machine, versions, figures, tables, missing })
  writeFileSync(join(import.meta.dir, "RESULTS.md"), text)
  console.log("\nbench/RESULTS.md and bench/growth.svg are written.")
}
