// Starting processes where there is no Bun.
import type { Exit, SpawnedProcess, SpawnRequest } from "./spawn.ts"

/** Starts a program as the leader of a new process group. Rejects when it cannot be started. */
export async function spawnWithNode(request: SpawnRequest): Promise<SpawnedProcess> {
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
