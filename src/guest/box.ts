// The first process of a container: `mcp-exec __box <socket>`. It waits for one script, runs it as a
// child, passes its streams on and reports its end; nothing is ever run in it twice. When the harness
// goes away it ends, and the kernel ends everything else in the container with it. The script runs
// as the same user, so this process must not be open to debuggers, and holds nothing worth taking.
import { readFile } from "node:fs/promises"
import { createLineReader } from "../lines.ts"
import { listen } from "../platform/socket.ts"
import { type BoxChannel, connectBox } from "./box-channel.ts"
import { inspectBox, killedForMemory } from "./box-facts.ts"
import { InputPipe, untilInputIsWanted } from "./box-input.ts"
import { lockBox } from "./box-lock.ts"
import { type BoxRequest, type BoxRun, type BoxWait, frameKind, maxFrameBytes, wakeWord } from "./box-messages.ts"
import { ScriptAhead, type ScriptProcess, startScript } from "./box-process.ts"
import { Relay } from "./relay.ts"

/** Serves one run, at once or when it is woken, and resolves to the exit code of the container. */
export async function runBox(address: string): Promise<number> {
  lockBox()
  const waiting = await serveBox(address)
  if (typeof waiting === "number") return waiting
  const word = await waiting.word
  if (word === "") return 0
  const run: BoxRun | undefined = word === wakeWord ? undefined : JSON.parse(word)
  // Whoever wakes us listens where the first did.
  const end = await serveBox(address, waiting.script, run)
  return typeof end === "number" ? end : 1
}

interface Waiting {
  /** What wakes us; empty when nobody has come. */
  word: Promise<string>
  script: ScriptAhead | undefined
}

/** One connection to a harness. Resolves to the container's exit code, or when it is to wait for another. */
async function serveBox(address: string, ahead?: ScriptAhead, run?: BoxRun): Promise<number | Waiting> {
  const { promise: ended, resolve: end } = Promise.withResolvers<number | Waiting>()
  let box: Box | undefined
  const receive = (request: BoxRequest) => {
    if (request.type === "wait") return void waitFor(request, channel).then(end)
    box?.receive(request)?.then(end, () => end(1))
  }
  const lines = createLineReader((line) => receive(JSON.parse(line)))
  const channel = await connectBox(address, { data: (chunk) => lines.push(chunk), closed: () => end(1) })
  box = new Box(channel, ahead)
  if (run !== undefined) receive(run)
  return await ended
}

/** Hangs up when it is ready to be woken: by a word in a pipe, or by the end of its patience. */
async function waitFor({ pipe, idleMs, env }: BoxWait, channel: BoxChannel): Promise<Waiting> {
  const script = env === undefined ? undefined : new ScriptAhead(env)
  // Opening it takes until somebody opens the other end, in a thread of its own.
  const word = readFile(pipe, "utf8")
  const tired = new Promise<string>((resolve) => setTimeout(() => resolve(""), idleMs))
  await Bun.sleep(20)
  channel.hangUp()
  return { word: Promise.race([word, tired]), script }
}

class Box {
  readonly #channel: BoxChannel
  readonly #relay: Relay
  readonly #ahead: ScriptAhead | undefined
  #script: ScriptProcess | undefined
  #input: InputPipe | undefined
  #cut = new AbortController()

  constructor(channel: BoxChannel, ahead: ScriptAhead | undefined) {
    this.#channel = channel
    this.#ahead = ahead
    this.#relay = new Relay((message) => void channel.answer(message))
  }

  /** A promise for what ends the container, nothing for what does not. */
  receive(request: Exclude<BoxRequest, BoxWait>): Promise<number> | undefined {
    switch (request.type) {
      case "run":
        return this.#run(request)
      case "inspect":
        return inspectBox(request).then((facts) => this.#channel.answer({ type: "facts", facts }))
      case "input":
        void this.#take(Buffer.from(request.data, "base64"))
        return undefined
      case "input-end":
        this.#input?.end()
        return undefined
      case "signal":
        signal(-(this.#script?.pid ?? 0), request.name)
        return undefined
      case "cut":
        this.#cut.abort()
        return undefined
      case "end":
        // Everybody but us; the script's end is then reported as usual.
        signal(-1, "SIGKILL")
        return undefined
      default:
        this.#relay.receive(request)
        return undefined
    }
  }

  async #run(request: BoxRun): Promise<number> {
    let script: ScriptProcess
    try {
      const ahead = this.#ahead?.fits(request) ? this.#ahead : undefined
      // At once: what a session is to do may follow on its heels.
      this.#input = request.input ? (ahead?.input ?? new InputPipe()) : undefined
      if (ahead === undefined) await this.#ahead?.end()
      if (request.broker !== undefined) await listen(request.broker, (socket) => this.#relay.take(socket))
      script = startScript(request, this.#input, ahead)
    } catch (error) {
      return this.#channel.answer({ type: "failed", message: error instanceof Error ? error.message : String(error) })
    }
    this.#script = script
    if (request.input && !request.isSession) void this.#announceInput(script)
    const output = Promise.all([
      this.#pass(script.stdout, frameKind.stdout),
      this.#pass(script.stderr, frameKind.stderr),
    ])
    await script.exited
    // Whatever the script has left running ends with it, and lets go of the streams.
    signal(-1, "SIGKILL")
    await output
    const { signalCode, exitCode } = script
    const code = signalCode === null ? (exitCode ?? 1) : 128 + signalNumber(String(signalCode))
    return this.#channel.answer({ type: "exit", code, outOfMemory: code === 137 && killedForMemory() })
  }

  async #announceInput(script: ScriptProcess): Promise<void> {
    const hasEnded = () => script.exitCode !== null || script.signalCode !== null
    await untilInputIsWanted(script.pid, hasEnded)
    if (!hasEnded()) await this.#channel.answer({ type: "input-wanted" })
  }

  async #pass(stream: ReadableStream<Uint8Array>, kind: number): Promise<void> {
    const reader = stream.getReader()
    const cut = new Promise<"cut">((resolve) => this.#cut.signal.addEventListener("abort", () => resolve("cut")))
    while (true) {
      const part = await Promise.race([reader.read(), cut])
      if (part === "cut") return void (await reader.cancel())
      if (part.done) return
      for (let at = 0; at < part.value.length; at += maxFrameBytes) {
        await this.#channel.send(kind, part.value.subarray(at, at + maxFrameBytes))
      }
    }
  }

  /** One piece after the other: the next is sent when the script has taken this one. */
  async #take(bytes: Uint8Array): Promise<void> {
    await this.#input?.write(bytes)
    await this.#channel.answer({ type: "input-taken" })
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    if (pid !== 0) process.kill(pid, name)
  } catch {
    // Nobody is left to be told.
  }
}

function signalNumber(name: string): number {
  return process.getBuiltinModule("node:os").constants.signals[name as NodeJS.Signals] ?? 0
}
