// The least that can be done with text-server.ts: `bun text-client.ts KIND SERVER BYTES` asks for a text and parses
// the answer. Prints the milliseconds.
export {}

const [kind, server = "", bytes = ""] = process.argv.slice(2)
const child = Bun.spawn([process.execPath, server, bytes], { stdin: "pipe", stdout: "pipe" })
const send = (message: object) => {
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  child.stdin.flush()
}
send({ id: 0, method: "initialize", params: {} })
let startedAt = 0
let chunks: Uint8Array[] = []
for await (const chunk of child.stdout) {
  chunks.push(chunk)
  if (chunk.at(-1) !== 10) continue
  const { id, result } = JSON.parse(Buffer.concat(chunks).toString())
  chunks = []
  if (id === 0) {
    startedAt = performance.now()
    send({ id: 1, method: "tools/call", params: { name: "read_text", arguments: { kind } } })
  } else {
    if (result.content[0].text.length !== Number(bytes)) throw new Error("something is missing")
    console.log(performance.now() - startedAt)
    child.kill()
    process.exit(0)
  }
}
