// Asks the broker for a million things at once, and never looks at an answer.
import { callTool } from "mcp-exec"

console.log("begins")
for (let sent = 0; sent < 1_000_000; sent++) {
  callTool("echo.echo", { sent }).catch(() => {})
  // Or nothing would ever leave this process.
  if (sent % 1000 === 0) await Bun.sleep(0)
}
console.log("sent")
process.exit(0)
