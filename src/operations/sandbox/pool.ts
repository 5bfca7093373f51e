// Containers started ahead, for a process that stays: a server opens a pool, hands it to every script
// that it starts, and closes it at the end.
import { join } from "node:path"
import { planBox } from "../../harness/container/container.ts"
import { findEngine } from "../../harness/container/engine.ts"
import { createPool, type FillWork, fillPool, type WarmPool } from "../../harness/container/pool.ts"
import { makeView } from "../../harness/container/view.ts"
import { runtimeDirectory } from "../../platform/runtime-directory.ts"
import type { OperationContext } from "../context.ts"
import { engineWish } from "./find.ts"
import { limitsOf } from "./limits.ts"

export type { WarmPool }

const usualSize = 2

/** Opens a pool, empty. Scripts that are started with it teach it what to start ahead. */
export async function openSandboxPool(context: OperationContext, size?: number): Promise<WarmPool> {
  const { env, cacheDirectory } = context
  const { sandbox } = await context.config()
  return createPool({
    size: size ?? (sandbox.pool || usualSize),
    directory: await runtimeDirectory(env, cacheDirectory),
    env,
  })
}

/** Starts ahead what a script of the project will need, unless an image is configured. Throws E_SANDBOX when there is no sandbox to be had. */
export async function warmSandbox(context: OperationContext, pool: WarmPool): Promise<void> {
  const { sandbox, file, directory, workspace } = await context.config()
  if (sandbox.image !== undefined) return
  const engine = await findEngine(await engineWish(context))
  const view = makeView({
    script: { kind: "code", code: "", name: join(directory, "script.ts") },
    project: directory,
    configFile: file,
    workspace,
    workspaceMode: undefined,
    keepsOwner: engine.extraFlags.includes("--userns"),
  })
  await pool.fill(planBox({ engine, view, limits: limitsOf(sandbox, sandbox.maxTimeout * 1000) }))
}

/** Does what a command has left to be done. */
export async function fillSandboxPool(
  { plan, size, directory }: FillWork,
  env: OperationContext["env"],
): Promise<void> {
  await fillPool(plan, { size, directory, env })
}
