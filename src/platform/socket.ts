// Local stream sockets that carry text. Bun's own API where it exists (node:net costs more to load
// than a script to start), node:net otherwise and on Windows, where the address is a named pipe.

export interface SocketHandlers {
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
const encoder = new TextEncoder()
// One huge write stalls the event loop and doubles the memory.
const sliceBytes = 1 << 20

/** What the two implementations have in common: a queue that is joined, sliced and written. */
class Queue {
  #texts: string[] = []
  #bytes: Uint8Array | undefined
  #offset = 0
  #characters = 0
  #scheduled = false
  #ending = false
  readonly #write: (bytes: Uint8Array) => { taken: number; full: boolean }
  readonly #end: () => void
  #full = false

  constructor(write: (bytes: Uint8Array) => { taken: number; full: boolean }, end: () => void) {
    this.#write = write
    this.#end = end
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
        this.#bytes = encoder.encode(this.#texts.join(""))
        this.#offset = 0
        this.#texts = []
        this.#characters = 0
      }
      const { taken, full } = this.#write(this.#bytes.subarray(this.#offset, this.#offset + sliceBytes))
      this.#full = full
      this.#offset += taken
      if (this.#offset >= this.#bytes.length) this.#bytes = undefined
    }
    if (this.#ending && this.size === 0) this.#end()
  }
}

interface BunState {
  queue: Queue
  handlers: SocketHandlers
}

function bunSocket(raw: Bun.Socket<BunState>): Socket & { queue: Queue } {
  const queue = new Queue(
    (bytes) => {
      const taken = raw.write(bytes)
      return taken < 0 ? { taken: bytes.length, full: false } : { taken, full: taken < bytes.length }
    },
    () => raw.end(),
  )
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
  data: (raw: Bun.Socket<BunState>, chunk: Uint8Array) => raw.data.handlers.data(chunk),
  drain(raw: Bun.Socket<BunState>) {
    raw.data.queue.writable()
    if (raw.data.queue.size === 0) raw.data.handlers.drained?.()
  },
  close: (raw: Bun.Socket<BunState>) => raw.data?.handlers.closed(),
  error: (raw: Bun.Socket<BunState>) => void raw.end(),
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
  const queue = new Queue(
    (bytes) => ({ taken: bytes.length, full: !raw.write(bytes) }),
    () => raw.end(),
  )
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
