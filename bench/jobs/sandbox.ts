// The price of the sandbox: a fresh container for a script that does nothing, started for it or ahead,
// against the same container started by hand, with the same flags; and a tool call out of it, against a
// direct one. Without a daemon, which would have containers wait for all of them.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { containerFlags } from "../../src/harness/container/flags.ts"
import { seccompProfile } from "../../src/harness/container/seccomp.ts"
import type { Figure, Workplace } from "../job.ts"
import { median, race } from "../measure.ts"

const coldGoal = 1.25
const warmGoal = 0.15
const warmRounds = 15
const callGoal = 2
const calls = 2000

export async function sandbox({ directory, program }: Workplace): Promise<Figure[]> {
  process.env.MCP_EXEC_CACHE_DIR = join(directory, "cache")
  const config = { mcpServers: { echo: { type: "builtin", name: "echo" } } }
  writeFileSync(join(directory, "mcp_config.json"), JSON.stringify(config))
  writeFileSync(join(directory, "hello.ts"), 'console.log("hello")\n')
  const status = Bun.spawnSync([program, "sandbox", "status", "--json"], { cwd: directory })
  if (status.exitCode !== 0) {
    console.log("  SKIPPED: there is no container engine that enforces everything")
    return []
  }
  const { engine, image } = JSON.parse(status.stdout.toString())
  const bare = bareRun(engine, image, directory)
  return [
    await coldHello(engine, bare, directory, program),
    await warmHello(engine, bare, directory, program),
    await toolCall(directory, program),
  ]
}

interface Engine {
  name: "podman" | "docker"
  path: string
  extraFlags: string[]
}

/** By hand: in the foreground, without a name, and with nothing of ours but the script's own process. */
function bareRun(engine: Engine, image: string, directory: string): string[] {
  const seccompFile = join(directory, "seccomp.json")
  writeFileSync(seccompFile, JSON.stringify(seccompProfile(process.arch === "arm64" ? "arm64" : "x64")))
  const shown = join(directory, "shown")
  mkdirSync(shown)
  writeFileSync(join(shown, "hello.ts"), 'console.log("hello")\n')
  const flags = containerFlags({
    engine,
    extraFlags: engine.extraFlags,
    user: "65534:65534",
    name: "",
    labels: {},
    image,
    program: "/bin/mcp-exec",
    seccompFile,
    limits: { memoryBytes: 512 << 20, cpus: 1, pids: 128, timeoutMs: 30_000 },
    mounts: [{ source: shown, target: "/shown", mode: "ro" }],
    scratches: ["/workspace", "/project"],
    address: "",
  })
  const bare = flags.filter((flag) => !["--detach", "--name", "", "__box"].includes(flag))
  return [engine.path, ...bare, "__run", "/shown/hello.ts"]
}

async function coldHello(engine: Engine, bare: string[], directory: string, program: string): Promise<Figure> {
  const [floor, ours] = await race(
    [
      { name: `${engine.name} run`, command: bare },
      { name: "mcp-exec exec --sandbox", command: [program, "exec", "--no-daemon", "--sandbox", "hello.ts"] },
    ],
    25,
    directory,
  )
  const ratio = ours?.ratio ?? Number.NaN
  return {
    name: "mcp-exec exec --sandbox hello.ts, cold",
    value: `${ratio.toFixed(2)}× of ${engine.name} run (${ours?.medianMs.toFixed(0)} ms : ${floor?.medianMs.toFixed(0)} ms)`,
    goal: `≤ ${coldGoal}×`,
    met: ratio <= coldGoal,
  }
}

/** Each run finds a container that waits; putting the next in its place is not part of what it takes. */
async function warmHello(engine: Engine, bare: string[], directory: string, program: string): Promise<Figure> {
  const folder = join(directory, "warm")
  mkdirSync(folder)
  writeFileSync(join(folder, "mcp_config.json"), JSON.stringify({ sandbox: { pool: 1 } }))
  // Of every container another folder is mounted. One that is used twice would find what it has left.
  const script = `import { existsSync, readFileSync, writeFileSync } from "node:fs"
if (existsSync("/tmp/used")) throw new Error("this container was used before")
writeFileSync("/tmp/used", "")
console.log(/\\.(\\d+) \\/run\\/mcp-exec /.exec(readFileSync("/proc/self/mountinfo", "utf8"))?.[1])
`
  writeFileSync(join(folder, "hello.ts"), script)
  const cache = join(directory, "warm-cache")
  const env = { ...process.env, MCP_EXEC_CACHE_DIR: cache, XDG_RUNTIME_DIR: undefined }
  const run = (command: string[]) => {
    const startedAt = performance.now()
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: folder, env, stdin: "ignore", stderr: "pipe" })
    if (exitCode !== 0) throw new Error(`${command[0]} failed with ${exitCode}: ${stderr}`)
    return { elapsed: performance.now() - startedAt, text: stdout.toString().trim() }
  }
  const times = { bare: [] as number[], warm: [] as number[], refill: [] as number[] }
  const containers = new Set<string>()
  for (let round = -1; round < warmRounds; round++) {
    const floor = run(bare).elapsed
    const { elapsed, text } = run([program, "exec", "--sandbox", "hello.ts"])
    const refill = await waitForWarm(join(cache, "run"))
    containers.add(text)
    // The first one finds nothing.
    if (round < 0) continue
    times.bare.push(floor)
    times.warm.push(elapsed)
    times.refill.push(refill)
  }
  run([program, "sandbox", "prune"])
  if (containers.size !== warmRounds + 1) throw new Error("a container was used twice")
  const [floor, warm] = [median(times.bare), median(times.warm)]
  const ratio = warm / floor
  const total = warm + median(times.refill)
  return {
    name: "mcp-exec exec --sandbox hello.ts, warm",
    value: `${ratio.toFixed(2)}× of ${engine.name} run (${warm.toFixed(0)} ms : ${floor.toFixed(0)} ms; ${total.toFixed(0)} ms until the next one waits)`,
    goal: `≤ ${warmGoal}×`,
    met: ratio <= warmGoal,
  }
}

async function waitForWarm(folder: string): Promise<number> {
  const startedAt = performance.now()
  while (!readdirSync(folder).some((name) => /^warm\..+\.\d+$/.test(name))) {
    if (performance.now() - startedAt > 20_000) throw new Error("no container was started ahead")
    await Bun.sleep(5)
  }
  return performance.now() - startedAt
}

async function toolCall(directory: string, program: string): Promise<Figure> {
  writeFileSync(
    join(directory, "calls.ts"),
    `import { callTool } from "mcp-exec"
for (let call = 0; call < 200; call++) await callTool("echo", "echo", { call })
const start = performance.now()
for (let call = 0; call < ${calls}; call++) await callTool("echo", "echo", { call })
console.log((performance.now() - start) / ${calls})
`,
  )
  const times = { direct: [] as number[], sandbox: [] as number[] }
  for (let round = 0; round < 7; round++) {
    for (const mode of ["direct", "sandbox"] as const) {
      const { stdout } = Bun.spawnSync([program, "exec", "--no-daemon", `--${mode}`, "calls.ts"], { cwd: directory })
      times[mode].push(Number(stdout.toString()))
    }
  }
  const [direct, contained] = [median(times.direct), median(times.sandbox)]
  const ratio = contained / direct
  return {
    name: "a tool call from the container",
    value: `${ratio.toFixed(2)}× of a direct one (${(contained * 1000).toFixed(0)} µs : ${(direct * 1000).toFixed(0)} µs)`,
    goal: `≤ ${callGoal}×`,
    met: ratio <= callGoal,
  }
}
