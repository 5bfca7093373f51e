// npm run bench [-- job …]: every performance claim of the project, as a ratio against a floor that
// is measured in the same run. Prints one line per figure and whether the goal is met.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { coldCall } from "./jobs/cold-call.ts"
import { discovery } from "./jobs/discovery.ts"
import { hello } from "./jobs/hello.ts"
import { liveGenerate } from "./jobs/live-generate.ts"
import { readBack } from "./jobs/read-back.ts"
import { sandbox } from "./jobs/sandbox.ts"
import { serve } from "./jobs/serve.ts"
import { skills } from "./jobs/skills.ts"
import { throughput } from "./jobs/throughput.ts"
import { warm } from "./jobs/warm.ts"

export interface Workplace {
  /** An empty folder. */
  directory: string
  repository: string
  /** The compiled program. */
  program: string
  bun: string
}

export interface Figure {
  name: string
  value: string
  goal: string
  met: boolean
}

const jobs = {
  hello,
  "cold-call": coldCall,
  throughput,
  "live-generate": liveGenerate,
  skills,
  "read-back": readBack,
  sandbox,
  discovery,
  warm,
  serve,
}
const repository = join(import.meta.dir, "..")
const program = join(repository, "dist/mcp-exec")
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
let missed = 0
for (const [name, job] of Object.entries(jobs)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const directory = mkdtempSync(join(tmpdir(), `mcp-exec-bench-${name}-`))
  try {
    console.log(`\n${name}`)
    for (const figure of await job({
      directory,
      repository,
      program,
      bun: join(repository, "node_modules/.bin/bun"),
    })) {
      missed += figure.met ? 0 : 1
      console.log(
        `  ${figure.met ? "met   " : "MISSED"}  ${figure.name.padEnd(58)} ${figure.value}   goal ${figure.goal}`,
      )
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
process.exit(missed === 0 ? 0 : 1)
