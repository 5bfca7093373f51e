// One tool call with everything warm: a daemon holds the server, an ordinary npm package on Node. The
// floor is a client that sends one line to a socket and prints the answer; behind that is the same server.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { race } from "../measure.ts"
import type { Figure, Workplace } from "../run.ts"

const rounds = 100
const goals: Record<string, number> = { "mcp-exec call": 2.0, "mcp-exec exec": 2.5 }
const idleGoalMb = 70

export async function warm({ directory, repository, program, bun }: Workplace): Promise<Figure[]> {
  const workspace = join(directory, "workspace")
  mkdirSync(workspace)
  const file = join(workspace, "a.txt")
  writeFileSync(file, "hello")
  const server = join(repository, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js")
  writeFileSync(
    join(directory, "mcp_config.json"),
    JSON.stringify({
      mcpServers: { files: { command: "node", args: [server, workspace] } },
      daemon: true,
      warm: ["files"],
    }),
  )
  writeFileSync(
    join(directory, "call.ts"),
    `import { callTool } from "mcp-exec"\nconsole.log(await callTool("files", "read_text_file", { path: ${JSON.stringify(file)} }))\n`,
  )
  writeFileSync(
    join(directory, "hundred.ts"),
    `import { callTool } from "mcp-exec"
const call = () => callTool("files", "read_text_file", { path: ${JSON.stringify(file)} })
await call()
const startedAt = performance.now()
for (let index = 0; index < 100; index++) await call()
console.log((performance.now() - startedAt) / 100)\n`,
  )
  writeFileSync(
    join(directory, "soak.ts"),
    `import { callTool } from "mcp-exec"
const call = () => callTool("files", "read_text_file", { path: ${JSON.stringify(file)} })
for (let round = 0; round < 100; round++) await Promise.all(Array.from({ length: 50 }, call))\n`,
  )
  const address = join(directory, "floor.sock")
  const floor = Bun.spawn([bun, join(import.meta.dir, "warm-floor.ts"), address, server, workspace])
  try {
    // Receipts are only left for files that have not just changed.
    await Bun.sleep(1500)
    run([program, "daemon", "start"], directory)
    await Bun.sleep(1000)
    const timings = await race(
      [
        { name: "raw client", command: [bun, join(import.meta.dir, "warm-client.ts"), address, file] },
        { name: "mcp-exec call", command: [program, "call", "files.read_text_file", `path=${file}`] },
        { name: "mcp-exec exec", command: [program, "exec", "call.ts"] },
      ],
      rounds,
      directory,
    )
    const each = Number(run([program, "exec", "hundred.ts"], directory))
    const rested = async () => {
      // It gives memory back when it has been idle for a second.
      await Bun.sleep(2500)
      const { daemon } = JSON.parse(run([program, "daemon", "status", "--json"], directory))
      return { megabytes: daemon.rssBytes / 2 ** 20, files: readdirSync(`/proc/${daemon.pid}/fd`).length }
    }
    const before = await rested()
    for (let round = 0; round < 2; round++) run([program, "exec", "soak.ts"], directory)
    const after = await rested()
    const growth = (after.megabytes / before.megabytes - 1) * 100
    return [
      ...timings.slice(1).map(({ name, medianMs, ratio }) => ({
        name: `${name}, one call, warm`,
        value: `${ratio.toFixed(2)}× of a raw client (${medianMs.toFixed(1)} ms : ${timings[0]?.medianMs.toFixed(1)} ms)`,
        goal: `≤ ${goals[name]?.toFixed(1)}×`,
        met: ratio <= (goals[name] ?? 0),
      })),
      {
        name: "100 calls one after the other in one script",
        value: `${each.toFixed(2)} ms each`,
        goal: "≤ 1 ms",
        met: each <= 1,
      },
      {
        name: "the idle daemon's memory",
        value: `${after.megabytes.toFixed(0)} MB`,
        goal: `≤ ${idleGoalMb} MB`,
        met: after.megabytes <= idleGoalMb,
      },
      {
        name: "what 10,000 calls add to it, and to its open files",
        value: `${growth.toFixed(1)} %, ${after.files - before.files} files`,
        goal: "≤ 10 %, 0 files",
        met: growth <= 10 && after.files <= before.files,
      },
    ]
  } finally {
    run([program, "daemon", "stop"], directory)
    floor.kill()
  }
}

function run(command: string[], cwd: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, stdin: "ignore" })
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed with ${exitCode}: ${stderr}`)
  return stdout.toString()
}
