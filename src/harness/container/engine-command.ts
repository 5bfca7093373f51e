// Running podman or docker and reading what they say. Their arguments are a list, never a shell's line.
import { endGroup } from "../../platform/end-group.ts"
import { type SpawnedProcess, spawnGroup } from "../../platform/spawn.ts"

export type Environment = Record<string, string | undefined>

export interface EngineProgram {
  name: "podman" | "docker"
  path: string
}

export interface Answer {
  code: number | null
  stdout: string
  stderr: string
  timedOut: boolean
}

// A stopped virtual machine behind an engine can take for ever to say so.
const patienceMs = 60_000

/** Runs an engine's command to its end. A program that cannot be started answers with code null. */
export async function askEngine(
  { path }: { path: string; name?: string },
  args: readonly string[],
  env: Environment,
  timeoutMs = patienceMs,
): Promise<Answer> {
  const stdout: Uint8Array[] = []
  const stderr: Uint8Array[] = []
  let child: SpawnedProcess
  try {
    child = await spawnGroup({
      command: [path, ...args],
      // The engine's own: where its daemon, its storage and the user's home are.
      env: definedOnly(env),
      stdin: "ignore",
      stdout: (chunk) => void stdout.push(chunk.slice()),
      stderr: (chunk) => void stderr.push(chunk.slice()),
    })
  } catch (error) {
    return { code: null, stdout: "", stderr: error instanceof Error ? error.message : String(error), timedOut: false }
  }
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    void endGroup(child, 500)
  }, timeoutMs)
  const { code } = await child.exited
  clearTimeout(timer)
  // What an engine leaves behind (podman's monitor of a container) may hold the streams for as long as it lives.
  if (!timedOut) await Promise.race([child.outputClosed, new Promise((resolve) => setTimeout(resolve, 200))])
  return { code, stdout: textOf(stdout), stderr: textOf(stderr), timedOut }
}

/** The last thing an engine said, without its own decoration. */
export function complaintOf({ stderr, code, timedOut }: Answer): string {
  if (timedOut) return "it did not answer in time"
  const lines = stderr.trim().split("\n")
  return (
    (lines.findLast((line) => /^Error|error/.test(line)) ?? lines.at(-1) ?? "").replace(/^Error: /, "") ||
    `exit code ${code}`
  )
}

export function definedOnly(env: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

// Where an engine's daemon, storage and settings are, and which program is to run inside.
const engineVariables =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK|(DOCKER|CONTAINERS?|STORAGE)_\w+|MCP_EXEC_SANDBOX_PROGRAM)$/

/** What an engine needs of an environment, for another process of ours that is to use it. */
export function engineEnvironment(env: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(definedOnly(env)).filter(([name]) => engineVariables.test(name)))
}

function textOf(chunks: Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(chunks))
}
