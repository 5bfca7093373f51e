// The price of the sandbox: a fresh container for a script that does nothing, against the same
// container started by hand, with the same flags; and a tool call out of it, against a direct one.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { containerFlags } from "../../src/harness/container/flags.ts"
import { seccompProfile } from "../../src/harness/container/seccomp.ts"
import { median, race } from "../measure.ts"
import type { Figure, Workplace } from "../run.ts"

const coldGoal = 1.25
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
  return [await coldHello(engine, image, directory, program), await toolCall(directory, program)]
}

interface Engine {
  name: "podman" | "docker"
  path: string
  extraFlags: string[]
}

async function coldHello(engine: Engine, image: string, directory: string, program: string): Promise<Figure> {
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
  // By hand: in the foreground, without a name, and with nothing of ours but the script's own process.
  const bare = flags.filter((flag) => !["--detach", "--name", "", "__box"].includes(flag))
  const [floor, ours] = await race(
    [
      { name: `${engine.name} run`, command: [engine.path, ...bare, "__run", "/shown/hello.ts"] },
      { name: "mcp-exec exec --sandbox", command: [program, "exec", "--sandbox", "hello.ts"] },
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
      const { stdout } = Bun.spawnSync([program, "exec", `--${mode}`, "calls.ts"], { cwd: directory })
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
