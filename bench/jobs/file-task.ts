// The work of the jobs that compare: one tool of a server from npm, on Node, which reads a file of one word.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Workplace } from "../job.ts"
import type { Task } from "../peers/peer.ts"

/** The lines that the races of this task have in common. */
export const who = {
  floor: "raw client (floor)",
  exec: "`mcp-exec exec`",
  call: "`mcp-exec call`",
  sdkOnBun: "script with the SDK, on Bun",
  sdkOnNode: "script with the SDK, on Node",
}

/**
 * The task, and beside it a project of ours with scripts that do it once, and often. The same server is there a second
 * time, as it comes with the program.
 */
export function setTask({ directory, repository, node, bun }: Workplace, settings: object): Task {
  const workspace = join(directory, "workspace")
  mkdirSync(workspace)
  const file = join(workspace, "a.txt")
  const text = "hello"
  writeFileSync(file, text)
  const server = join(repository, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js")
  const mcpServers = {
    files: { command: node, args: [server, workspace] },
    embedded: { type: "builtin", name: "filesystem", args: [workspace] },
  }
  writeFileSync(join(directory, "mcp_config.json"), JSON.stringify({ mcpServers, ...settings }))
  const call = `import { callTool } from "mcp-exec"
const server = process.argv[3] ?? "files"
const read = () => callTool<{ content: string }>(server, "read_text_file", { path: ${JSON.stringify(file)} })
`
  writeFileSync(join(directory, "once.ts"), `${call}console.log((await read()).content)\n`)
  writeFileSync(
    join(directory, "often.ts"),
    `${call}const calls = Number(process.argv[2])
await read()
const startedAt = performance.now()
for (let at = 0; at < calls; at++) await read()
console.log((performance.now() - startedAt) / calls)
`,
  )
  writeFileSync(
    join(directory, "soak.ts"),
    `${call}for (let round = 0; round < 100; round++) await Promise.all(Array.from({ length: 50 }, read))\n`,
  )
  return { directory, node, bun, server, workspace, file, text }
}
