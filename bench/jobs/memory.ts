// Resident memory, as the kernel counts it: of the process that runs a script while the script does, and of a
// daemon that has nothing to do. Linux only: elsewhere there is no /proc.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Figure, Workplace } from "../job.ts"
import { median, run } from "../measure.ts"
import { setTask } from "./file-task.ts"

const parentGoalMb = 40
// Whoever holds the connections, for one run or for all.
const brokerGoalMb = 70
const growthGoal = 10
const rounds = 5

export async function memory(workplace: Workplace): Promise<Figure[]> {
  const { directory, program } = workplace
  const names = {
    kept: "memory of `exec` while its script runs, daemon",
    own: "memory of `exec --no-daemon`, parent and broker in one, while its script runs",
    idle: "memory of the idle daemon",
    growth: "what 10,000 calls add to the daemon, and to its open files",
  }
  const goals = {
    kept: `≤ ${parentGoalMb} MB`,
    own: `≤ ${brokerGoalMb} MB`,
    idle: `≤ ${brokerGoalMb} MB`,
    growth: `≤ ${growthGoal} %, 0 files`,
  }
  const keys = ["kept", "own", "idle", "growth"] as const
  if (!existsSync("/proc/self/status")) {
    return keys.map((key) => ({ name: names[key], goal: goals[key], skipped: "there is no /proc here" }))
  }
  setTask(workplace, { daemon: true, warm: ["files"] })
  writeFileSync(
    join(directory, "wait.ts"),
    `import { callTool } from "mcp-exec"
await callTool("files", "list_allowed_directories", {})
console.log("called")
await Bun.sleep(60_000)
`,
  )
  // A receipt is only left for a file that has not just changed.
  await Bun.sleep(500)
  run([program, "daemon", "start"], directory)
  try {
    const kept = await parentMegabytes([program, "exec", "wait.ts"], directory)
    const own = await parentMegabytes([program, "exec", "--no-daemon", "wait.ts"], directory)
    const soak = () => run([program, "exec", "soak.ts"], directory)
    // What the first calls add is compiled code, and is added once.
    soak()
    const before = await restedDaemon(program, directory)
    for (let round = 0; round < 2; round++) soak()
    const after = await restedDaemon(program, directory)
    const growth = (after.megabytes / before.megabytes - 1) * 100
    return [
      { name: names.kept, value: shown(kept), goal: goals.kept, met: kept.megabytes <= parentGoalMb },
      { name: names.own, value: shown(own), goal: goals.own, met: own.megabytes <= brokerGoalMb },
      { name: names.idle, value: shown(after), goal: goals.idle, met: after.megabytes <= brokerGoalMb },
      {
        name: names.growth,
        value: `${growth.toFixed(1)} %, ${after.files - before.files} files`,
        goal: goals.growth,
        met: growth <= growthGoal && after.files <= before.files,
      },
    ]
  } finally {
    run([program, "daemon", "stop"], directory)
  }
}

interface Memory {
  megabytes: number
  /** Without the pages of the program file, which every process of it shares. */
  ownMegabytes: number
}

function shown({ megabytes, ownMegabytes }: Memory): string {
  return `${megabytes.toFixed(0)} MB, ${ownMegabytes.toFixed(0)} MB of it without the program's file`
}

/** A second after the script's first call has returned. */
async function parentMegabytes(command: string[], cwd: string): Promise<Memory> {
  const samples: Memory[] = []
  for (let round = 0; round < rounds; round++) {
    const parent = Bun.spawn(command, { cwd, stdin: "ignore", stdout: "pipe", stderr: "inherit" })
    await parent.stdout.getReader().read()
    await Bun.sleep(1000)
    samples.push(memoryOf(parent.pid))
    parent.kill()
    await parent.exited
  }
  return {
    megabytes: median(samples.map(({ megabytes }) => megabytes)),
    ownMegabytes: median(samples.map(({ ownMegabytes }) => ownMegabytes)),
  }
}

/** It gives memory back when it has been idle for a second. */
async function restedDaemon(program: string, cwd: string): Promise<Memory & { files: number }> {
  await Bun.sleep(2500)
  const { daemon } = JSON.parse(run([program, "daemon", "status", "--json"], cwd))
  return { ...memoryOf(daemon.pid), files: readdirSync(`/proc/${daemon.pid}/fd`).length }
}

function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024
  return { megabytes: megabytes("VmRSS"), ownMegabytes: megabytes("RssAnon") }
}
