// Local stream sockets that carry text. Bun's own API where it exists (node:net costs more to load
// than a script to start), node:net otherwise and on Windows, where the address is a named pipe.

export interface SocketHandlers {
  /** The chunk is gone when this returns. */
  data(chunk: Uint8Array): void
  /** The queue has been handed to the operating system. */
  drained?(): void
  closed(): void
}

export interface Socket {
  /** Queues text. What is queued in one turn of the event loop goes out in one write. */
  send(text: string): void
  /** Characters and bytes not yet taken by the operating system. */
  readonly queued: number
  /** Stops and resumes reading: how a slow reader slows its writer down. */
  pause(): void
  resume(): void
  /** Whether this socket keeps the process alive. */
  keepAlive(yes: boolean): void
  /** Closes once the queue is out. */
  end(): void
}

export interface Listener {
  close(): void
}

type Accept = (socket: Socket) => SocketHandlers

/** Listens on a socket path; `accept` is called for each connection. */
export async function listen(path: string, accept: Accept): Promise<Listener> {
  return useBun ? listenWithBun(path, accept) : listenWithNode(path, accept)
}

/** Connects to a socket path. Rejects when nobody listens there. */
export function connect(path: string, handlers: SocketHandlers): Promise<Socket> {
  return useBun ? connectWithBun(path, handlers) : connectWithNode(path, handlers)
}

const useBun = typeof Bun !== "undefined" && process.platform !== "win32"
// One huge write stalls the event loop, and texts are not held twice.
const sliceLength = 256 << 10
const largeChunk = 64 << 10

type Write = (bytes: Uint8Array) => { taken: number; full: boolean }

/** What the two implementations have in common: a queue that is joined or sliced, and written. */
class Queue {
  #texts: string[] = []
  /** How much of the first text has been encoded. */
  #encoded = 0
  #characters = 0
  #bytes: Uint8Array | undefined
  #offset = 0
  #slice: Uint8Array | undefined
  #scheduled = false
  #ending = false
  #full = false
  readonly #write: Write
  readonly #end: () => void
  readonly #keepsBytes: boolean
  readonly #encoder = new TextEncoder()

  /** `keepsBytes`: what has been written may not have been taken yet, and must not change. */
  constructor({ write, end, keepsBytes }: { write: Write; end: () => void; keepsBytes: boolean }) {
    this.#write = write
    this.#end = end
    this.#keepsBytes = keepsBytes
  }

  get size(): number {
    return this.#characters + (this.#bytes === undefined ? 0 : this.#bytes.length - this.#offset)
  }

  add(text: string): void {
    this.#texts.push(text)
    this.#characters += text.length
    if (this.#scheduled || this.#full) return
    this.#scheduled = true
    queueMicrotask(() => {
      this.#scheduled = false
      this.flush()
    })
  }

  end(): void {
    this.#ending = true
    this.flush()
  }

  writable(): void {
    this.#full = false
    this.flush()
  }

  flush(): void {
    while (!this.#full) {
      if (this.#bytes === undefined) {
        if (this.#texts.length === 0) break
        this.#bytes = this.#characters <= sliceLength ? this.#encodeAll() : this.#encodeSlice()
        this.#offset = 0
      }
      const { taken, full } = this.#write(this.#offset === 0 ? this.#bytes : this.#bytes.subarray(this.#offset))
      this.#full = full
      this.#offset += taken
      if (this.#offset >= this.#bytes.length) this.#bytes = undefined
    }
    if (this.#ending && this.size === 0) this.#end()
  }

  #encodeAll(): Uint8Array {
    const texts = this.#texts
    if (this.#encoded > 0) texts[0] = texts[0]?.slice(this.#encoded) ?? ""
    this.#texts = []
    this.#encoded = 0
    this.#characters = 0
    this.#slice = undefined
    return this.#encoder.encode(texts.join(""))
  }

  #encodeSlice(): Uint8Array {
    const bytes = (this.#keepsBytes ? undefined : this.#slice) ?? new Uint8Array(sliceLength)
    this.#slice = bytes
    let written = 0
    let done = 0
    // There must be room for a character, whatever it is.
    for (; done < this.#texts.length && written + 4 <= bytes.length; done++) {
      const text = this.#texts[done] ?? ""
      const part = wholeCharacters(text, this.#encoded, bytes.length - written)
      const result = this.#encoder.encodeInto(part, bytes.subarray(written))
      written += result.written
      this.#encoded += result.read
      this.#characters -= result.read
      if (this.#encoded < text.length) break
      this.#encoded = 0
    }
    this.#texts.splice(0, done)
    return bytes.subarray(0, written)
  }
}

/** At most so much of a text, without the half of a character at its end. */
export function wholeCharacters(text: string, start: number, length: number): string {
  const end = start + length
  if (end >= text.length) return text.slice(start)
  const isHigh = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
  return text.slice(start, isHigh ? end - 1 : end)
}

interface BunState {
  queue: Queue
  handlers: SocketHandlers
}

function bunSocket(raw: Bun.Socket<BunState>): Socket & { queue: Queue } {
  const queue = new Queue({
    write(bytes) {
      const taken = raw.write(bytes)
      return taken < 0 ? { taken: bytes.length, full: false } : { taken, full: taken < bytes.length }
    },
    end: () => raw.end(),
    keepsBytes: false,
  })
  return {
    queue,
    send: (text) => queue.add(text),
    get queued() {
      return queue.size
    },
    pause: () => raw.pause(),
    resume: () => raw.resume(),
    keepAlive: (yes) => (yes ? raw.ref() : raw.unref()),
    end: () => queue.end(),
  }
}

const bunHandlers = {
  data(raw: Bun.Socket<BunState>, chunk: Uint8Array) {
    raw.data.handlers.data(chunk)
    release(chunk)
  },
  drain(raw: Bun.Socket<BunState>) {
    raw.data.queue.writable()
    if (raw.data.queue.size === 0) raw.data.handlers.drained?.()
  },
  close: (raw: Bun.Socket<BunState>) => raw.data?.handlers.closed(),
  error: (raw: Bun.Socket<BunState>) => void raw.end(),
}

/** Given back at once, a large chunk's memory serves the next one: fresh memory costs more than what is done with it. */
function release({ buffer, length }: Uint8Array): void {
  if (length >= largeChunk && buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}

function listenWithBun(path: string, accept: Accept): Listener {
  const listener = Bun.listen<BunState>({
    unix: path,
    socket: {
      ...bunHandlers,
      open(raw) {
        const socket = bunSocket(raw)
        raw.data = { queue: socket.queue, handlers: accept(socket) }
      },
    },
  })
  return { close: () => listener.stop(true) }
}

function connectWithBun(path: string, handlers: SocketHandlers): Promise<Socket> {
  return new Promise((resolve, reject) => {
    Bun.connect<BunState>({
      unix: path,
      socket: {
        ...bunHandlers,
        open(raw) {
          const socket = bunSocket(raw)
          raw.data = { queue: socket.queue, handlers }
          resolve(socket)
        },
        connectError: (_, error) => reject(error),
      },
    }).catch(reject)
  })
}

function nodeSocket(raw: import("node:net").Socket): Socket & { queue: Queue } {
  const queue = new Queue({
    write: (bytes) => ({ taken: bytes.length, full: !raw.write(bytes) }),
    end: () => raw.end(),
    keepsBytes: true,
  })
  return {
    queue,
    send: (text) => queue.add(text),
    get queued() {
      return queue.size + raw.writableLength
    },
    pause: () => void raw.pause(),
    resume: () => void raw.resume(),
    keepAlive: (yes) => void (yes ? raw.ref() : raw.unref()),
    end: () => queue.end(),
  }
}

function handleWithNode(raw: import("node:net").Socket, queue: Queue, handlers: SocketHandlers): void {
  raw.on("data", (chunk: Uint8Array) => handlers.data(chunk))
  raw.on("drain", () => {
    queue.writable()
    if (queue.size === 0) handlers.drained?.()
  })
  raw.on("error", () => raw.destroy())
  raw.on("close", () => handlers.closed())
}

async function listenWithNode(path: string, accept: Accept): Promise<Listener> {
  const { createServer } = await import("node:net")
  const sockets = new Set<import("node:net").Socket>()
  const server = createServer((raw) => {
    sockets.add(raw)
    raw.on("close", () => sockets.delete(raw))
    const socket = nodeSocket(raw)
    handleWithNode(raw, socket.queue, accept(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(path, resolve)
  })
  return {
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

async function connectWithNode(path: string, handlers: SocketHandlers): Promise<Socket> {
  const { createConnection } = await import("node:net")
  const raw = createConnection(path)
  await new Promise<void>((resolve, reject) => {
    raw.once("connect", resolve)
    raw.once("error", reject)
  })
  const socket = nodeSocket(raw)
  handleWithNode(raw, socket.queue, handlers)
  return socket
}
