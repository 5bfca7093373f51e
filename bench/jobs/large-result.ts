// A result of 50 MB on its way into a script. The floor is the same number of bytes through a bare unix
// socket, which nobody reads as JSON and which start in the next process, not behind a server's pipe.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Figure, Workplace } from "../job.ts"
import { racePrinted, run } from "../measure.ts"

const bytes = 50_000_000
const goal = 2
const rounds = 5

/** One long line goes through JSON quickly; in a text of lines, every line has something to escape. */
const kinds = { plain: "a text without line breaks", lines: "a text of short lines" }

const script = `
import { callTool } from "mcp-exec"
const read = (kind) => callTool("text", "read_text", { kind })
await read("short")
const startedAt = performance.now()
const text = await read(process.argv[2])
const took = performance.now() - startedAt
if (text.length !== ${bytes}) throw new Error("something is missing")
console.log(took)
`

export async function largeResult({ directory, program, bun, show }: Workplace): Promise<Figure[]> {
  const text = { command: bun, args: [join(import.meta.dir, "text-server.ts"), String(bytes)] }
  const config = { mcpServers: { text }, daemon: true, warm: ["text"] }
  writeFileSync(join(directory, "mcp_config.json"), JSON.stringify(config))
  writeFileSync(join(directory, "read.js"), script)
  // A receipt is only left for a file that has not just changed.
  await Bun.sleep(500)
  run([program, "daemon", "start"], directory)
  const file = (name: string) => join(import.meta.dir, name)
  const floor = [bun, file("copy-floor.ts"), join(directory, "floor"), String(bytes)]
  const figures: Figure[] = []
  try {
    for (const [kind, described] of Object.entries(kinds)) {
      const rows = await racePrinted(
        [
          { name: "bare unix socket", command: [...floor, "bytes"] },
          { name: "bare unix socket, made JSON and parsed", command: [...floor, "json"] },
          { name: "raw client of the same server", command: [bun, file("text-client.ts"), kind, ...text.args] },
          { name: "`mcp-exec exec`, daemon", command: [program, "exec", "read.js", kind] },
          { name: "`mcp-exec exec --no-daemon`", command: [program, "exec", "--no-daemon", "read.js", kind] },
        ],
        rounds,
        directory,
      )
      show({ title: `A result of 50 MB into a script: ${described}`, rows })
      const [bare, json, raw, ours] = rows
      const ratio = ours?.ratio ?? Number.NaN
      figures.push({
        name: `a result of 50 MB into a script: ${described}`,
        value: `${ratio.toFixed(1)}× of a bare unix socket (${ours?.medianMs.toFixed(0)} ms : ${bare?.medianMs.toFixed(0)} ms; as JSON the socket has ${json?.ratio.toFixed(1)}×, a raw client of the same server ${raw?.ratio.toFixed(1)}×)`,
        goal: `≤ ${goal}×`,
        met: ratio <= goal,
      })
    }
  } finally {
    run([program, "daemon", "stop"], directory)
  }
  return figures
}
