// executor: `call`, which always goes through its daemon; there is no other way.
import { join } from "node:path"
import { run } from "../measure.ts"
import { homeOf, type Peer, type Task } from "./peer.ts"

const who = "executor"

export const executor: Peer = {
  name: who,
  packages: ["executor@latest"],
  warm(task, folder) {
    const program = join(folder, "node_modules/.bin/executor")
    const execute = (...args: string[]) => run([program, ...args], task.directory, homeOf(task))
    execute("daemon", "run", "--hostname", "localhost", "--port", String(freePort()))
    addServer(task, execute)
    const args = JSON.stringify({ path: task.file })
    return {
      contestant: {
        name: "executor `call`, daemon",
        who,
        command: [program, "call", "files", "user", "main", "read_text_file", args],
        env: homeOf(task),
        prints: task.text,
        every: 10,
      },
      stop: () => execute("daemon", "stop"),
    }
  },
}

/** It asks before it adds a server, and wants a credential for each connection, if only by name. */
function addServer({ node, server, workspace }: Task, execute: (...args: string[]) => string): void {
  const entry = { transport: "stdio", name: "files", slug: "files", command: node, args: [server, workspace] }
  const asked = execute("call", "executor", "mcp", "addServer", JSON.stringify(entry))
  const execution = /executionId: (\S+)/.exec(asked)?.[1]
  if (execution !== undefined) {
    const baseUrl = /--base-url (\S+)/.exec(asked)?.[1] ?? ""
    execute("resume", "--execution-id", execution, "--base-url", baseUrl, "--action", "accept", "--content", "{}")
  }
  const from = { provider: "file", id: "none" }
  const connection = { owner: "user", name: "main", integration: "files", template: "none", from }
  execute("call", "executor", "coreTools", "connections", "create", JSON.stringify(connection))
}

function freePort(): number {
  const probe = Bun.listen({ hostname: "localhost", port: 0, socket: { data() {} } })
  probe.stop()
  return probe.port
}
