// The price of a process of its own, a broker and a clean environment: a script that does nothing.
// The bare parent shows how much of it is the second process.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Figure, Workplace } from "../job.ts"
import { race } from "../measure.ts"

const goal = 2.0
const rounds = 150

export async function hello({ directory, program, bun, show }: Workplace): Promise<Figure[]> {
  writeFileSync(join(directory, "hello.ts"), 'console.log("hello")\n')
  const settings = {
    mcpServers: { files: { type: "builtin", name: "filesystem" }, web: { url: "https://example.com" } },
  }
  writeFileSync(join(directory, "other.json"), JSON.stringify(settings))
  const bareParent = join(directory, "bare-parent")
  await Bun.build({
    entrypoints: [join(import.meta.dir, "bare-parent.ts")],
    minify: true,
    bytecode: true,
    format: "esm",
    compile: { outfile: bareParent, autoloadBunfig: false, autoloadDotenv: false },
  })
  const prints = "hello"
  const rows = await race(
    [
      { name: "`bun hello.ts`", command: [bun, "hello.ts"], prints },
      { name: "a parent that only starts the same binary again", command: [bareParent, "hello.ts"], prints },
      { name: "`mcp-exec exec hello.ts`", command: [program, "exec", "hello.ts"], prints },
      {
        name: "`mcp-exec exec hello.ts`, with a configuration",
        command: [program, "exec", "--config", "other.json", "hello.ts"],
        prints,
      },
    ],
    rounds,
    directory,
  )
  show({ title: "A script that only prints", rows })
  const [floor, bare, ...ours] = rows
  return ours.map(({ name, medianMs, ratio }) => ({
    name,
    value: `${ratio.toFixed(2)}× of \`bun hello.ts\` (${medianMs.toFixed(1)} ms : ${floor?.medianMs.toFixed(1)} ms; a bare parent has ${bare?.ratio.toFixed(2)}×)`,
    goal: `≤ ${goal.toFixed(1)}×`,
    met: ratio <= goal,
  }))
}
