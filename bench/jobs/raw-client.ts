// The least that can be done: start a server, say hello, call one tool, end it. With a number above 0, calls it
// so often after the first time, one after the other, and prints the milliseconds that each took.
const [file = "", times = "0", ...command] = process.argv.slice(2)
const calls = Number(times)
const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "ignore" })
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
let startedAt = 0
const decoder = new TextDecoder()
for await (const chunk of child.stdout) {
  buffered += decoder.decode(chunk, { stream: true })
  for (let end = buffered.indexOf("\n"); end >= 0; end = buffered.indexOf("\n")) {
    const { id, result } = JSON.parse(buffered.slice(0, end))
    buffered = buffered.slice(end + 1)
    if (id === 0) send({ method: "notifications/initialized" })
    if (id === 1) startedAt = performance.now()
    if (id <= calls) {
      send({ id: id + 1, method: "tools/call", params: { name: "read_text_file", arguments: { path: file } } })
    } else if (id > calls) {
      console.log(calls === 0 ? result.content[0].text : (performance.now() - startedAt) / calls)
      child.stdin.end()
      await child.exited
      process.exit(0)
    }
  }
}
