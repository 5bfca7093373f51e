// Philipp Schmid's mcp-cli. It is not on npm, where `mcp-cli` is another program, but can be had from GitHub.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Contestant } from "../measure.ts"
import { homeOf, type Peer, type Task } from "./peer.ts"

const who = "mcp-cli"

export const mcpCli: Peer = {
  name: who,
  packages: ["mcp-cli@https://codeload.github.com/philschmid/mcp-cli/tar.gz/refs/heads/main"],
  cold: (task, folder) => ({
    name: "mcp-cli `call`, no daemon",
    who,
    ...contestant(task, folder),
    env: { ...homeOf(task), MCP_NO_DAEMON: "1" },
  }),
  // Its daemon is started by the first call, and ends by itself.
  warm: (task, folder) => ({
    contestant: { name: "mcp-cli `call`, daemon", who, ...contestant(task, folder), every: 5 },
    stop: () => {},
  }),
}

function contestant(task: Task, folder: string): Omit<Contestant, "name"> {
  const { bun, directory, node, server, workspace, file, text } = task
  const config = join(directory, "mcp-cli.json")
  writeFileSync(config, JSON.stringify({ mcpServers: { files: { command: node, args: [server, workspace] } } }))
  const program = [bun, join(folder, "node_modules/mcp-cli/src/index.ts")]
  const call = ["-c", config, "call", "files", "read_text_file", JSON.stringify({ path: file })]
  return { command: [...program, ...call], env: homeOf(task), prints: text }
}
