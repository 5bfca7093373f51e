// The warm pool: a fresh container for every run at the price of waking one that was started ahead.
// Each waits for one script and ends with it; none is used twice. How many wait is bounded, and what
// nobody wants ends by itself. Without one that fits, a run starts its container as it would otherwise.
import { selfCommand } from "../../platform/self.ts"
import { spawnGroup } from "../../platform/spawn.ts"
import { definedOnly, type Environment } from "./engine-command.ts"
import type { BoxPlan } from "./launch.ts"
import { withLock } from "./lock.ts"
import { endWaiting, keyOf, listWaiting, startWaiting } from "./waiting.ts"

/** Belongs to a process that stays. `timeoutMs` of its plans is the longest of any run. */
export interface WarmPool {
  /** A run has come for which a container like this was or would have been taken: more are to wait. */
  use(plan: BoxPlan, env: Environment): void
  /** Starts what is missing for runs like this one. Resolves when it waits; failures leave fewer. */
  fill(plan: BoxPlan, env: Environment): Promise<void>
  /** Ends what still waits. */
  close(): Promise<void>
}

export interface PoolOptions {
  /** How many wait for runs that are alike. */
  size: number
  /** The private folder for sockets. */
  directory: string
}

// For all kinds of runs together; each holds some 30 MB.
const mostWaiting = 16
/** The run itself goes first; a long one is not waited for. */
export const fillAfterMs = 100

/** Opens a pool, empty. */
export function createPool(options: PoolOptions): WarmPool {
  const environments = new Map<string, Environment>()
  let filling: Promise<void> = Promise.resolve()
  let isClosed = false
  const fill = (plan: BoxPlan, env: Environment): Promise<void> => {
    environments.set(keyOf(plan, env), env)
    filling = filling.then(() => fillPool(plan, options, env, () => isClosed))
    return filling
  }
  return {
    use(plan, env) {
      setTimeout(() => isClosed || void fill(plan, env), fillAfterMs).unref?.()
    },
    fill,
    async close() {
      isClosed = true
      await filling
      for (const waiting of listWaiting(options.directory)) {
        const env = environments.get(waiting.key)
        if (env !== undefined) await endWaiting(waiting, env)
      }
    },
  }
}

/** What a single command leaves to the process that it starts for this. */
export interface FillWork extends PoolOptions {
  plan: BoxPlan
}

/**
 * Has another process start what is missing: what waits outlives the command that asks for it. That process is
 * started while the run is under way, when we have nothing to do, and hears of its end from the pipe between us.
 */
export async function leaveFilling(work: FillWork, env: Environment, finished: Promise<unknown>): Promise<void> {
  const filler = await spawnGroup({
    command: [...selfCommand("__warm"), JSON.stringify(work)],
    cwd: "/",
    env: definedOnly(env),
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
  })
  await finished
  filler.closeInput()
}

/** Starts containers until enough wait. One process at a time; the first failure is the last. */
export async function fillPool(
  plan: BoxPlan,
  { size, directory }: PoolOptions,
  env: Environment,
  isOver: () => boolean = () => false,
): Promise<void> {
  const key = keyOf(plan, env)
  try {
    await withLock(`${directory}/warm.lock`, async () => {
      while (!isOver()) {
        const fresh = listWaiting(directory).filter(({ isFresh }) => isFresh)
        if (fresh.length >= mostWaiting || fresh.filter((each) => each.key === key).length >= size) return
        await startWaiting(plan, directory, env)
      }
    })
  } catch {
    // Whoever needs a container starts one, and is told what is wrong with it.
  }
}
