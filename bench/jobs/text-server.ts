// A stdio server with one tool, `read_text`: `bun text-server.ts BYTES` returns so many. Both kinds of text are
// ready before anybody asks, so that what is measured is the way of a result and not the making of it.
import { createInterface } from "node:readline"

const size = Number(process.argv[2])
const results: Record<string, string> = {
  short: makeResult("x", 10),
  plain: makeResult("x", size),
  lines: makeResult("2026-01-01T12:00:00Z GET /api/things/4711?page=2 200 12 ms\n", size),
}
const inputSchema = { type: "object", properties: { kind: { enum: Object.keys(results) } } }
const serverInfo = { name: "text-server", version: "1" }
const answers: Record<string, string> = {
  initialize: JSON.stringify({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo }),
  "tools/list": JSON.stringify({ tools: [{ name: "read_text", description: "Reads a text", inputSchema }] }),
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  const result = method === "tools/call" ? results[params.arguments.kind] : answers[method]
  if (result === undefined) return
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`)
  process.stdout.write(result)
  process.stdout.write("}\n")
})

function makeResult(part: string, bytes: number): string {
  const text = part.repeat(Math.ceil(bytes / part.length)).slice(0, bytes)
  return JSON.stringify({ content: [{ type: "text", text }] })
}
