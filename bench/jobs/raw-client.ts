// The least that can be done: start a server, say hello, call one tool, end it.
const [server = "", workspace = ""] = process.argv.slice(2)
const child = Bun.spawn(["node", server, workspace], { stdin: "pipe", stdout: "pipe", stderr: "ignore" })
const send = (message: object) => {
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  child.stdin.flush()
}
send({
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
})
let buffered = ""
const decoder = new TextDecoder()
for await (const chunk of child.stdout) {
  buffered += decoder.decode(chunk, { stream: true })
  for (let end = buffered.indexOf("\n"); end >= 0; end = buffered.indexOf("\n")) {
    const message = JSON.parse(buffered.slice(0, end))
    buffered = buffered.slice(end + 1)
    if (message.id === 0) {
      send({ method: "notifications/initialized" })
      send({
        id: 1,
        method: "tools/call",
        params: { name: "read_text_file", arguments: { path: `${workspace}/a.txt` } },
      })
    } else if (message.id === 1) {
      console.log(message.result.content[0].text)
      child.stdin.end()
      await child.exited
      process.exit(0)
    }
  }
}
