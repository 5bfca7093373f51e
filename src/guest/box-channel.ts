// The container's end of the channel to the harness. Only ever Bun: it is the binary that runs here.
import { type BoxAnswer, encodeFrame, frameKind, standardStreams } from "./box-messages.ts"

export interface BoxChannel {
  /** Resolves when the operating system has taken it all. */
  send(kind: number, content: Uint8Array): Promise<void>
  /** Resolves to the exit code of the container, for the last word. */
  answer(answer: BoxAnswer): Promise<number>
  /** Closes it; `closed` is not called. */
  hangUp(): void
}

interface Handlers {
  data(chunk: Uint8Array): void
  closed(): void
}

/** Connects to the harness: at a socket, where it listens before it starts the container, or over our own streams. */
export async function connectBox(address: string, handlers: Handlers): Promise<BoxChannel> {
  if (address !== standardStreams) return await overSocket(address, handlers)
  const channel = overStreams(handlers)
  await channel.answer({ type: "ready" })
  return channel
}

async function overSocket(address: string, handlers: Handlers): Promise<BoxChannel> {
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
  const write = async (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; ) {
      drained = Promise.withResolvers<void>()
      const taken = socket.write(bytes.subarray(at))
      if (taken < 0) throw new Error("the harness has gone")
      at += taken
      if (at < bytes.length) await drained.promise
    }
  }
  return channelOf(write, () => {
    hasHungUp = true
    socket.end()
  })
}

function overStreams({ data, closed }: Handlers): BoxChannel {
  const read = async () => {
    for await (const chunk of Bun.stdin.stream()) data(chunk)
  }
  void read().finally(closed)
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())))
  return channelOf(write, () => {})
}

function channelOf(write: (bytes: Uint8Array) => Promise<void>, hangUp: () => void): BoxChannel {
  let last: Promise<void> = Promise.resolve()
  // In turn: two streams and the answers share one connection, and a frame must stay in one piece.
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
    hangUp,
  }
}
