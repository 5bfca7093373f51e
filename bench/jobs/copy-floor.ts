// Many bytes through a bare unix socket, between two processes: `bun copy-floor.ts SOCKET BYTES bytes|json|back` prints
// the milliseconds from asking for them to having the last one, or the string that they are JSON for; `back` sends them
// there first.
import { rmSync } from "node:fs"

type Peer = Pick<Bun.Socket, "write">

const [path = "", size = "", kind = "", role] = process.argv.slice(2)
const length = Number(size)
const total = kind === "json" ? length + 2 : length
const text = "x".repeat(length)

if (role === "other") {
  const { send, resume } = sender()
  const heard = receiver(kind === "back" ? total : 1, (_, peer) => send(peer))
  Bun.listen({ unix: path, socket: { data: heard, drain: resume } })
  console.log("ready")
} else {
  const other = Bun.spawn([process.execPath, import.meta.path, path, size, kind, "other"], { stdout: "pipe" })
  await other.stdout.getReader().read()
  const { send, resume } = sender()
  let startedAt = 0
  const open = (peer: Peer) => {
    startedAt = performance.now()
    if (kind === "back") send(peer)
    else peer.write("?")
  }
  const heard = receiver(total, (chunks) => {
    if (kind === "json") JSON.parse(Buffer.concat(chunks).toString())
    console.log(performance.now() - startedAt)
    other.kill()
    rmSync(path)
    process.exit(0)
  })
  await Bun.connect({ unix: path, socket: { open, data: heard, drain: resume } })
}

/** Sends what the socket takes, and the rest when it takes more. */
function sender(): { send(peer: Peer): void; resume(peer: Peer): void } {
  let bytes = kind === "json" ? undefined : Buffer.from(text)
  let sent = 0
  const send = (peer: Peer) => {
    bytes ??= Buffer.from(JSON.stringify(text))
    for (let taken = 1; sent < total && taken > 0; sent += taken) taken = peer.write(bytes.subarray(sent))
  }
  return { send, resume: (peer) => (sent > 0 ? send(peer) : undefined) }
}

function receiver(wanted: number, onAll: (chunks: Uint8Array[], peer: Peer) => void) {
  const chunks: Uint8Array[] = []
  let received = 0
  return (peer: Peer, chunk: Uint8Array) => {
    chunks.push(chunk)
    received += chunk.length
    if (received >= wanted) onAll(chunks, peer)
  }
}
