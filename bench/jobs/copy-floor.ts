// Many bytes through a bare unix socket, between two processes: `bun copy-floor.ts SOCKET BYTES bytes|json` prints
// the milliseconds from asking for them to having the last one, or the string that they are JSON for.
import { rmSync } from "node:fs"

const [path = "", size = "", kind = "", role] = process.argv.slice(2)
const isJson = kind === "json"
const total = Number(size) + (isJson ? 2 : 0)

if (role === "writer") {
  const text = "x".repeat(Number(size))
  let bytes = isJson ? Buffer.alloc(0) : Buffer.from(text)
  let sent = 0
  const push = (socket: { write(data: Uint8Array): number }) => {
    if (bytes.length === 0) bytes = Buffer.from(JSON.stringify(text))
    for (let taken = 1; sent < total && taken > 0; sent += taken) taken = socket.write(bytes.subarray(sent))
  }
  Bun.listen({ unix: path, socket: { data: push, drain: push } })
  console.log("ready")
} else {
  const writer = Bun.spawn([process.execPath, import.meta.path, path, size, kind, "writer"], { stdout: "pipe" })
  await writer.stdout.getReader().read()
  const chunks: Buffer[] = []
  let received = 0
  let startedAt = 0
  await Bun.connect({
    unix: path,
    socket: {
      open(socket) {
        startedAt = performance.now()
        socket.write("go")
      },
      data(_, chunk) {
        chunks.push(chunk)
        received += chunk.length
        if (received < total) return
        if (isJson) JSON.parse(Buffer.concat(chunks).toString())
        console.log(performance.now() - startedAt)
        writer.kill()
        rmSync(path)
        process.exit(0)
      },
    },
  })
}
