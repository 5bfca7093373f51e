// Direct mode: the script is a child process of this program, started from the same executable.
// It inherits our streams and leads its own process group, which ends with it.
import { selfCommand } from "../platform/self.ts"
import { type SpawnedProcess, signalGroup, spawnGroup } from "../platform/spawn.ts"
import type { Run, RunOutcome, RunRequest } from "./harness.ts"

interface Captured {
  stdout: Uint8Array[]
  stderr: Uint8Array[]
}

/** Starts a script in a child process. */
export async function startDirect(request: RunRequest): Promise<Run> {
  const startedAt = performance.now()
  const { script } = request
  const captured: Captured | undefined = request.capture ? { stdout: [], stderr: [] } : undefined
  // Before there is a process: while we waited for something then, a signal would find nobody to pass it on.
  const clock = request.timeoutMs === undefined ? undefined : (request.clock ?? (await newClock()))
  const child =
    request.ahead?.take(request) ??
    (await spawnGroup({
      command: [
        ...selfCommand(request.mode === "session" ? "__session" : "__run"),
        ...(script.kind === "file" ? [script.path] : ["--code", await leaveCode(request, script.code), script.name]),
        ...request.args,
      ],
      cwd: request.cwd,
      env: request.env,
      stdin: request.stdin ?? "inherit",
      stdout: captured === undefined ? "inherit" : (chunk) => keep("stdout", chunk, captured, request),
      stderr: captured === undefined ? "inherit" : (chunk) => keep("stderr", chunk, captured, request),
    }))
  return {
    pid: child.pid,
    clock,
    finished: finish(child, { ...request, clock }, startedAt, captured),
    signal: (name) => void signalGroup(child.pid, name),
    write: (text) => child.write(text),
  }
}

function keep(stream: keyof Captured, chunk: Uint8Array, captured: Captured, { onOutput, mode }: RunRequest): void {
  // A session prints for as long as it lives; whoever listens keeps what they need.
  if (mode !== "session") captured[stream].push(chunk)
  onOutput?.(stream, chunk)
}

async function finish(
  child: SpawnedProcess,
  { timeoutMs = 0, clock }: RunRequest,
  startedAt: number,
  captured: Captured | undefined,
): Promise<RunOutcome> {
  let timedOut = false
  const limit = clock?.startTimer(Math.min(timeoutMs, 2 ** 31 - 1), () => {
    timedOut = true
    void endWith(child)
  })
  const { code, signal } = await child.exited
  limit?.end()
  // Whatever the script left running in its group ends with it.
  if (signalGroup(child.pid, 0)) await endWith(child)
  if (captured !== undefined) await child.outputClosed
  return {
    exitCode: timedOut ? 124 : signal === null ? (code ?? 1) : await exitCodeOf(signal),
    timedOut,
    durationMs: performance.now() - startedAt,
    stdout: captured === undefined ? "" : textOf(captured.stdout),
    stderr: captured === undefined ? "" : textOf(captured.stderr),
  }
}

async function newClock(): Promise<NonNullable<RunRequest["clock"]>> {
  const { TimeLimits } = await import("../platform/time-limits.ts")
  return new TimeLimits()
}

async function endWith(child: SpawnedProcess): Promise<void> {
  const { endGroup } = await import("../platform/end-group.ts")
  await endGroup(child)
}

async function exitCodeOf(signal: string): Promise<number> {
  const { exitCodeOfSignal } = await import("./signals.ts")
  return exitCodeOfSignal(signal)
}

async function leaveCode({ directory }: RunRequest, code: string): Promise<string> {
  const file = `${directory}/${process.pid}.${crypto.randomUUID()}.ts`
  const { writeFile } = await import("node:fs/promises")
  await writeFile(file, code, { mode: 0o600, flag: "wx" })
  return file
}

function textOf(chunks: Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(chunks))
}
