// Connections to the broker, carried by a channel that carries other things too. Both ends use this: the one
// in the container takes connections of the script, the one outside makes the other halves. What one end has
// sent and the other has not passed on is limited, so that a slow reader fills nobody's memory and does not
// hold up the rest of the channel.
import { type Socket, type SocketHandlers, wholeCharacters } from "../platform/socket.ts"

export type RelayMessage =
  | { type: "broker-open"; id: number }
  | { type: "broker"; id: number; text: string }
  /** So many characters have been passed on. */
  | { type: "broker-taken"; id: number; length: number }
  | { type: "broker-end"; id: number }

/** Tells these messages from others. */
export function isRelayed<Message extends { type: string }>(
  message: Message,
): message is Extract<Message, { type: RelayMessage["type"] }> {
  return message.type === "broker" || message.type.startsWith("broker-")
}

const window = 1 << 20
// The other end keeps to the window, unless it is not what it should be.
const tolerated = 4 * window
// Written as JSON it may become six times as long, and a frame holds a megabyte.
const sliceLength = 128 << 10
const maxConnections = 64

interface Connection {
  socket: Socket | undefined
  /** What has come before the socket. */
  early: string[]
  /** Sent, and not yet passed on by the other end. */
  sent: number
  /** Passed on, and not yet told. */
  owed: number
}

export class Relay {
  readonly #send: (message: RelayMessage) => void
  readonly #connect: ((handlers: SocketHandlers) => Promise<Socket>) | undefined
  readonly #connections = new Map<number, Connection>()
  #nextId = 0

  /** `connect` makes the other half of a connection that the other end has taken. */
  constructor(
    send: (message: RelayMessage) => void,
    connect?: ((handlers: SocketHandlers) => Promise<Socket>) | undefined,
  ) {
    this.#send = send
    this.#connect = connect
  }

  /** Takes a connection of this end. */
  take(socket: Socket): SocketHandlers {
    const id = this.#nextId++
    this.#send({ type: "broker-open", id })
    return this.#add(id, { socket, early: [], sent: 0, owed: 0 })
  }

  receive(message: RelayMessage): void {
    if (message.type === "broker-open") return this.#open(message.id)
    const connection = this.#connections.get(message.id)
    if (connection === undefined) return
    if (message.type === "broker") this.#pass(message.id, connection, message.text)
    else if (message.type === "broker-end") this.#drop(message.id)
    else {
      connection.sent -= message.length
      if (connection.sent <= window) connection.socket?.resume()
    }
  }

  close(): void {
    for (const id of [...this.#connections.keys()]) this.#drop(id)
  }

  #open(id: number): void {
    const isTaken = this.#connections.has(id) || this.#connections.size >= maxConnections
    if (isTaken || this.#connect === undefined) return this.#send({ type: "broker-end", id })
    const connection: Connection = { socket: undefined, early: [], sent: 0, owed: 0 }
    this.#connect(this.#add(id, connection)).then(
      (socket) => {
        if (this.#connections.get(id) !== connection) return socket.end()
        connection.socket = socket
        for (const text of connection.early.splice(0)) socket.send(text)
        this.#settle(id, connection)
      },
      () => this.#end(id),
    )
  }

  #add(id: number, connection: Connection): SocketHandlers {
    this.#connections.set(id, connection)
    // Everything is passed on as it is: lines, and texts whose length has been told.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
    return {
      data: (chunk) => {
        const text = decoder.decode(chunk, { stream: true })
        for (let at = 0; at < text.length; ) {
          const slice = wholeCharacters(text, at, sliceLength)
          this.#send({ type: "broker", id, text: slice })
          at += slice.length
        }
        connection.sent += text.length
        if (connection.sent > window) connection.socket?.pause()
      },
      drained: () => this.#settle(id, connection),
      closed: () => this.#end(id),
    }
  }

  #pass(id: number, connection: Connection, text: string): void {
    connection.owed += text.length
    if (connection.owed > tolerated) return this.#end(id)
    if (connection.socket === undefined) return void connection.early.push(text)
    connection.socket.send(text)
    // Sockets write at the end of a turn.
    queueMicrotask(() => this.#settle(id, connection))
  }

  /** What does not wait in our own queue has been passed on. */
  #settle(id: number, connection: Connection): void {
    if (connection.owed === 0 || (connection.socket?.queued ?? window) >= window) return
    this.#send({ type: "broker-taken", id, length: connection.owed })
    connection.owed = 0
  }

  /** Of this end, told to the other. */
  #end(id: number): void {
    if (this.#drop(id)) this.#send({ type: "broker-end", id })
  }

  #drop(id: number): boolean {
    this.#connections.get(id)?.socket?.end()
    return this.#connections.delete(id)
  }
}
