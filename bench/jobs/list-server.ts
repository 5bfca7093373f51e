// A stdio server that lists the tools of a file ({ tools: […] }), and knows nothing else: `bun list-server.ts FILE`.
// Without a file it never answers.
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"

const file = process.argv[2]
const answers: Record<string, unknown> =
  file === undefined
    ? {}
    : {
        initialize: {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "list-server", version: "1" },
        },
        "tools/list": { tools: JSON.parse(readFileSync(file, "utf8")).tools },
      }

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  const result = answers[method]
  if (id !== undefined && result !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }))
})
