// NDJSON ping-pong between two processes over a unix socket: parsed and answered, nothing else. Prints the
// milliseconds that so many take, 100 in flight.
import { rmSync } from "node:fs"

const [path = "", calls = ""] = process.argv.slice(2)
const total = Number(calls)

if (calls === "echo") {
  let rest = ""
  Bun.listen({
    unix: path,
    socket: {
      data(socket, chunk) {
        const lines = (rest + chunk.toString()).split("\n")
        rest = lines.pop() ?? ""
        socket.write(lines.map((line) => `${JSON.stringify(JSON.parse(line))}\n`).join(""))
      },
    },
  })
  console.log("ready")
} else {
  const echo = Bun.spawn([process.execPath, import.meta.path, path, "echo"], { stdout: "pipe" })
  await echo.stdout.getReader().read()
  let sent = 0
  let received = 0
  let rest = ""
  let startedAt = 0
  const next = () => (sent < total ? `${JSON.stringify({ id: sent, args: { n: sent++ } })}\n` : "")
  await Bun.connect({
    unix: path,
    socket: {
      open(socket) {
        startedAt = performance.now()
        socket.write(Array.from({ length: 100 }, next).join(""))
      },
      data(socket, chunk) {
        const lines = (rest + chunk.toString()).split("\n")
        rest = lines.pop() ?? ""
        for (const line of lines) JSON.parse(line)
        received += lines.length
        socket.write(lines.map(next).join(""))
        if (received < total) return
        console.log(performance.now() - startedAt)
        echo.kill()
        rmSync(path)
        process.exit(0)
      },
    },
  })
}
