// A script with one tool call, everything cold: the server is an ordinary npm package on Node. The
// floor is a client that knows nothing but the bytes of this one exchange.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { race } from "../measure.ts"
import type { Figure, Workplace } from "../run.ts"

const goal = 1.2

export async function coldCall({ directory, repository, program, bun }: Workplace): Promise<Figure[]> {
  const workspace = join(directory, "workspace")
  mkdirSync(workspace)
  writeFileSync(join(workspace, "a.txt"), "hello")
  const server = join(repository, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js")
  writeFileSync(
    join(directory, "mcp_config.json"),
    JSON.stringify({ mcpServers: { files: { command: "node", args: [server, workspace] } } }),
  )
  writeFileSync(
    join(directory, "call.ts"),
    `import { callTool } from "mcp-exec"\nconsole.log(await callTool("files", "read_text_file", { path: ${JSON.stringify(join(workspace, "a.txt"))} }))\n`,
  )
  const timings = await race(
    [
      { name: "raw client", command: [bun, join(import.meta.dir, "raw-client.ts"), server, workspace] },
      { name: "mcp-exec exec", command: [program, "exec", "call.ts"] },
    ],
    25,
    directory,
  )
  return timings.slice(1).map(({ name, medianMs, ratio }) => ({
    name: `${name}, one call to a cold stdio server`,
    value: `${ratio.toFixed(2)}× of a raw client (${medianMs.toFixed(0)} ms : ${timings[0]?.medianMs.toFixed(0)} ms)`,
    goal: `≤ ${goal.toFixed(1)}×`,
    met: ratio <= goal,
  }))
}
