// Asks the broker for more than it can answer, without waiting and without reading.
import { callTool } from "mcp-exec"

const deadline = performance.now() + 4000
let answered = 0
let sent = 0
while (sent < 1_000_000 && performance.now() < deadline) {
  const calls = Array.from({ length: 10_000 }, () => callTool("echo.echo", { text: "x".repeat(100) }))
  sent += calls.length
  answered += (await Promise.allSettled(calls)).length
}
console.log(`sent ${sent}, answered ${answered}`)
console.log("done")
