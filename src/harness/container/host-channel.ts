// The harness' end of the channel into a container. It admits one connection, the first: the
// container's first process makes it before any script runs. What comes in is data, never trusted.
import { chmodSync, rmSync } from "node:fs"
import { type BoxAnswer, type BoxRequest, createFrameReader, frameKind } from "../../guest/box-messages.ts"
import { type Listener, listen, type Socket } from "../../platform/socket.ts"
import { asAnswer } from "./box-answer.ts"

export interface ChannelHandlers {
  output(kind: "stdout" | "stderr", bytes: Uint8Array): void
  answer(answer: BoxAnswer): void
}

/** A channel into a container, whatever it goes over. */
export interface BoxLink {
  /** Settles when the container has come up. */
  readonly opened: Promise<void>
  /** Settles when the container's first process has gone. */
  readonly closed: Promise<void>
  send(request: BoxRequest): void
  /** Stops and resumes what the container sends. */
  pause(): void
  resume(): void
  /** Lets go: a container that still lives ends itself. */
  close(): void
}

/** Takes what comes out of a container apart. What is no frame ends it: `onBroken`, once. */
export function receiveFrames({ output, answer }: ChannelHandlers, onBroken: () => void) {
  return createFrameReader((kind, content) => {
    if (kind === frameKind.stdout) output("stdout", content)
    else if (kind === frameKind.stderr) output("stderr", content)
    else if (kind === frameKind.answer) answer(asAnswer(content))
  }, onBroken)
}

/** Over a socket that the container is shown. */
export class HostChannel implements BoxLink {
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

  get opened(): Promise<void> {
    return this.#opened.promise
  }

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

  pause(): void {
    this.#socket?.pause()
  }

  resume(): void {
    this.#socket?.resume()
  }

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
    const read = receiveFrames(this.#handlers, () => socket.end())
    this.#opened.resolve()
    return { data: read, closed: () => this.#closed.resolve() }
  }
}
