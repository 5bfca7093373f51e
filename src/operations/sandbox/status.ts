// What the sandbox is on this machine: which engine, what it keeps of what it is asked for, and what
// of ours is there. The engine is tried out when that has not been done yet.
import { describeError, type ErrorDescription } from "../../errors.ts"
import { type Container, listContainers } from "../../harness/container/containers.ts"
import { type Engine, findEngine } from "../../harness/container/engine.ts"
import { type Lock, locks } from "../../harness/container/probe.ts"
import type { OperationContext } from "../context.ts"
import { engineWish } from "./find.ts"

export interface SandboxStatus {
  /** Whether scripts run in the sandbox unless told otherwise. */
  enabled: boolean
  ok: boolean
  error?: ErrorDescription
  engine?: Pick<Engine, "name" | "path" | "version" | "rootless" | "cgroups" | "extraFlags" | "channel">
  /** True for each that holds on this machine. */
  enforced?: Record<Lock, boolean>
  limits: { memory: string; cpus: number; pids: number; timeout: number; maxTimeout: number; maxOutput: string }
  image?: string
  /** How many containers commands leave waiting. */
  pool: number
  /** Started ahead, waiting for a script. */
  warm: number
  containers: Container[]
}

/** Tries the engine out if need be, and reports. A sandbox that is not to be had is a result. */
export async function sandboxStatus(context: OperationContext): Promise<SandboxStatus> {
  const { sandbox } = await context.config()
  const { enabled, memory, cpus, pids, timeout, maxTimeout, maxOutput } = sandbox
  const common = { enabled, limits: { memory, cpus, pids, timeout, maxTimeout, maxOutput }, pool: sandbox.pool }
  try {
    const found = await findEngine(await engineWish(context))
    const { name, path, version, rootless, cgroups, extraFlags, channel, missing } = found
    const containers = await listContainers(found, context.env)
    const enforced = Object.fromEntries(locks.map((lock) => [lock, !missing.includes(lock)])) as Record<Lock, boolean>
    return {
      ...common,
      ok: missing.length === 0,
      engine: { name, path, version, rootless, cgroups, extraFlags, channel },
      enforced,
      image: sandbox.image ?? found.image,
      warm: containers.filter(({ isWarm }) => isWarm).length,
      containers,
    }
  } catch (error) {
    const description = describeError(error)
    if (description.code !== "E_SANDBOX") throw error
    return { ...common, ok: false, error: description, warm: 0, containers: [] }
  }
}
