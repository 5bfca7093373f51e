// UTCP's code-mode: a library, so it gets the script that its readme shows. Nothing of it stays between runs.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Contestant } from "../measure.ts"
import type { Peer, Task } from "./peer.ts"

const who = "UTCP code-mode"

export const codeMode: Peer = {
  name: who,
  packages: ["@utcp/code-mode@latest", "@utcp/sdk@latest", "@utcp/mcp@latest", "isolated-vm@6"],
  cold: (task, folder) => ({
    name: "UTCP code-mode, `callToolChain`",
    who,
    ...contestant(task, folder, "once.mjs", "return read()"),
    prints: task.text,
  }),
  calls: (task, folder, calls) => ({
    name: "UTCP code-mode, `callToolChain`",
    who,
    ...contestant(
      task,
      folder,
      "often.mjs",
      `read(); const startedAt = Date.now(); for (let at = 0; at < ${calls}; at++) read(); return (Date.now() - startedAt) / ${calls}`,
    ),
  }),
}

function contestant(task: Task, folder: string, file: string, work: string): Pick<Contestant, "command"> {
  const { node, server, workspace } = task
  const chain = `const read = () => files.files_read_text_file({ path: ${JSON.stringify(task.file)} }); ${work}`
  const servers = { files: { transport: "stdio", command: node, args: [server, workspace] } }
  const manual = { name: "files", call_template_type: "mcp", config: { mcpServers: servers } }
  // It says on stdout what it does; the result is for the one who asked.
  const script = `import { CodeModeUtcpClient } from "@utcp/code-mode"
import "@utcp/mcp"
const { log } = console
console.log = () => {}
const config = { manual_call_templates: [${JSON.stringify(manual)}] }
const client = await CodeModeUtcpClient.create(process.cwd(), config)
const { result } = await client.callToolChain(${JSON.stringify(chain)})
await client.close()
log(result)
process.exit(0)
`
  writeFileSync(join(folder, file), script)
  return { command: [node, join(folder, file)] }
}
