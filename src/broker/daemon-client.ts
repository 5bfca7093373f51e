// The caller's end of a control connection to a daemon. On the path of every script where a daemon is
// wanted: it loads nothing, and gives up soon on a daemon that does not answer.
import { createLineReader } from "../lines.ts"
import { connect, type Socket } from "../platform/socket.ts"
import type { AdminOrder, Attach, Control, DaemonMessage, DaemonStatus, FinishedScript } from "./daemon-protocol.ts"

// A daemon answers within a tenth of a millisecond; one that takes this long is stuck or gone.
const attachWithinMs = 1000
const orderWithinMs = 2000
const finishWithinMs = 5000

/** Registers a run with the daemon at an address; undefined when none answers there. */
export async function attachToDaemon(address: string, attach: Attach): Promise<Attachment | undefined> {
  const attachment = new Attachment()
  return (await attachment.open(address, attach, "attached", attachWithinMs)) ? attachment : undefined
}

/** Gives the daemon at an address an order; undefined when none answers there. */
export async function orderDaemon(
  address: string,
  order: AdminOrder,
  withinMs = orderWithinMs,
): Promise<DaemonStatus | undefined> {
  const connection = new Attachment()
  const answer = await connection.open(address, { type: order, version: 1 }, "status", withinMs)
  connection.close()
  return answer?.type === "status" ? answer.status : undefined
}

export interface AttachmentEvents {
  message(message: DaemonMessage): void
  /** The daemon has gone, before the run was over. */
  lost(): void
}

export class Attachment {
  #socket: Socket | undefined
  #events: AttachmentEvents | undefined
  #early: DaemonMessage[] = []
  #awaited: { type: DaemonMessage["type"]; resolve: (message: DaemonMessage | undefined) => void } | undefined
  #isOver = false
  #isClosed = false

  /** Connects, says the first word and waits for its answer. */
  open(
    address: string,
    first: object,
    answer: DaemonMessage["type"],
    withinMs: number,
  ): Promise<DaemonMessage | undefined> {
    const { promise, resolve } = Promise.withResolvers<DaemonMessage | undefined>()
    const timer = setTimeout(() => this.close(), withinMs)
    this.#awaited = { type: answer, resolve }
    const lines = createLineReader((line) => this.#read(line))
    connect(address, { data: (chunk) => lines.push(chunk), closed: () => this.#closed() }).then(
      (socket) => {
        this.#socket = socket
        if (this.#isClosed) socket.end()
        else socket.send(`${JSON.stringify(first)}\n`)
      },
      () => this.close(),
    )
    return promise.finally(() => clearTimeout(timer))
  }

  /** Tells what happens from now on, and what has happened already. */
  listen(events: AttachmentEvents): void {
    this.#events = events
    for (const message of this.#early.splice(0)) events.message(message)
    if (this.#isClosed) events.lost()
  }

  send(message: Control): void {
    if (!this.#isClosed) this.#socket?.send(`${JSON.stringify(message)}\n`)
  }

  /** Ends the run. A script that has ended well is remembered by the daemon. */
  async finish(endedWell: boolean, script?: FinishedScript): Promise<void> {
    if (this.#isClosed) return
    // Who has what they wanted need not know if the daemon goes now.
    this.#isOver = endedWell
    // Everything there is to say about the run comes before the answer, and whatever is to be found on the
    // disk after the run has been written.
    const { promise, resolve } = Promise.withResolvers<DaemonMessage | undefined>()
    const timer = setTimeout(() => this.close(), finishWithinMs)
    this.#awaited = { type: "finished", resolve }
    this.send({ type: "finish", script: endedWell ? script : undefined })
    await promise
    clearTimeout(timer)
    this.close()
  }

  close(): void {
    // First of all, because the end of a socket is heard at once.
    this.#events = undefined
    this.#socket?.end()
    this.#closed()
  }

  #read(line: string): void {
    let message: DaemonMessage
    try {
      message = JSON.parse(line)
    } catch {
      return this.close() // whoever this is, it is no daemon
    }
    this.#receive(message)
  }

  #receive(message: DaemonMessage): void {
    const awaited = this.#awaited
    if (message.type === "finished") this.#isOver = true
    if (awaited !== undefined && (message.type === awaited.type || message.type === "refused")) {
      this.#awaited = undefined
      awaited.resolve(message.type === "refused" ? undefined : message)
    } else if (this.#events === undefined) this.#early.push(message)
    else this.#events.message(message)
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#awaited?.resolve(undefined)
    this.#awaited = undefined
    if (!this.#isOver) this.#events?.lost()
  }
}
