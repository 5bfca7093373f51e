import { callTool } from "mcp-exec"

interface Graph {
  relations: { from: string; to: string }[]
}

export async function main(call = callTool) {
  const { relations } = await call<Graph>("memory", "read_graph", {})
  const counts: Record<string, number> = {}
  for (const name of relations.flatMap(({ from, to }) => [from, to])) counts[name] = (counts[name] ?? 0) + 1
  const most = Object.entries(counts).sort(([, a], [, b]) => b - a)
  for (const [name, count] of most.slice(0, 5)) console.log(`${name} ${count}`)
}
