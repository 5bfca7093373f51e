// 50 MB on their way into a script. What is ours is measured with a server that is part of the program, and costs
// nothing itself: a text goes to the builtin echo and back, against as many bytes there and back through a bare unix
// socket. Both have then come in pieces, which the floor leaves alone and the engine joins when the script first reads
// the text; that is told, too. Behind a server's pipe, a result has cost several times as much before it is ours: there
// the floor is the least that a client of that server can do to have the text in one piece.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Figure, Workplace } from "../job.ts"
import { type Contestant, racePrinted, run, type Timing } from "../measure.ts"

const bytes = 50_000_000
const socketGoal = 2
const clientGoal = 1.75
const rounds = 5

/** One long line goes through JSON quickly; in a text of lines, every line has something to escape. */
const kinds = { plain: "a text without line breaks", lines: "a text of short lines" }

const readScript = `
import { callTool } from "mcp-exec"
const read = (kind) => callTool("text", "read_text", { kind })
await read("short")
const startedAt = performance.now()
const text = await read(process.argv[2])
text.charCodeAt(1)
const took = performance.now() - startedAt
if (text.length !== ${bytes}) throw new Error("something is missing")
console.log(took)
`

const echoScript = `
import { callTool } from "mcp-exec"
const part = process.argv[2] === "plain" ? "x" : "2026-01-01T12:00:00Z GET /api/things/4711?page=2 200 12 ms\\n"
const given = part.repeat(Math.ceil(${bytes} / part.length)).slice(0, ${bytes})
const echo = (text) => callTool("echo", "echo", { text })
await echo("short")
given.charCodeAt(1)
const startedAt = performance.now()
const { text } = await echo(given)
if (process.argv[3] === "reads") text.charCodeAt(1)
const took = performance.now() - startedAt
if (text !== given) throw new Error("something is missing")
console.log(took)
`

export async function largeResult({ directory, program, bun, show }: Workplace): Promise<Figure[]> {
  const text = { command: bun, args: [join(import.meta.dir, "text-server.ts"), String(bytes)] }
  const echo = { type: "builtin", name: "echo" }
  const config = { mcpServers: { text, echo }, daemon: true, warm: ["text"] }
  writeFileSync(join(directory, "mcp_config.json"), JSON.stringify(config))
  writeFileSync(join(directory, "read.js"), readScript)
  writeFileSync(join(directory, "echo.js"), echoScript)
  // A receipt is only left for a file that has not just changed.
  await Bun.sleep(500)
  run([program, "daemon", "start"], directory)
  const file = (name: string) => join(import.meta.dir, name)
  const floor = (kind: string) => [bun, file("copy-floor.ts"), join(directory, "floor"), String(bytes), kind]
  const ours = (script: string, kind: string): Contestant[] => [
    { name: "`mcp-exec exec`, daemon", command: [program, "exec", script, kind] },
    { name: "`mcp-exec exec --no-daemon`", command: [program, "exec", "--no-daemon", script, kind] },
  ]
  const figures: Figure[] = []
  try {
    for (const [kind, described] of Object.entries(kinds)) {
      const rows = await racePrinted(
        [
          { name: "bare unix socket, there and back", command: floor("back") },
          ...ours("echo.js", kind),
          { name: "`mcp-exec exec`, daemon, and reads it", command: [program, "exec", "echo.js", kind, "reads"] },
        ],
        rounds,
        directory,
      )
      show({ title: `50 MB to the builtin echo and back: ${described}`, rows })
      const [bare, exec, , reads] = rows
      figures.push({
        name: `50 MB to the builtin echo and back: ${described}`,
        ...judge(
          exec,
          bare,
          socketGoal,
          "a bare unix socket, there and back",
          `; ${inMs(reads)} when it has been read`,
        ),
      })
    }
    for (const [kind, described] of Object.entries(kinds)) {
      const rows = await racePrinted(
        [
          { name: "bare unix socket", command: floor("bytes") },
          { name: "bare unix socket, made JSON and parsed", command: floor("json") },
          { name: "raw client of the same server", command: [bun, file("text-client.ts"), kind, ...text.args] },
          ...ours("read.js", kind),
        ],
        rounds,
        directory,
      )
      show({ title: `A result of 50 MB from a stdio server into a script: ${described}`, rows })
      const [bare, , client, exec] = rows
      const aside = `; through a bare unix socket ${inMs(bare)}, of which this client has ${client?.ratio.toFixed(1)}×`
      figures.push({
        name: `a result of 50 MB from a stdio server into a script: ${described}`,
        ...judge(exec, client, clientGoal, "a raw client of the same server", aside),
      })
    }
  } finally {
    run([program, "daemon", "stop"], directory)
  }
  return figures
}

function judge(ours: Timing | undefined, floor: Timing | undefined, goal: number, floorName: string, aside: string) {
  const ratio = (ours?.medianMs ?? Number.NaN) / (floor?.medianMs ?? Number.NaN)
  return {
    value: `${ratio.toFixed(1)}× of ${floorName} (${inMs(ours)} : ${inMs(floor)}${aside})`,
    goal: `≤ ${goal}×`,
    met: ratio <= goal,
  }
}

function inMs(timing: Timing | undefined): string {
  return `${timing?.medianMs.toFixed(0)} ms`
}
