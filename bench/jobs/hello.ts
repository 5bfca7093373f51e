// The price of a process of its own, a broker and a clean environment: a script that does nothing.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { race } from "../measure.ts"
import type { Figure, Workplace } from "../run.ts"

const goal = 2.0

export async function hello({ directory, program, bun }: Workplace): Promise<Figure[]> {
  writeFileSync(join(directory, "hello.ts"), 'console.log("hello")\n')
  const settings = {
    mcpServers: { files: { type: "builtin", name: "filesystem" }, web: { url: "https://example.com" } },
  }
  writeFileSync(join(directory, "other.json"), JSON.stringify(settings))
  const timings = await race(
    [
      { name: "bun hello.ts", command: [bun, "hello.ts"] },
      { name: "mcp-exec exec hello.ts", command: [program, "exec", "hello.ts"] },
      {
        name: "mcp-exec exec hello.ts, with a configuration",
        command: [program, "exec", "--config", "other.json", "hello.ts"],
      },
    ],
    200,
    directory,
  )
  return timings.slice(1).map(({ name, medianMs, ratio }) => ({
    name,
    value: `${ratio.toFixed(2)}× of bun hello.ts (${medianMs.toFixed(1)} ms : ${timings[0]?.medianMs.toFixed(1)} ms)`,
    goal: `≤ ${goal.toFixed(1)}×`,
    met: ratio <= goal,
  }))
}
