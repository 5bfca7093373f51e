// A broker that stays. Each connection is told by its first message: a caller that attaches a run, a
// script that shows a run's token, or an order to the daemon itself. Tokens are per run, and requests
// belong to one connection: no caller can see or cancel what is another's. Only this user can connect,
// since the socket is in a folder that nobody else may enter. Policy, limits and checks are the host's.
import { createLineReader } from "../lines.ts"
import type { Socket, SocketHandlers } from "../platform/socket.ts"
import {
  type AdminOrder,
  adminSchema,
  attachSchema,
  controlSchema,
  type DaemonMessage,
  type DaemonStatus,
  maxControlBytes,
} from "./daemon-protocol.ts"
import { AttachedRun, type ResultNotes, type RunOptions } from "./daemon-run.ts"

export interface DaemonOptions extends Omit<RunOptions, "notes"> {
  createNotes(): ResultNotes
  status(runs: Pick<DaemonStatus, "runs" | "sandboxed">): DaemonStatus
  order(order: Exclude<AdminOrder, "status">): void
  /** Whether it is still what callers look for; they go without it otherwise. */
  isCurrent(): boolean
  /** Called when the number of attached runs has become 0, and at the start. */
  onIdle(): void
  onBusy(): void
}

// Who does not say what they want is not listened to for long.
const maxFirstBytes = 1 << 20
const firstWithinMs = 10_000
const newline = 0x0a

export class Daemon {
  readonly #options: DaemonOptions
  readonly #runs = new Map<string, AttachedRun>()
  #isShut = false

  constructor(options: DaemonOptions) {
    this.#options = options
  }

  get runs(): number {
    return this.#runs.size
  }

  /** Takes a connection. */
  accept(socket: Socket): SocketHandlers {
    let handlers: SocketHandlers | undefined
    let heard = 0
    const chunks: Uint8Array[] = []
    const timer = setTimeout(() => socket.end(), firstWithinMs)
    return {
      data: (chunk) => {
        if (handlers !== undefined) return handlers.data(chunk)
        chunks.push(new Uint8Array(chunk))
        heard += chunk.length
        if (heard > maxFirstBytes) return socket.end()
        if (!chunk.includes(newline)) return
        clearTimeout(timer)
        const start = Buffer.concat(chunks)
        handlers = this.#choose(socket, start.subarray(0, start.indexOf(newline)).toString())
        handlers.data(start)
      },
      drained: () => handlers?.drained?.(),
      closed() {
        clearTimeout(timer)
        handlers?.closed()
      },
    }
  }

  /** From now on runs are refused, so that callers go without a daemon. */
  shut(): void {
    this.#isShut = true
  }

  /** Ends every run. */
  close(): void {
    this.shut()
    for (const run of this.#runs.values()) run.end()
    this.#runs.clear()
  }

  #choose(socket: Socket, line: string): SocketHandlers {
    const first = parse(line)
    if (isHello(first)) {
      const run = this.#runs.get(first.token)
      return run?.accept(socket) ?? refuse(socket, "this run is unknown, or the daemon that knew it has ended")
    }
    const attach = attachSchema.safeParse(first)
    if (attach.success) {
      const isWelcome = !this.#runs.has(attach.data.token) && !this.#isShut && this.#options.isCurrent()
      return isWelcome ? this.#attach(socket, attach.data) : refuse(socket, "it takes no such run")
    }
    const admin = adminSchema.safeParse(first)
    return admin.success ? this.#obey(socket, admin.data.type) : refuse(socket, "unknown protocol")
  }

  #attach(socket: Socket, attach: ConstructorParameters<typeof AttachedRun>[1]): SocketHandlers {
    const run = new AttachedRun(socket, attach, { ...this.#options, notes: this.#options.createNotes() })
    this.#runs.set(attach.token, run)
    this.#options.onBusy()
    run.listen().then(
      () => send(socket, { type: "attached" }),
      // The caller goes without a daemon.
      () => socket.end(),
    )
    let isFirst = true
    const lines = createLineReader(
      (line) => {
        if (isFirst) isFirst = false
        else {
          const message = controlSchema.safeParse(parse(line))
          if (message.success) run.receive(message.data)
          else socket.end()
        }
      },
      { maxBytes: maxControlBytes, onOverflow: () => socket.end() },
    )
    return {
      data: (chunk) => lines.push(chunk),
      closed: () => {
        run.end()
        this.#runs.delete(run.token)
        if (this.#runs.size === 0) this.#options.onIdle()
      },
    }
  }

  #obey(socket: Socket, order: AdminOrder): SocketHandlers {
    const sandboxed = [...this.#runs.values()].filter((run) => run.isSandboxed).length
    const status = this.#options.status({ runs: this.#runs.size, sandboxed })
    // Before the answer: who has it may rely on the order being carried out.
    if (order !== "status") this.#options.order(order)
    send(socket, { type: "status", status })
    socket.end()
    return deaf
  }
}

const deaf: SocketHandlers = { data() {}, closed() {} }

function refuse(socket: Socket, reason: string): SocketHandlers {
  send(socket, {
    type: "refused",
    error: { code: "E_BROKER", message: `mcp-exec refused this connection: ${reason}` },
  })
  socket.end()
  return deaf
}

function send(socket: Socket, message: DaemonMessage): void {
  socket.send(`${JSON.stringify(message)}\n`)
}

function isHello(message: unknown): message is { token: string } {
  return (
    typeof message === "object" &&
    message !== null &&
    "type" in message &&
    message.type === "hello" &&
    "token" in message &&
    typeof message.token === "string"
  )
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // refused like everything else that is no message
  }
}
