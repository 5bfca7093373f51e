// mcporter: `call` with a server for each call, and with one that its daemon keeps.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Contestant, run } from "../measure.ts"
import { homeOf, type Peer, type Task } from "./peer.ts"

// It asks for a newer Node than the servers run on. npm would rather take an older version of it.
const nodePackage = `node-${process.platform}-${process.arch}`

const who = "mcporter"

export const mcporter: Peer = {
  name: who,
  packages: ["mcporter@latest", `${nodePackage}@24`],
  cold: (task, folder) => ({
    name: "mcporter `call`",
    who,
    ...contestant(task, folder, writeConfig(task, "ephemeral")),
  }),
  warm(task, folder) {
    const config = writeConfig(task, "keep-alive")
    const daemon = (verb: string) =>
      run([...program(folder), "--config", config, "daemon", verb], task.directory, homeOf(task))
    daemon("start")
    return {
      contestant: { name: "mcporter `call`, keep-alive", who, ...contestant(task, folder, config), every: 5 },
      stop: () => daemon("stop"),
    }
  },
}

function contestant(task: Task, folder: string, config: string): Omit<Contestant, "name"> {
  return {
    command: [...program(folder), "--config", config, "call", "files.read_text_file", `path=${task.file}`],
    env: homeOf(task),
    prints: task.text,
  }
}

function writeConfig({ directory, node, server, workspace }: Task, lifecycle: string): string {
  const config = join(directory, `mcporter-${lifecycle}.json`)
  const mcpServers = { files: { command: node, args: [server, workspace], lifecycle } }
  writeFileSync(config, JSON.stringify({ mcpServers, imports: [] }))
  return config
}

function program(folder: string): string[] {
  const modules = join(folder, "node_modules")
  return [join(modules, nodePackage, "bin/node"), join(modules, "mcporter/dist/cli.js")]
}
