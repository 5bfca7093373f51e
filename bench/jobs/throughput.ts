// Calls from one script to a builtin server, 100 in flight. The floor is the same traffic over a bare unix
// socket, with nobody in between who thinks. A thousand calls are over before anything is compiled; ten
// thousand show what comes after.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { count } from "../catalog.ts"
import type { Figure, Workplace } from "../job.ts"
import { racePrinted, run } from "../measure.ts"

const goals = [
  { calls: 1_000, goal: 30_000, way: "daemon" },
  { calls: 10_000, goal: 20_000, way: "no daemon" },
] as const
const rounds = 9

const script = `
import { callTool } from "mcp-exec"
const total = Number(process.argv[2])
let next = 0
await callTool("echo", "echo", {})
const startedAt = performance.now()
await Promise.all(Array.from({ length: 100 }, async () => {
  while (next < total) {
    const n = next++
    const answer = await callTool<{ n: number }>("echo", "echo", { n })
    if (answer.n !== n) throw new Error("wrong answer")
  }
}))
console.log(performance.now() - startedAt)
`

export async function throughput({ directory, program, bun, show }: Workplace): Promise<Figure[]> {
  const config = { mcpServers: { echo: { type: "builtin", name: "echo" } }, daemon: true }
  writeFileSync(join(directory, "mcp_config.json"), JSON.stringify(config))
  writeFileSync(join(directory, "calls.ts"), script)
  // A receipt is only left for a file that has not just changed.
  await Bun.sleep(500)
  run([program, "daemon", "start"], directory)
  const figures: Figure[] = []
  try {
    for (const { calls, goal, way } of goals) {
      const total = String(calls)
      const floorFile = join(import.meta.dir, "socket-floor.ts")
      const rows = await racePrinted(
        [
          { name: "bare socket", command: [bun, floorFile, join(directory, "floor"), total] },
          { name: "`mcp-exec exec`, daemon", command: [program, "exec", "calls.ts", total] },
          { name: "`mcp-exec exec --no-daemon`", command: [program, "exec", "--no-daemon", "calls.ts", total] },
        ],
        rounds,
        directory,
      )
      show({ title: `${count(calls)} calls to builtin echo, 100 in flight`, rows })
      const [floor, kept, own] = rows.map(({ medianMs }) => calls / (medianMs / 1000)) as [number, number, number]
      const ours = way === "daemon" ? kept : own
      figures.push({
        name: `${count(calls)} calls to builtin echo, 100 in flight, ${way}`,
        value: `${perSecond(ours)}, ${(ours / floor).toFixed(2)}× of a bare socket (${perSecond(floor)})`,
        goal: `≥ ${perSecond(goal)}`,
        met: ours >= goal,
      })
    }
  } finally {
    run([program, "daemon", "stop"], directory)
  }
  return figures
}

function perSecond(value: number): string {
  return `${count(Math.round(value))}/s`
}
