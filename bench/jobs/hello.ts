// A script that does nothing but print. It runs in the program's own process; beside it one that looks at its environment,
// and so has another process, a broker and a clean environment. The bare parent shows how much of that is the process.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Figure, Workplace } from "../job.ts"
import { race, type Timing } from "../measure.ts"

const goal = 2.0
const rounds = 150

export async function hello({ directory, program, bun, show }: Workplace): Promise<Figure[]> {
  const bareParent = join(directory, "bare-parent")
  await Bun.build({
    entrypoints: [join(import.meta.dir, "bare-parent.ts")],
    minify: true,
    bytecode: true,
    format: "esm",
    compile: { outfile: bareParent, autoloadBunfig: false, autoloadDotenv: false },
  })
  const servers = { files: { type: "builtin", name: "filesystem" }, web: { url: "https://example.com" } }
  const places = [
    { title: "A script that only prints", folder: directory, name: "`mcp-exec exec hello.ts`" },
    {
      title: "The same in a folder with a configuration",
      folder: join(directory, "configured"),
      name: "`mcp-exec exec hello.ts`, with a configuration",
    },
  ]
  mkdirSync(join(directory, "configured"))
  writeFileSync(join(directory, "configured", "mcp_config.json"), JSON.stringify({ mcpServers: servers }))
  const prints = "hello"
  const figures: Figure[] = []
  for (const { title, folder, name } of places) {
    writeFileSync(join(folder, "hello.ts"), 'console.log("hello")\n')
    writeFileSync(join(folder, "environment.ts"), 'console.log(process.env.HOME === "" ? "" : "hello")\n')
    const rows = await race(
      [
        { name: "`bun hello.ts`", command: [bun, "hello.ts"], prints },
        { name, command: [program, "exec", "hello.ts"], prints },
        { name: "a parent that only starts the same binary again", command: [bareParent, "hello.ts"], prints },
        { name: "`mcp-exec exec environment.ts`", command: [program, "exec", "environment.ts"], prints },
      ],
      rounds,
      folder,
    )
    show({ title, rows })
    const [floor, ours, bare, apart] = rows as [Timing, Timing, Timing, Timing]
    figures.push({
      name,
      value: `${ours.ratio.toFixed(2)}× of \`bun hello.ts\` (${ours.medianMs.toFixed(1)} ms : ${floor.medianMs.toFixed(1)} ms; one with a process of its own has ${apart.ratio.toFixed(2)}×, a bare parent ${bare.ratio.toFixed(2)}×)`,
      goal: `≤ ${goal.toFixed(1)}×`,
      met: ours.ratio <= goal,
    })
  }
  return figures
}
