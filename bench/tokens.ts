// npm run bench:tokens [-- DIR]: how many tokens (o200k) an agent handles for six tasks over real servers:
// calling the tools itself, writing a script with what `search` and `cat` tell, and running a skill.
// DIR holds captured `tools/list` answers; then 20 of them are configured beside the five servers in use.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { type Task, tasks } from "./tokens/tasks.ts"
import { findCaptures, serveArticles, writeProject } from "./tokens/workplace.ts"

interface Cost {
  name: string
  direct: number
  script: number
  skill: number
}

const repository = join(import.meta.dir, "..")
const program = join(repository, "dist/mcp-exec")
const captureCount = 20
const goal = 0.995

const [folder] = process.argv.slice(2)
let isMet = true
isMet = (await measure([])) && isMet
if (folder === undefined) console.log("\nGive a folder of captured lists to measure with 25 servers.")
else isMet = (await measure(findCaptures(folder, captureCount))) && isMet
process.exit(isMet ? 0 : 1)

async function measure(captures: string[]): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), "mcp-exec-bench-tokens-"))
  const site = serveArticles()
  try {
    const own = writeProject(directory, captures)
    const run = (args: string[]) => runProgram(args, directory)
    run(["generate"])
    run(["init", "--agent", "codex"])
    const instructions = countTokens(readFileSync(join(directory, "AGENTS.md"), "utf8"))
    const servers = [...own, ...captures.map((_, index) => `captured${index}`)]
    const schemas = countSchemas(servers, run)
    const costs = tasks.map((task) => costOf(task, { schemas, instructions, run, url: site.url }))
    print(servers.length, schemas, instructions, costs)
    if (captures.length === 0) return true
    const worst = Math.min(...costs.map(({ direct, skill }) => 1 - skill / direct))
    const met = worst >= goal
    console.log(`  ${met ? "met   " : "MISSED"}  a skill saves at least ${percent(worst)}   goal ≥ ${percent(goal)}`)
    return met
  } finally {
    site.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Setting {
  schemas: number
  instructions: number
  run: (args: string[]) => string
  url: string
}

/** Everything the agent reads and writes, the instructions included that teach it to use mcp-exec. */
function costOf({ name, query, tools, takesUrl }: Task, { schemas, instructions, run, url }: Setting): Cost {
  const file = join(import.meta.dir, `tokens/tasks/${name}.ts`)
  const calls = Number(run(["exec", join(import.meta.dir, "tokens/direct.ts"), file, url]))
  const session = (commands: string[][]) =>
    commands.reduce((sum, words) => sum + countTokens(`mcp-exec ${words.join(" ")}`) + countTokens(run(words)), 0)
  const written = countTokens(readFileSync(file, "utf8"))
  const flags = takesUrl ? ["--url", url] : []
  return {
    name,
    direct: schemas + calls,
    script:
      instructions +
      written +
      session([["search", query], ...tools.map((tool) => ["cat", tool]), ["exec", `${name}.ts`, url]]),
    skill:
      instructions +
      session([
        ["ls", "skills"],
        ["cat", name],
        ["exec", name, ...flags],
      ]),
  }
}

/** As a model gets them: each tool's name, description and schema of arguments. */
function countSchemas(servers: string[], run: (args: string[]) => string): number {
  return servers.reduce((sum, server) => {
    const { tools } = JSON.parse(run(["tools", server, "--json"]))
    const shown = tools.map(({ name, description, inputSchema }: Record<string, unknown>) => ({
      ...{ name, description, inputSchema },
    }))
    return sum + countTokens(JSON.stringify(shown))
  }, 0)
}

function print(servers: number, schemas: number, instructions: number, costs: Cost[]): void {
  console.log(`\n${servers} servers: ${schemas} tokens of schemas; instructions for mcp-exec: ${instructions}`)
  console.log(`  ${"task".padEnd(20)}${"direct".padStart(10)}${"script".padStart(10)}${"skill".padStart(10)}`)
  for (const { name, direct, script, skill } of costs) {
    const cheapest =
      direct <= Math.min(script, skill) ? "direct calling is cheaper" : `${percent(1 - skill / direct)} saved`
    const numbers = [direct, script, skill].map((tokens) => String(tokens).padStart(10))
    console.log(`  ${name.padEnd(20)}${numbers.join("")}   ${cheapest}`)
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function runProgram(args: string[], cwd: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...args], { cwd })
  if (exitCode !== 0) throw new Error(`mcp-exec ${args.join(" ")} failed with ${exitCode}: ${stderr}`)
  return stdout.toString()
}
