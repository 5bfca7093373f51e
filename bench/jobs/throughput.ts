// 10,000 calls from one script to a builtin server, 100 in flight. The floor is the same traffic
// over a bare unix socket, with nobody in between who thinks.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { median } from "../measure.ts"
import type { Figure, Workplace } from "../run.ts"

const goal = 20_000
const rounds = 5

const script = `
import { callTool } from "mcp-exec"
const total = 10_000
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
console.log(total / ((performance.now() - startedAt) / 1000))
`

export async function throughput({ directory, program, bun }: Workplace): Promise<Figure[]> {
  writeFileSync(join(directory, "mcp_config.json"), '{"mcpServers":{"echo":{"type":"builtin","name":"echo"}}}')
  writeFileSync(join(directory, "calls.ts"), script)
  const rates = { floor: [] as number[], ours: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    rates.floor.push(
      await rate([bun, join(import.meta.dir, "socket-floor.ts"), join(directory, `floor-${round}`)], directory),
    )
    rates.ours.push(await rate([program, "exec", "calls.ts"], directory))
  }
  const [floor, ours] = [median(rates.floor), median(rates.ours)]
  const perSecond = (value: number) => `${Math.round(value).toLocaleString("en-US")}/s`
  return [
    {
      name: "10,000 calls to a builtin server, 100 in flight",
      value: `${perSecond(ours)}, ${(ours / floor).toFixed(2)}× of a bare socket (${perSecond(floor)})`,
      goal: `≥ ${perSecond(goal)}`,
      met: ours >= goal,
    },
  ]
}

async function rate(command: string[], cwd: string): Promise<number> {
  const child = Bun.spawn(command, { cwd, stdin: "ignore", stdout: "pipe", stderr: "inherit" })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`)
  return Number(text)
}
