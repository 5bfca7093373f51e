// The harness' end of the channel into a container. It admits one connection, the first: the
// container's first process makes it before any script runs. What comes in is data, never trusted.
import { chmodSync, rmSync } from "node:fs"
import { type BoxAnswer, type BoxRequest, createFrameReader, frameKind } from "../../guest/box-messages.ts"
import { type Listener, listen, type Socket } from "../../platform/socket.ts"

export interface ChannelHandlers {
  output(kind: "stdout" | "stderr", bytes: Uint8Array): void
  answer(answer: BoxAnswer): void
}

export class HostChannel {
  readonly #path: string
  readonly #handlers: ChannelHandlers
  readonly #opened = Promise.withResolvers<void>()
  readonly #closed = Promise.withResolvers<void>()
  #listener: Listener | undefined
  #socket: Socket | undefined

  constructor(path: string, handlers: ChannelHandlers) {
    this.#path = path
    this.#handlers = handlers
  }

  /** Settles when the container has come up. */
  get opened(): Promise<void> {
    return this.#opened.promise
  }

  /** Settles when the container's first process has gone. */
  get closed(): Promise<void> {
    return this.#closed.promise
  }

  async listen(): Promise<void> {
    this.#listener = await listen(this.#path, (socket) => this.#accept(socket))
    // Inside, another user connects; outside, nobody else can enter the folder.
    chmodSync(this.#path, 0o666)
  }

  send(request: BoxRequest): void {
    this.#socket?.send(`${JSON.stringify(request)}\n`)
  }

  /** Stops and resumes what the container sends. */
  pause(): void {
    this.#socket?.pause()
  }

  resume(): void {
    this.#socket?.resume()
  }

  /** Lets go: a container that still lives ends itself. */
  close(): void {
    this.#listener?.close()
    this.#listener = undefined
    this.#socket?.end()
    rmSync(this.#path, { force: true })
    this.#closed.resolve()
  }

  #accept(socket: Socket) {
    if (this.#socket !== undefined) {
      socket.end()
      return { data() {}, closed() {} }
    }
    this.#socket = socket
    rmSync(this.#path, { force: true })
    const read = createFrameReader(
      (kind, content) => this.#receive(kind, content),
      () => socket.end(),
    )
    this.#opened.resolve()
    return { data: read, closed: () => this.#closed.resolve() }
  }

  #receive(kind: number, content: Uint8Array): void {
    if (kind === frameKind.stdout) this.#handlers.output("stdout", content)
    else if (kind === frameKind.stderr) this.#handlers.output("stderr", content)
    else if (kind === frameKind.answer) this.#handlers.answer(asAnswer(content))
  }
}

/** Whatever it says becomes one of the known answers, with fields of the right kind. */
function asAnswer(content: Uint8Array): BoxAnswer {
  let answer: Partial<Record<string, unknown>> = {}
  try {
    answer = JSON.parse(new TextDecoder().decode(content)) ?? {}
  } catch {
    // Falls through to the complaint.
  }
  switch (answer.type) {
    case "input-taken":
      return { type: "input-taken" }
    case "exit":
      return { type: "exit", code: exitCode(answer.code), outOfMemory: answer.outOfMemory === true }
    case "facts":
      return answer as BoxAnswer
    default:
      return { type: "failed", message: String(answer.message ?? "the container said something that makes no sense") }
  }
}

function exitCode(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255 ? value : 1
}
