// Our stdin for a script in a container, once the script waits for it and one piece at a time: what it
// does not read stays where it is. A terminal is not passed on: it belongs to the user, whom servers may ask something.
import type { BoxRequest } from "../../guest/box-messages.ts"

export interface InputFeed {
  /** False for a terminal, and when there is no stdin. */
  readonly isThere: boolean
  /** The script waits for input. */
  wanted(): void
  /** The last piece has been taken: the next may follow. */
  taken(): void
  stop(): void
}

const pieceBytes = 64 << 10

/** Reads our stdin and sends it on, when it is wanted. */
export function feedInput(send: (message: BoxRequest) => void, isWanted = true): InputFeed {
  const isThere = isWanted && !isDevice()
  let pieces: string[] = []
  let isStarted = false
  let isWaiting = false
  let isOver = false
  let hasEnded = false

  const next = () => {
    if (isWaiting || hasEnded) return
    const piece = pieces.shift()
    if (piece !== undefined) {
      isWaiting = true
      send({ type: "input", data: piece })
      return
    }
    if (isOver) {
      hasEnded = true
      send({ type: "input-end" })
    } else process.stdin.resume()
  }
  const onData = (chunk: Uint8Array) => {
    process.stdin.pause()
    pieces.push(...piecesOf(chunk))
    next()
  }
  const onEnd = () => {
    isOver = true
    next()
  }
  return {
    isThere,
    wanted() {
      if (!isThere || isStarted) return
      isStarted = true
      // The script itself may have come from there: then there is no more, and nobody will say so again.
      if (process.stdin.readableEnded) return onEnd()
      process.stdin.on("data", onData)
      process.stdin.once("end", onEnd)
      process.stdin.once("error", onEnd)
    },
    taken() {
      if (!isStarted) return
      isWaiting = false
      next()
    },
    stop() {
      if (!isStarted) return
      pieces = []
      hasEnded = true
      process.stdin.off("data", onData).off("end", onEnd).off("error", onEnd).pause()
    },
  }
}

/** Input in pieces of bearable size, as they are sent. */
export function piecesOf(input: Uint8Array | string): string[] {
  const bytes = Buffer.from(input)
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(bytes.subarray(at, at + pieceBytes).toString("base64"))
  }
  return pieces
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
