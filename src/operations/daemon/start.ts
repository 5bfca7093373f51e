// Starts a daemon in the background. However many want one at the same moment, one of them starts it:
// the rest find its lock. A lock counts while the process that it names is alive, and for a short time.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { networkOf, variablesFor } from "../../broker/daemon-address.ts"
import { orderDaemon } from "../../broker/daemon-client.ts"
import type { DaemonStatus } from "../../broker/daemon-protocol.ts"
import type { ExecSettings } from "../../config/receipt.ts"
import { McpExecError } from "../../errors.ts"
import { engineEnvironment } from "../../harness/container/engine-command.ts"
import { serverEnvironment } from "../../mcp/environment.ts"
import { selfCommand } from "../../platform/self.ts"
import { spawnGroup } from "../../platform/spawn.ts"

export interface StartDaemonInput {
  address: string
  file: string
  env: Record<string, string | undefined>
  settings: ExecSettings
  cacheDirectory: string
  /** Servers to connect to at once. */
  warm?: readonly string[]
}

// A daemon is there within a tenth of a second; on a very busy machine within some.
const startWithinMs = 15_000
// A run waits for this at its end, so it gives up sooner than others on a daemon that does not answer.
const aliveWithinMs = 500

/** Starts a daemon unless somebody is just doing that. Resolves without waiting for it. */
export async function startDaemon(input: StartDaemonInput): Promise<void> {
  const { address, file, env, settings, cacheDirectory, warm = [] } = input
  const lock = lockOf(address)
  if (!takeLock(lock)) return
  try {
    // While this run was on its way, another may have started one.
    if ((await orderDaemon(address, "status", aliveWithinMs)) !== undefined) return rmSync(lock, { force: true })
    const own = {
      ...networkOf(env),
      ...variablesFor(env, settings),
      ...engineEnvironment(env),
      MCP_EXEC_CACHE_DIR: cacheDirectory,
    }
    const child = await spawnGroup({
      command: [...selfCommand("__daemon"), file, address, ...warm],
      cwd: "/",
      env: serverEnvironment(env, own),
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    })
    passOn(lock, child.pid)
  } catch (error) {
    rmSync(lock, { force: true })
    throw error
  }
}

/** Where the one who starts a daemon leaves word. */
export function lockOf(address: string): string {
  return `${address}.lock`
}

/** Waits until nobody is starting a daemon whose name begins with this. */
export async function waitForStarts(directory: string, prefix: string): Promise<void> {
  const isStarting = () =>
    readdirSync(directory).some(
      (name) => name.startsWith(prefix) && name.endsWith(".lock") && isLocked(`${directory}/${name}`),
    )
  while (isStarting()) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** Waits until a daemon answers. */
export async function waitForDaemon(address: string, log: string): Promise<DaemonStatus> {
  const deadline = performance.now() + startWithinMs
  while (performance.now() < deadline) {
    const status = await orderDaemon(address, "status")
    if (status !== undefined) return status
    // Its lock goes when it is there, or when it never will be.
    if (!isLocked(lockOf(address))) {
      const last = await orderDaemon(address, "status")
      if (last !== undefined) return last
      break
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new McpExecError("E_BROKER", "The daemon did not start", { hint: `Its log may say why: ${log}` })
}

/** Only if the lock is still there: a daemon that is ready has taken it away. */
function passOn(lock: string, pid: number): void {
  try {
    writeFileSync(lock, lockText(pid), { flag: "r+" })
  } catch {
    // It is ready.
  }
}

function takeLock(lock: string): boolean {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(lock, lockText(process.pid), { flag: "wx", mode: 0o600 })
      return true
    } catch {
      if (isLocked(lock)) return false
      rmSync(lock, { force: true })
    }
  }
  return false
}

/** Always of the same length, so that one can be written over the other. */
function lockText(pid: number): string {
  return String(pid).padEnd(16)
}

function isLocked(lock: string): boolean {
  try {
    if (Date.now() - statSync(lock).mtimeMs > startWithinMs) return false
    const pid = Number(readFileSync(lock, "utf8"))
    // Empty for a moment, while it is being written.
    if (pid > 0) process.kill(pid, 0)
    return true
  } catch {
    return false // no lock, or whoever held it is gone
  }
}
