// The least that a daemon can be: one server kept connected behind a socket, lines passed on as they are.
const [address = "", node = "", server = "", workspace = ""] = process.argv.slice(2)
const child = Bun.spawn([node, server, workspace], { stdin: "pipe", stdout: "pipe", stderr: "ignore" })
const send = (text: string) => {
  child.stdin.write(text)
  child.stdin.flush()
}
send(
  `${JSON.stringify({
    jsonrpc: "2.0",
    id: "start",
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  })}\n`,
)
let answerTo: { write(text: Uint8Array): number } | undefined
Bun.listen({
  unix: address,
  socket: {
    data(socket, chunk) {
      answerTo = socket
      send(chunk.toString())
    },
  },
})
let isReady = false
for await (const chunk of child.stdout) {
  if (isReady) answerTo?.write(chunk)
  else send(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`)
  isReady = true
}
