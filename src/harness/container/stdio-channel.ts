// The channel into a container over its stdin and stdout, through the engine's own process: for engines
// through which no socket can be shown, such as those in a virtual machine. The same words as over a socket.
import type { BoxRequest } from "../../guest/box-messages.ts"
import { endGroup } from "../../platform/end-group.ts"
import { type SpawnedProcess, spawnGroup } from "../../platform/spawn.ts"
import { type Answer, definedOnly, type EngineProgram, type Environment } from "./engine-command.ts"
import { type BoxLink, type ChannelHandlers, receiveFrames } from "./host-channel.ts"

// After the container has ended, or was told to.
const endsWithinMs = 5000
const maxComplaintBytes = 64 << 10

export class StdioChannel implements BoxLink {
  readonly #opened = Promise.withResolvers<void>()
  readonly #closed = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<Answer>()
  #child: SpawnedProcess | undefined
  #gate: PromiseWithResolvers<void> | undefined

  /** Starts the engine with arguments that have it pass on stdin and stdout. Rejects when it cannot be started. */
  async start(
    { path }: EngineProgram,
    args: readonly string[],
    env: Environment,
    handlers: ChannelHandlers,
  ): Promise<void> {
    const answer: ChannelHandlers["answer"] = (given) =>
      given.type === "ready" ? this.#opened.resolve() : handlers.answer(given)
    const read = receiveFrames({ ...handlers, answer }, () => this.close())
    let complaint = ""
    const child = await spawnGroup({
      command: [path, ...args],
      env: definedOnly(env),
      stdin: "pipe",
      stdout: (chunk) => {
        read(chunk)
        return this.#gate?.promise
      },
      stderr: (chunk) => {
        if (complaint.length < maxComplaintBytes) complaint += new TextDecoder().decode(chunk)
      },
    })
    this.#child = child
    void child.exited.then(async ({ code }) => {
      await child.outputClosed
      this.#closed.resolve()
      this.#ended.resolve({ code, stdout: "", stderr: complaint, timedOut: false })
    })
  }

  /** Settles when the engine's process has ended. */
  get ended(): Promise<Answer> {
    return this.#ended.promise
  }

  get opened(): Promise<void> {
    return this.#opened.promise
  }

  get closed(): Promise<void> {
    return this.#closed.promise
  }

  send(request: BoxRequest): void {
    // An engine that has ended says so by its end.
    this.#child?.write(`${JSON.stringify(request)}\n`).catch(() => {})
  }

  pause(): void {
    this.#gate ??= Promise.withResolvers<void>()
  }

  resume(): void {
    this.#gate?.resolve()
    this.#gate = undefined
  }

  close(): void {
    this.resume()
    this.#closed.resolve()
    const child = this.#child
    if (child === undefined) return
    child.closeInput()
    const timer = setTimeout(() => void endGroup(child, 500), endsWithinMs)
    void this.ended.then(() => clearTimeout(timer))
  }
}
