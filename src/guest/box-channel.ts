// The container's end of the channel to the harness. Only ever Bun: it is the binary that runs here.
import { type BoxAnswer, encodeFrame, frameKind } from "./box-messages.ts"

export interface BoxChannel {
  /** Resolves when the operating system has taken it all. */
  send(kind: number, content: Uint8Array): Promise<void>
  /** Sends the last word and resolves to the exit code of the container. */
  answer(answer: BoxAnswer): Promise<number>
  /** Closes it; `closed` is not called. */
  hangUp(): void
}

/** Connects to the harness, which listens before it starts the container. */
export async function connectBox(
  address: string,
  handlers: { data(chunk: Uint8Array): void; closed(): void },
): Promise<BoxChannel> {
  let hasHungUp = false
  const closed = () => (hasHungUp ? undefined : handlers.closed())
  let drained = Promise.withResolvers<void>()
  const socket = await Bun.connect({
    unix: address,
    socket: {
      data: (_, chunk) => handlers.data(chunk),
      drain: () => drained.resolve(),
      close: closed,
      error: closed,
    },
  })
  let last: Promise<void> = Promise.resolve()

  async function write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      drained = Promise.withResolvers<void>()
      const taken = socket.write(bytes.subarray(at))
      if (taken < 0) throw new Error("the harness has gone")
      at += taken
      if (at < bytes.length) await drained.promise
    }
  }

  // In turn: two streams and the answers share one socket, and a frame must stay in one piece.
  function send(kind: number, content: Uint8Array): Promise<void> {
    const frame = encodeFrame(kind, content)
    last = last.then(() => write(frame))
    return last
  }

  return {
    send,
    async answer(answer) {
      await send(frameKind.answer, new TextEncoder().encode(JSON.stringify(answer)))
      return 0
    },
    hangUp() {
      hasHungUp = true
      socket.end()
    },
  }
}
