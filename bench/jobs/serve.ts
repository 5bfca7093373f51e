// The MCP server: how soon it says what it offers, and what a script costs on top of a request that does
// nothing but go there and back, over both transports.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import type { Figure, Workplace } from "../job.ts"
import { median } from "../measure.ts"

const listGoalMs = 60
const starts = 40
const scriptGoalMs = 15
const scripts = 200

export async function serve({ directory, program, bun }: Workplace): Promise<Figure[]> {
  const config = { mcpServers: { echo: { type: "builtin", name: "echo" } }, serve: { callsPerMinute: 1_000_000 } }
  writeFileSync(join(directory, "mcp_config.json"), JSON.stringify(config))
  const env = { PATH: process.env.PATH ?? "", HOME: directory, MCP_EXEC_CACHE_DIR: join(directory, "cache") }
  return [
    await firstList(program, directory, env, bun),
    await scriptCost("stdio", await overStdio(program, directory, env)),
    await scriptCost("HTTP", await overHttp(program, directory, env)),
  ]
}

type Environment = Record<string, string>

/** From the start of the process to the last byte of the answer to tools/list, with the handshake before it. */
async function firstList(program: string, cwd: string, env: Environment, bun: string): Promise<Figure> {
  const clientInfo = { name: "bench", version: "1" }
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }
  const messages = [
    { id: 1, method: "initialize", params: hello },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
  ]
  const opening = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("")
  const floorCode = 'for await (const line of console) if (line.includes("tools/list")) console.log(`{"id":2}`)'
  const times = { floor: [] as number[], ours: [] as number[] }
  for (let round = -2; round < starts; round++) {
    const floor = await answered([bun, "-e", floorCode], opening, cwd, env)
    const ours = await answered([program, "serve"], opening, cwd, env)
    if (round < 0) continue
    times.floor.push(floor)
    times.ours.push(ours)
  }
  const ours = median(times.ours)
  const floor = median(times.floor)
  return {
    name: "tools/list after the start of the process",
    value: `${ours.toFixed(1)} ms (${(ours / floor).toFixed(2)}× of a bun that echoes, ${floor.toFixed(1)} ms)`,
    goal: `≤ ${listGoalMs} ms`,
    met: ours <= listGoalMs,
  }
}

async function answered(command: string[], opening: string, cwd: string, env: Environment): Promise<number> {
  const startedAt = performance.now()
  const child = Bun.spawn(command, { cwd, env, stdin: "pipe", stdout: "pipe", stderr: "ignore" })
  child.stdin.write(opening)
  child.stdin.flush()
  let text = ""
  const decoder = new TextDecoder()
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true })
    if (text.split("\n").some((line, at, all) => at < all.length - 1 && line.includes('"id":2'))) break
  }
  const elapsed = performance.now() - startedAt
  if (!text.includes('"id":2')) throw new Error(`${command.join(" ")} did not answer: ${text}`)
  child.kill()
  await child.exited
  return elapsed
}

interface Opened {
  client: Client
  close(): Promise<void>
}

async function overStdio(program: string, cwd: string, env: Environment): Promise<Opened> {
  const client = new Client({ name: "bench", version: "1" })
  await client.connect(new StdioClientTransport({ command: program, args: ["serve"], cwd, env, stderr: "ignore" }))
  return { client, close: () => client.close() }
}

async function overHttp(program: string, cwd: string, env: Environment): Promise<Opened> {
  const child = Bun.spawn([program, "serve", "--http", "0"], { cwd, env, stderr: "pipe", stdout: "ignore" })
  let text = ""
  const decoder = new TextDecoder()
  const reader = child.stderr.getReader()
  while (!/Serving (\S+)\n/.test(text)) text += decoder.decode((await reader.read()).value, { stream: true })
  const client = new Client({ name: "bench", version: "1" })
  await client.connect(new StreamableHTTPClientTransport(new URL(/Serving (\S+)\n/.exec(text)?.[1] ?? "")))
  const close = async () => {
    await client.close()
    child.kill()
    await child.exited
  }
  return { client, close }
}

/** In turns with a request that does nothing, so that the machine's moods hit both. */
async function scriptCost(way: string, { client, close }: Opened): Promise<Figure> {
  const times = { raw: [] as number[], script: [] as number[] }
  try {
    for (let round = -20; round < scripts; round++) {
      const startedAt = performance.now()
      await client.listPrompts()
      const between = performance.now()
      const { isError } = await client.callTool({ name: "execute_script", arguments: { code: "1" } })
      if (isError) throw new Error("the script failed")
      if (round < 0) continue
      times.raw.push(between - startedAt)
      times.script.push(performance.now() - between)
    }
  } finally {
    await close()
  }
  const [raw, script] = [median(times.raw), median(times.script)]
  return {
    name: `execute_script "1" over ${way}, on top of a round trip`,
    value: `${(script - raw).toFixed(1)} ms (${script.toFixed(1)} ms : ${raw.toFixed(1)} ms)`,
    goal: `≤ ${scriptGoalMs} ms`,
    met: script - raw <= scriptGoalMs,
  }
}
