// Direct mode: the script is a child process of this program, started from the same executable.
// It inherits our streams, leads its own process group, and never outlives us.
import type { Guard } from "../platform/guard.ts"
import { selfCommand } from "../platform/self.ts"
import { endGroup, groupIsAlive, type Output, signalGroup, spawnGroup } from "../platform/spawn.ts"
import type { Harness, RunRequest } from "./harness.ts"
import { exitCodeOfExit } from "./limits.ts"

const guardAfterMs = 15

/** Makes the harness; `guard` ends the script when we are killed. */
export function createDirectHarness(guard: Guard): Harness {
  return async (request) => {
    const startedAt = performance.now()
    const [stdout, stderr] = [collector(request.capture), collector(request.capture)]
    const child = await spawnGroup({
      command: await childCommand(request),
      cwd: request.cwd,
      env: {
        ...request.env,
        MCP_EXEC_BROKER: request.endpoint.address,
        MCP_EXEC_TOKEN: request.endpoint.token,
        ...(request.capture && { MCP_EXEC_REPORT: "1" }),
      },
      stdin: "inherit",
      stdout: stdout.output,
      stderr: stderr.output,
    })
    // Starting the guard would slow the script's own start, so it waits until that is over.
    const guarding = setTimeout(() => guard.watch(child.pid), guardAfterMs)
    let timedOut = false
    const timer =
      request.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true
            void endGroup(child)
          }, request.timeoutMs)

    const finish = async () => {
      const exit = await child.exited
      clearTimeout(guarding)
      clearTimeout(timer)
      // Whatever the script left running in its group ends with it.
      if (groupIsAlive(child.pid)) await endGroup(child)
      if (request.capture) await child.outputClosed
      guard.release(child.pid)
      return {
        exitCode: timedOut ? 124 : exitCodeOfExit(exit),
        timedOut,
        durationMs: performance.now() - startedAt,
        stdout: stdout.text(),
        stderr: stderr.text(),
      }
    }
    return { finished: finish(), signal: (name) => void signalGroup(child.pid, name) }
  }
}

async function childCommand({ script, args, directory }: RunRequest): Promise<[string, ...string[]]> {
  const self = selfCommand("__run")
  if (script.kind === "file") return [...self, script.path, ...args]
  const file = `${directory}/${process.pid}.${crypto.randomUUID()}.ts`
  const { writeFile } = await import("node:fs/promises")
  await writeFile(file, script.code, { mode: 0o600, flag: "wx" })
  return [...self, "--code", file, script.name, ...args]
}

function collector(capture: boolean): { output: Output; text(): string } {
  if (!capture) return { output: "inherit", text: () => "" }
  const chunks: Uint8Array[] = []
  return {
    output: (chunk) => void chunks.push(chunk),
    text: () => new TextDecoder().decode(Buffer.concat(chunks)),
  }
}
