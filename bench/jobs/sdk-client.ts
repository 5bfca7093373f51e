// The same as raw-client.ts, written by hand with the official SDK, as one would without a tool like this.
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"

const [path = "", times = "0", command = "", ...args] = process.argv.slice(2)
const calls = Number(times)
const client = new Client({ name: "by-hand", version: "1" })
await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }))
const read = () => client.callTool({ name: "read_text_file", arguments: { path } })
const first = await read()
const startedAt = performance.now()
for (let at = 0; at < calls; at++) await read()
const each = (performance.now() - startedAt) / calls
console.log(calls === 0 ? JSON.stringify(first.content) : each)
await client.close()
