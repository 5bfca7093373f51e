// The least that a warm call can be: one line out, one line in.
const [address = "", path = ""] = process.argv.slice(2)
let received = ""
await Bun.connect({
  unix: address,
  socket: {
    open(socket) {
      const params = { name: "read_text_file", arguments: { path } }
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`)
    },
    data(_, chunk) {
      received += chunk.toString()
      if (!received.endsWith("\n")) return
      console.log(JSON.parse(received).result.content[0].text)
      process.exit(0)
    },
  },
})
