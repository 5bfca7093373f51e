// Our stdin for a script in a container, one piece at a time: what the script does not read stays
// where it is. A terminal is not passed on: it belongs to the user, whom servers may ask something.
import type { BoxRequest } from "../../guest/box-messages.ts"

export interface InputFeed {
  /** False for a terminal, and when there is no stdin. */
  readonly isThere: boolean
  start(): void
  /** The last piece has been taken: the next may follow. */
  taken(): void
  stop(): void
}

const pieceBytes = 64 << 10

/** Reads our stdin and sends it on, when it is wanted. */
export function feedInput(send: (message: BoxRequest) => void, isWanted = true): InputFeed {
  const isThere = isWanted && !isDevice()
  let pieces: Uint8Array[] = []
  let isWaiting = false
  let isOver = false
  let hasEnded = false

  const next = () => {
    if (isWaiting || hasEnded) return
    const piece = pieces.shift()
    if (piece !== undefined) {
      isWaiting = true
      send({ type: "input", data: Buffer.from(piece).toString("base64") })
      return
    }
    if (isOver) {
      hasEnded = true
      send({ type: "input-end" })
    } else process.stdin.resume()
  }
  const onData = (chunk: Uint8Array) => {
    process.stdin.pause()
    for (let at = 0; at < chunk.length; at += pieceBytes) pieces.push(chunk.subarray(at, at + pieceBytes))
    next()
  }
  const onEnd = () => {
    isOver = true
    next()
  }
  return {
    isThere,
    start() {
      if (!isThere) return
      // The script itself may have come from there: then there is no more, and nobody will say so again.
      if (process.stdin.readableEnded) return onEnd()
      process.stdin.on("data", onData)
      process.stdin.once("end", onEnd)
      process.stdin.once("error", onEnd)
    },
    taken() {
      isWaiting = false
      next()
    },
    stop() {
      if (!isThere) return
      pieces = []
      hasEnded = true
      process.stdin.off("data", onData).off("end", onEnd).off("error", onEnd).pause()
    },
  }
}

/** A terminal, or /dev/null, or closed: nothing is to come from there. */
function isDevice(): boolean {
  const { fstatSync } = process.getBuiltinModule("node:fs")
  try {
    const status = fstatSync(0)
    return status.isCharacterDevice()
  } catch {
    return true
  }
}
