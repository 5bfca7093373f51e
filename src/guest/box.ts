// The first process of a container: `mcp-exec __box <socket>`. It waits for one script, runs it as a
// child, passes its streams on and reports its end; nothing is ever run in it twice. When the harness
// goes away it ends, and the kernel ends everything else in the container with it. The script runs
// as the same user, so this process must not be open to debuggers, and holds nothing worth taking.
import { mkdirSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname } from "node:path"
import { createLineReader } from "../lines.ts"
import { listen } from "../platform/socket.ts"
import { type BoxChannel, connectBox } from "./box-channel.ts"
import { inspectBox, killedForMemory } from "./box-facts.ts"
import { InputPipe, untilInputIsWanted } from "./box-input.ts"
import { lockBox } from "./box-lock.ts"
import { type BoxRequest, type BoxRun, type BoxWait, frameKind, maxFrameBytes } from "./box-messages.ts"
import { Relay } from "./relay.ts"

/** Serves one run, at once or when it is woken, and resolves to the exit code of the container. */
export async function runBox(address: string): Promise<number> {
  lockBox()
  const waiting = await serveBox(address)
  if (typeof waiting === "number") return waiting
  // Whoever wakes us listens where the first did.
  if (!(await waiting.woken)) return 0
  const end = await serveBox(address)
  return typeof end === "number" ? end : 1
}

interface Waiting {
  woken: Promise<boolean>
}

/** One connection to a harness. Resolves to the container's exit code, or when it is to wait for another. */
async function serveBox(address: string): Promise<number | Waiting> {
  const { promise: ended, resolve: end } = Promise.withResolvers<number | Waiting>()
  let box: Box | undefined
  const lines = createLineReader((line) => {
    const request: BoxRequest = JSON.parse(line)
    if (request.type === "wait") return void waitFor(request, channel).then(end)
    box?.receive(request)?.then(end, () => end(1))
  })
  const channel = await connectBox(address, { data: (chunk) => lines.push(chunk), closed: () => end(1) })
  box = new Box(channel)
  return await ended
}

/** Hangs up when it is ready to be woken: by a word in a pipe, or by the end of its patience. */
async function waitFor({ pipe, idleMs }: BoxWait, channel: BoxChannel): Promise<Waiting> {
  // Opening it takes until somebody opens the other end, in a thread of its own.
  const word = readFile(pipe, "utf8").then((text) => text !== "")
  const tired = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), idleMs))
  await Bun.sleep(20)
  channel.hangUp()
  return { woken: Promise.race([word, tired]) }
}

type ScriptProcess = Bun.Subprocess<number | "ignore", "pipe", "pipe">

class Box {
  readonly #channel: BoxChannel
  readonly #relay: Relay
  #script: ScriptProcess | undefined
  #input: InputPipe | undefined
  #cut = new AbortController()

  constructor(channel: BoxChannel) {
    this.#channel = channel
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
      // At once: what a session is to do may follow on its heels.
      this.#input = request.input ? new InputPipe() : undefined
      if (request.broker !== undefined) await listen(request.broker, (socket) => this.#relay.take(socket))
      script = startScript(request, this.#input)
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

function startScript({ files, script, args, cwd, env, isSession }: BoxRun, input: InputPipe | undefined) {
  for (const { path, text } of files) leave(path, text)
  // A folder of the project that holds nothing of the script's.
  mkdirSync(cwd, { recursive: true })
  let words = script.kind === "file" ? [script.path] : []
  if (script.kind === "code") {
    const file = "/tmp/.mcp-exec-code.ts"
    leave(file, script.code)
    words = ["--code", file, script.name]
  }
  const child = Bun.spawn([process.execPath, isSession ? "__session" : "__run", ...words, ...args], {
    cwd,
    env,
    stdin: input?.reader ?? "ignore",
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  })
  input?.handOver()
  void makeFirstVictim(child)
  return child
}

/** When memory runs out, the script is to go first: somebody has to tell. */
async function makeFirstVictim(script: ScriptProcess): Promise<void> {
  for (let tries = 0; tries < 100 && script.exitCode === null; tries++) {
    try {
      return writeFileSync(`/proc/${script.pid}/oom_score_adj`, "1000")
    } catch {
      // Until it has become another program, it is as closed as we are.
      await Bun.sleep(5)
    }
  }
}

function leave(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
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
