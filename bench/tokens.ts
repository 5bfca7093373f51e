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
  /** With all servers configured, and with those alone that the task needs. */
  direct: number
  directAlone: number
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
    await run(["generate"])
    await run(["init", "--agent", "codex"])
    const instructions = countTokens(readFileSync(join(directory, "AGENTS.md"), "utf8"))
    const servers = [...own, ...captures.map((_, index) => `captured${index}`)]
    const schemas = await countSchemas(servers, run)
    const costs: Cost[] = []
    for (const task of tasks) costs.push(await costOf(task, { schemas, instructions, run, url: site.url }))
    print(schemas, instructions, costs)
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
  /** Tokens of schemas by server. */
  schemas: Map<string, number>
  instructions: number
  run: (args: string[]) => Promise<string>
  url: string
}

/** Everything the agent reads and writes, the instructions included that teach it to use mcp-exec. */
async function costOf(
  { name, query, tools, takesUrl }: Task,
  { schemas, instructions, run, url }: Setting,
): Promise<Cost> {
  const file = join(import.meta.dir, `tokens/tasks/${name}.ts`)
  const calls = Number(await run(["exec", "--env", `SITE=${url}`, join(import.meta.dir, "tokens/direct.ts"), file]))
  const session = async (commands: string[][]) => {
    let tokens = 0
    for (const words of commands) tokens += countTokens(`mcp-exec ${words.join(" ")}`) + countTokens(await run(words))
    return tokens
  }
  const written = countTokens(readFileSync(file, "utf8"))
  const flags = takesUrl ? ["--url", url] : []
  const environment = takesUrl ? ["--env", `SITE=${url}`] : []
  const reading = tools.map((tool) => ["cat", tool])
  const script = await session([["search", query], ...reading, ["exec", ...environment, `${name}.ts`]])
  const skill = await session([
    ["ls", "skills"],
    ["cat", name],
    ["exec", name, ...flags],
  ])
  const needed = new Set(tools.map((tool) => tool.split(".")[0] ?? ""))
  return {
    name,
    direct: sum(schemas.values()) + calls,
    directAlone: sum([...needed].map((server) => schemas.get(server) ?? 0)) + calls,
    script: instructions + written + script,
    skill: instructions + skill,
  }
}

/** As a model gets them: each tool's name, description and schema of arguments. */
async function countSchemas(servers: string[], run: Setting["run"]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const server of servers) {
    const { tools } = JSON.parse(await run(["tools", server, "--json"]))
    const shown = tools.map(({ name, description, inputSchema }: Record<string, unknown>) => ({
      ...{ name, description, inputSchema },
    }))
    counts.set(server, countTokens(JSON.stringify(shown)))
  }
  return counts
}

function print(schemas: Map<string, number>, instructions: number, costs: Cost[]): void {
  const total = sum(schemas.values())
  console.log(`\n${schemas.size} servers: ${total} tokens of schemas; instructions for mcp-exec: ${instructions}`)
  const columns = ["direct", "its server", "script", "skill"].map((column) => column.padStart(11))
  console.log(`  ${"task".padEnd(19)}${columns.join("")}`)
  for (const { name, direct, directAlone, script, skill } of costs) {
    const numbers = [direct, directAlone, script, skill].map((tokens) => String(tokens).padStart(11))
    const alone = directAlone <= Math.min(script, skill) ? "; with its server alone, direct calling is cheaper" : ""
    console.log(`  ${name.padEnd(19)}${numbers.join("")}   a skill saves ${percent(1 - skill / direct)}${alone}`)
  }
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

/** Not synchronously: the articles are served from this process. */
async function runProgram(args: string[], cwd: string): Promise<string> {
  const child = Bun.spawn([program, ...args], { cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const exitCode = await child.exited
  if (exitCode !== 0) throw new Error(`mcp-exec ${args.join(" ")} failed with ${exitCode}: ${stderr}`)
  return stdout
}
