// Starting processes. Bun's own API where it exists (loading node:child_process costs more than
// starting a script), node: otherwise. Every child leads a process group of its own, so that it can
// be ended together with everything it has started.

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
  if (typeof Bun !== "undefined") return spawnWithBun(request)
  const { spawnWithNode } = await import("./spawn-with-node.ts")
  return await spawnWithNode(request)
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
    exited: exitOf(child),
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

/** What Bun gives for a process: as much of it as is needed, since where there is no Bun there are no types of it. */
export interface StartedProcess {
  readonly pid: number
  readonly exited: Promise<unknown>
  readonly exitCode: number | null
  readonly signalCode: string | number | null
}

/** How a process of Bun's ends. */
export async function exitOf(child: StartedProcess): Promise<Exit> {
  await child.exited
  const { exitCode, signalCode } = child
  return signalCode === null ? { code: exitCode, signal: null } : { code: null, signal: String(signalCode) }
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
