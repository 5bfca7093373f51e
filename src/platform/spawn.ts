// Starting and ending processes. Bun's own API where it exists (loading node:child_process costs
// more than starting a script), node: otherwise. Every child leads a process group of its own, so
// that it can be ended together with everything it has started.

export interface SpawnRequest {
  command: readonly [string, ...string[]]
  cwd?: string | undefined
  /** The whole environment: nothing is inherited. */
  env: Record<string, string>
  stdin: "pipe" | "inherit" | "ignore"
  stdout: Output
  stderr: Output
}

/** Where a stream goes: to our own, nowhere, or to a callback. A promise from it has the stream wait. */
export type Output = "inherit" | "ignore" | ((chunk: Uint8Array) => unknown)

export interface Exit {
  code: number | null
  signal: string | null
}

export interface SpawnedProcess {
  readonly pid: number
  /** Settles when the process has ended; its descendants may still be running. */
  readonly exited: Promise<Exit>
  /** Settles when nobody holds the captured streams any more. */
  readonly outputClosed: Promise<void>
  /** Resolves when the operating system has taken the text. */
  write(text: string): Promise<void>
  closeInput(): void
}

const bytesPerTurn = 1 << 20

/** Starts a program as the leader of a new process group. Rejects when it cannot be started. */
export async function spawnGroup(request: SpawnRequest): Promise<SpawnedProcess> {
  return typeof Bun === "undefined" ? await spawnWithNode(request) : spawnWithBun(request)
}

/** Sends a signal to a whole process group. False when nobody is left in it. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal)
    return true
  } catch {
    return false
  }
}

/** Ends a process group: TERM, and KILL for what is left after `graceMs`. Resolves when it is gone. */
export async function endGroup(child: SpawnedProcess, graceMs = 2000): Promise<void> {
  if (signalGroup(child.pid, "SIGTERM")) await goneWithin(child, graceMs)
  if (signalGroup(child.pid, "SIGKILL")) await goneWithin(child, graceMs)
}

async function goneWithin(child: SpawnedProcess, milliseconds: number): Promise<void> {
  const deadline = performance.now() + milliseconds
  await exitWithin(child, milliseconds)
  while (groupIsAlive(child.pid) && performance.now() < deadline) await sleep(10)
}

async function exitWithin(child: SpawnedProcess, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([child.exited, timeout])
  clearTimeout(timer)
}

/** True while somebody in the group runs. A zombie that nobody has reaped yet is not somebody. */
export function groupIsAlive(pid: number): boolean {
  if (!signalGroup(pid, 0)) return false
  if (process.platform !== "linux") return true
  const { readdirSync, readFileSync } = process.getBuiltinModule("node:fs")
  return readdirSync("/proc").some((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      // "1234 (a name) S 1 <group> …": the name may contain anything, also brackets.
      const [state, , group] = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")
      return Number(group) === pid && state !== "Z" && state !== "X"
    } catch {
      return false // ended between the two looks
    }
  })
}

function spawnWithBun(request: SpawnRequest): SpawnedProcess {
  const child = Bun.spawn([...request.command], {
    ...(request.cwd !== undefined && { cwd: request.cwd }),
    env: request.env,
    stdin: request.stdin,
    stdout: typeof request.stdout === "function" ? "pipe" : request.stdout,
    stderr: typeof request.stderr === "function" ? "pipe" : request.stderr,
    detached: true,
    windowsHide: true,
  })
  const { stdin } = child
  return {
    pid: child.pid,
    exited: child.exited.then(() => ({
      code: child.signalCode === null ? child.exitCode : null,
      signal: child.signalCode === null ? null : String(child.signalCode),
    })),
    outputClosed: Promise.all([drain(child.stdout, request.stdout), drain(child.stderr, request.stderr)]).then(
      () => {},
    ),
    async write(text) {
      if (stdin === undefined || typeof stdin === "number") throw new Error("the process has no input pipe")
      stdin.write(text)
      await stdin.flush()
    },
    closeInput() {
      if (stdin !== undefined && typeof stdin !== "number") stdin.end()
    },
  }
}

async function drain(stream: ReadableStream<Uint8Array> | number | undefined, output: Output): Promise<void> {
  if (typeof output !== "function" || stream === undefined || typeof stream === "number") return
  let sinceTurn = 0
  for await (const chunk of stream) {
    const wait = output(chunk)
    if (wait instanceof Promise) await wait
    sinceTurn += chunk.length
    if (sinceTurn < bytesPerTurn) continue
    // A process that prints without end always has a chunk ready: timers and signals would never get a turn.
    sinceTurn = 0
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function spawnWithNode(request: SpawnRequest): Promise<SpawnedProcess> {
  const { spawn } = await import("node:child_process")
  const [program, ...args] = request.command
  const child = spawn(program, args, {
    cwd: request.cwd,
    env: request.env,
    stdio: [
      request.stdin,
      typeof request.stdout === "function" ? "pipe" : request.stdout,
      typeof request.stderr === "function" ? "pipe" : request.stderr,
    ],
    detached: true,
    windowsHide: true,
  })
  const exited = new Promise<Exit>((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })))
  const outputClosed = new Promise<void>((resolve) => child.once("close", () => resolve()))
  for (const [stream, output] of [[child.stdout, request.stdout] as const, [child.stderr, request.stderr] as const]) {
    if (stream === null || typeof output !== "function") continue
    stream.on("data", (chunk: Uint8Array) => {
      const wait = output(chunk)
      if (!(wait instanceof Promise)) return
      stream.pause()
      void wait.then(() => stream.resume())
    })
  }
  // A server that closes its input early is noticed by its exit, not by EPIPE.
  child.stdin?.on("error", () => {})
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve)
    child.once("error", reject)
  })
  return {
    pid: child.pid as number,
    exited,
    outputClosed,
    write: (text) =>
      new Promise((resolve, reject) => {
        if (child.stdin === null) reject(new Error("the process has no input pipe"))
        else child.stdin.write(text, (error) => (error ? reject(error) : resolve()))
      }),
    closeInput: () => child.stdin?.end(),
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
