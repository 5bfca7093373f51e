// Thirty live servers and one that never answers: `generate` should take as long as the slowest of them
// takes alone, plus the timeout of the one that hangs. Tools are made up, or taken from the captured
// tools/list answers ({ tools } in *.json) in the directory that CAPTURES names.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Tool } from "../../src/catalog.ts"
import { supplyTools } from "../catalog.ts"
import type { Figure, Workplace } from "../job.ts"
import { median } from "../measure.ts"

const goal = 1.5
const serverCount = 30
const timeoutMs = 2000
const rounds = 3
/** How many tools a server has: as real ones, most have few and some have many. */
const sizes = [2, 5, 8, 11, 14, 19, 26, 40, 60, 100]

export async function liveGenerate({ directory, program, bun }: Workplace): Promise<Figure[]> {
  const captures = process.env.CAPTURES ?? makeLists(join(directory, "lists"))
  const files = readdirSync(captures).filter((name) => name.endsWith(".json"))
  const serve = (...args: string[]) => ({ command: bun, args: [join(import.meta.dir, "list-server.ts"), ...args] })
  const healthy = files.slice(0, serverCount).map((name, at) => [`s${at}`, serve(join(captures, name))] as const)
  const hanging = ["hangs", { ...serve(), timeout: timeoutMs }] as const

  const alone: number[] = []
  for (const server of healthy) alone.push(timeGenerate(program, directory, [server], 0))
  const slowestMs = Math.max(...alone)
  const expectedMs = slowestMs + timeoutMs
  const together = timeGenerate(program, directory, healthy, 0)
  const places = { first: [hanging, ...healthy], last: [...healthy, hanging] }
  const figures = Object.entries(places).map(([place, servers]): Figure => {
    const tookMs = timeGenerate(program, directory, servers, 4)
    const ratio = tookMs / expectedMs
    return {
      name: `generate, ${healthy.length} servers and one that hangs, named ${place}`,
      value: `${ratio.toFixed(2)}× of slowest + timeout (${tookMs.toFixed(0)} ms : ${slowestMs.toFixed(0)} + ${timeoutMs} ms)`,
      goal: `≤ ${goal.toFixed(1)}×`,
      met: ratio <= goal,
    }
  })
  console.log(`  ${healthy.length} servers without the one that hangs: ${together.toFixed(0)} ms`)
  return figures
}

/** The median time to generate these servers for the first time. */
function timeGenerate(
  program: string,
  directory: string,
  servers: readonly (readonly [string, unknown])[],
  wantedCode: number,
): number {
  const project = join(directory, "project")
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    rmSync(project, { recursive: true, force: true })
    mkdirSync(project)
    writeFileSync(join(project, "mcp_config.json"), JSON.stringify({ mcpServers: Object.fromEntries(servers) }))
    const startedAt = performance.now()
    const env = { ...process.env, MCP_EXEC_CACHE_DIR: join(directory, "cache") }
    const { exitCode, stdout, stderr } = Bun.spawnSync([program, "generate"], { cwd: project, env, stdin: "ignore" })
    times.push(performance.now() - startedAt)
    if (exitCode !== wantedCode) throw new Error(`generate ended with ${exitCode}: ${stdout}${stderr}`)
  }
  return median(times)
}

function makeLists(directory: string): string {
  mkdirSync(directory)
  const { tools } = supplyTools(undefined)
  for (let at = 0; at < serverCount; at++) {
    const own = Array.from({ length: sizes[at % sizes.length] as number }, (_, index) => {
      const tool = tools[index % tools.length] as Tool
      return { ...tool, name: `${tool.name}_${index}` }
    })
    writeFileSync(join(directory, `${String(at).padStart(2, "0")}.json`), JSON.stringify({ tools: own }))
  }
  return directory
}
