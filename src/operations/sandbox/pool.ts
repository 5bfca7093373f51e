// Containers started ahead, for a process that stays: a server or a daemon opens a pool, is told of every
// sandboxed run, and closes it at the end.
import { join } from "node:path"
import { planBox } from "../../harness/container/container.ts"
import { findEngine } from "../../harness/container/engine.ts"
import type { BoxPlan } from "../../harness/container/launch.ts"
import { createPool, type FillWork, fillAfterMs, fillPool, type WarmPool } from "../../harness/container/pool.ts"
import { makeView } from "../../harness/container/view.ts"
import { runtimeDirectory } from "../../platform/runtime-directory.ts"
import type { OperationContext } from "../context.ts"
import { engineWish } from "./find.ts"
import { limitsOf } from "./limits.ts"
import { sandboxVariables } from "./variables.ts"

export type { WarmPool }

const usualSize = 2

/** Opens a pool, empty. Scripts that are started with it teach it what to start ahead. */
export async function openSandboxPool(context: OperationContext, size?: number): Promise<WarmPool> {
  const { env, cacheDirectory } = context
  const { sandbox } = await context.config()
  return createPool({
    size: size ?? (sandbox.pool || usualSize),
    directory: await runtimeDirectory(env, cacheDirectory),
  })
}

/** Starts ahead what a script of the project will need, where containers can wait. Throws E_SANDBOX when there is no sandbox to be had. */
export async function warmSandbox(context: OperationContext, pool: WarmPool): Promise<void> {
  const { sandbox, file, directory, workspace } = await context.config()
  if (sandbox.image !== undefined) return
  const engine = await findEngine(await engineWish(context))
  if (engine.channel !== "socket") return
  const view = makeView({
    script: { kind: "code", code: "", name: join(directory, "script.ts") },
    project: directory,
    configFile: file,
    workspace,
    workspaceMode: undefined,
    keepsOwner: engine.extraFlags.includes("--userns"),
  })
  const plan = planBox({ engine, view, limits: limitsOf(sandbox, sandbox.maxTimeout * 1000) })
  await pool.fill({ ...plan, variables: sandboxVariables(context.env, { view, engine }) }, context.env)
}

/** The pool of a daemon: there when a run has asked for it, or when all scripts are to be sandboxed. */
export class DaemonPool {
  readonly #context: OperationContext
  #pool: Promise<WarmPool> | undefined

  constructor(context: OperationContext) {
    this.#context = context
  }

  /** A run has used a container like this. The plan comes from a process of the same user and program. */
  async use(plan: unknown, env: Record<string, string>): Promise<void> {
    const pool = await this.#open()
    pool.use(plan as BoxPlan, env)
  }

  /** Starts ahead where the configuration wants every script in the sandbox. */
  async warm(): Promise<void> {
    const { sandbox } = await this.#context.config()
    if (sandbox.enabled) await warmSandbox(this.#context, await this.#open())
  }

  async close(): Promise<void> {
    const pool = await this.#pool
    await pool?.close()
  }

  #open(): Promise<WarmPool> {
    this.#pool ??= openSandboxPool(this.#context)
    return this.#pool
  }
}

/** Does what a command has left to be done, when its run is over or takes long. */
export async function fillSandboxPool(
  { plan, ...options }: FillWork,
  env: OperationContext["env"],
  runIsOver: Promise<unknown>,
): Promise<void> {
  await Promise.race([runIsOver, new Promise((resolve) => setTimeout(resolve, fillAfterMs))])
  await fillPool(plan, options, env)
}
