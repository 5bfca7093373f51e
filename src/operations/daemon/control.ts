// What a user can do with the daemon of their configuration: look at it, start it, end it, read its log.
import { lstatSync, rmSync } from "node:fs"
import { daemonAddress, daemonPrefix, isDaemonWanted } from "../../broker/daemon-address.ts"
import { orderDaemon } from "../../broker/daemon-client.ts"
import type { DaemonStatus } from "../../broker/daemon-protocol.ts"
import type { ExecSettings } from "../../config/receipt.ts"
import { McpExecError } from "../../errors.ts"
import { groupIsAlive } from "../../platform/end-group.ts"
import { runtimeDirectory } from "../../platform/runtime-directory.ts"
import type { OperationContext } from "../context.ts"
import { daemonsOf, removeDead } from "./claim.ts"
import { logPath, readLog } from "./log-file.ts"
import { lockOf, startDaemon, waitForDaemon, waitForStarts } from "./start.ts"

export interface DaemonReport {
  running: boolean
  /** Whether `exec` and `call` use one. */
  enabled: boolean
  config: string
  log: string
  daemon?: DaemonStatus
}

/** How the daemon of the configuration is. */
export async function daemonStatus(context: OperationContext): Promise<DaemonReport> {
  const place = await findPlace(context)
  return await report(place, await orderDaemon(place.address, "status"))
}

/** Starts the daemon, unless it runs already, and waits until it answers. */
export async function startDaemonNow(context: OperationContext): Promise<DaemonReport> {
  const place = await findPlace(context)
  const running = await orderDaemon(place.address, "status")
  if (running !== undefined) return await report(place, running)
  // What is wrong with the configuration is said here, where somebody reads it.
  await context.config()
  await startDaemon(place)
  return await report(place, await waitForDaemon(place.address, place.log))
}

/** Ends every daemon of the configuration, its servers included. Calls under way fail. */
export async function stopDaemon(context: OperationContext): Promise<{ stopped: number[] }> {
  return { stopped: await endAll(await findPlace(context), "stop") }
}

/** Starts a new daemon; the one before ends when its runs are over. */
export async function restartDaemon(context: OperationContext): Promise<DaemonReport> {
  await endAll(await findPlace(context), "retire")
  return await startDaemonNow(context)
}

/** The last lines of the daemon's log. */
export async function daemonLogs(
  context: OperationContext,
  { lines }: { lines: number },
): Promise<{ file: string; lines: string[] }> {
  const { log } = await findPlace(context)
  return { file: log, lines: readLog(log, lines) }
}

interface Place {
  address: string
  directory: string
  file: string
  log: string
  env: Record<string, string | undefined>
  settings: ExecSettings
  cacheDirectory: string
}

async function findPlace(context: OperationContext): Promise<Place> {
  const { env, cacheDirectory } = context
  const settings = await context.settings()
  const { file } = settings
  if (file === undefined || process.platform === "win32") {
    throw file === undefined
      ? new McpExecError("E_CONFIG_NOT_FOUND", "A daemon belongs to a configuration file, and there is none here", {
          hint: "Make one with mcp-exec init, or name it with --config.",
        })
      : new McpExecError("E_STATE", "There is no daemon on Windows", { hint: "exec and call work without one." })
  }
  const directory = await runtimeDirectory(env, cacheDirectory)
  const [address, log] = await Promise.all([daemonAddress(directory, file, env), logPath(cacheDirectory, file)])
  return { address, directory, file, log, env, settings, cacheDirectory }
}

async function report({ file, log, env, settings }: Place, daemon: DaemonStatus | undefined): Promise<DaemonReport> {
  const enabled = isDaemonWanted(env, settings)
  return { running: daemon !== undefined, enabled, config: file, log, ...(daemon !== undefined && { daemon }) }
}

// Longer than servers are given to end by themselves.
const endWithinMs = 8000

async function endAll({ directory, file }: Place, order: "stop" | "retire"): Promise<number[]> {
  // One that is about to come would not be found.
  await waitForStarts(directory, await daemonPrefix(file))
  const addresses = await daemonsOf(directory, file)
  const ended = await Promise.all(addresses.map((address) => endOne(address, order)))
  return ended.filter((pid) => pid !== undefined)
}

async function endOne(address: string, order: "stop" | "retire"): Promise<number | undefined> {
  const inode = lstatSync(address, { throwIfNoEntry: false })?.ino
  const status = await orderDaemon(address, order)
  if (status === undefined) removeDead(address, inode)
  else if (order === "stop") await gone(status.pid)
  rmSync(lockOf(address), { force: true })
  return status?.pid
}

async function gone(pid: number): Promise<void> {
  const deadline = performance.now() + endWithinMs
  // It leads a group. In a container nobody may reap it: a zombie counts as gone.
  while (groupIsAlive(pid)) {
    if (performance.now() > deadline) {
      throw new McpExecError("E_STATE", `The daemon (process ${pid}) does not end`, {
        hint: `End it with: kill -9 ${pid}`,
      })
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
