// An SDK transport over the standard streams of a process that leads its own group. Only types of
// the SDK are used: the process must be able to boot while the SDK is still loading.
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client"
import { createLineReader } from "../lines.ts"
import { endGroup, groupIsAlive } from "../platform/end-group.ts"
import type { Guard } from "../platform/guard.ts"
import { type Exit, type SpawnedProcess, signalGroup, spawnGroup } from "../platform/spawn.ts"
import { parseMessages, seemsMessage } from "./parse-message.ts"
import { TailBuffer } from "./tail-buffer.ts"
import { settled } from "./wait.ts"

const maxMessageBytes = 512 * 1024 * 1024
/** How much may be printed that is no message before the next one comes. */
const maxJunkCharacters = 16 * 1024 * 1024
const maxJunkReports = 20
const stderrBytes = 64 * 1024
/** How long a server may take to exit by itself once its input is closed. */
const politeExitMs = 100
/** How long output may still be on its way after the process has exited: a grandchild can hold the pipe for ever. */
const lastOutputMs = 500
/** How long a failed write waits for the news that the process has ended: it may close its input long before. */
const brokenPipeMs = 2000

export interface StdioCommand {
  command: readonly [string, ...string[]]
  cwd: string
  env: Record<string, string>
  /** It is JavaScript that runs on another runtime than its command says. */
  isOnOwnBun?: boolean
}

export interface StdioOptions {
  guard: Guard | undefined
  /** A line that is not a message; told of the first ones only. */
  onJunk(line: string): void
  /** The process and everything it has started are gone. */
  onEnded(): void
}

export class StdioTransport implements Transport {
  onclose: (() => void) | undefined
  onerror: ((error: Error) => void) | undefined
  onmessage: Transport["onmessage"]
  readonly command: StdioCommand
  #options: StdioOptions
  readonly #stderr = new TailBuffer(stderrBytes)
  #child: Promise<SpawnedProcess> | undefined
  #watching: Promise<void> | undefined
  #spawnFailure: unknown
  #exit: Exit | undefined
  #givenUp: "endless message" | "junk" | undefined
  #junkCharacters = 0
  #junkReported = 0
  #early: string[] | undefined = []
  #closing: Promise<void> | undefined
  #closeReported = false

  constructor(command: StdioCommand, options: StdioOptions) {
    this.command = command
    this.#options = options
  }

  /** Why there is no process; undefined when it could be started. */
  get spawnFailure(): unknown {
    return this.#spawnFailure
  }

  /** How the process ended; undefined while it runs, and when it ended because it was closed. */
  get exit(): Exit | undefined {
    return this.#exit
  }

  /** Why the connection was given up, although the process was willing to go on. */
  get givenUp(): "endless message" | "junk" | undefined {
    return this.#givenUp
  }

  /** The end of what the process wrote to stderr. */
  get stderr(): string {
    return this.#stderr.text()
  }

  /** Tells somebody else from now on. */
  belongTo(options: StdioOptions): void {
    this.#options = options
  }

  /** Starts the process without waiting for it. What goes wrong is reported by `start`. */
  launch(): void {
    if (this.#child !== undefined) return
    const lines = createLineReader((line) => this.#receive(line), {
      maxBytes: maxMessageBytes,
      onOverflow: () => this.#giveUp("endless message"),
    })
    this.#child = spawnGroup({
      ...this.command,
      stdin: "pipe",
      stdout: (chunk) => this.#givenUp ?? lines.push(chunk),
      stderr: (chunk) => this.#stderr.push(chunk),
    })
    this.#child.then(
      (child) => {
        this.#options.guard?.watch(child.pid)
        this.#watching = this.#watch(child)
      },
      (error) => {
        this.#spawnFailure = error
      },
    )
  }

  async start(): Promise<void> {
    this.launch()
    await this.#child
    const early = this.#early ?? []
    this.#early = undefined
    for (const line of early) this.#receive(line)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = await this.#child
    if (child === undefined || this.#closeReported) throw new Error("the server's process has ended")
    const line = `${JSON.stringify(message)}\n`
    try {
      await child.write(line)
    } catch (error) {
      // The pipe is broken because the process has ended: let that be known first.
      await settled(this.#watching ?? child.exited, brokenPipeMs)
      throw error
    }
  }

  /** Ends the process and everything it has started. */
  close(): Promise<void> {
    this.#closing ??= this.#end().finally(() => this.#options.onEnded())
    return this.#closing
  }

  #receive(line: string): void {
    if (this.#givenUp !== undefined) return
    if (!seemsMessage(line)) return this.#dropJunk(line)
    if (this.#early !== undefined) {
      this.#early.push(line)
      return
    }
    const messages = parseMessages(line)
    if (messages === undefined) return this.#dropJunk(line)
    this.#junkCharacters = 0
    for (const message of messages) this.onmessage?.(message)
  }

  /** A program that prints for ever is no server, and would keep us from everything else. */
  #dropJunk(line: string): void {
    if (this.#junkReported++ < maxJunkReports) this.#options.onJunk(line)
    this.#junkCharacters += line.length + 1
    if (this.#junkCharacters > maxJunkCharacters) this.#giveUp("junk")
  }

  #giveUp(reason: "endless message" | "junk"): void {
    this.#givenUp = reason
    // At once: it is busy printing, and has nothing to say goodbye with.
    this.#child?.then((child) => signalGroup(child.pid, "SIGKILL"))
    void this.close()
  }

  async #watch(child: SpawnedProcess): Promise<void> {
    const exit = await child.exited
    await settled(child.outputClosed, lastOutputMs)
    if (this.#closing === undefined) this.#exit = exit
    await this.close()
  }

  async #end(): Promise<void> {
    const child = await this.#child?.catch(() => undefined)
    // First of all the calls in flight fail: they need not wait for the process to go.
    this.#reportClose()
    if (child === undefined) return
    child.closeInput()
    await settled(child.exited, politeExitMs)
    if (groupIsAlive(child.pid)) await endGroup(child)
    this.#options.guard?.release(child.pid)
  }

  #reportClose(): void {
    if (this.#closeReported) return
    this.#closeReported = true
    this.onclose?.()
  }
}
