// The warm pool: a fresh container for every run at the price of waking one that was started ahead.
// Each waits for one script and ends with it; none is used twice. How many wait is bounded, and what
// nobody wants ends by itself. Without one that fits, a run starts its container as it would otherwise.
import { selfCommand } from "../../platform/self.ts"
import { spawnGroup } from "../../platform/spawn.ts"
import { definedOnly, type Environment } from "./engine-command.ts"
import type { BoxPlan, RunPlace } from "./launch.ts"
import { withLock } from "./lock.ts"
import { endWaiting, keyOf, listWaiting, startWaiting, takeWaiting } from "./waiting.ts"

export interface WarmPool {
  /** A container that waits and is now the caller's alone, or undefined. `timeoutMs` is the longest of any run. */
  take(plan: BoxPlan): RunPlace | undefined
  /** Starts what is missing for runs like this one. Resolves when it waits; failures leave fewer. */
  fill(plan: BoxPlan): Promise<void>
  /** For processes that stay: ends what still waits. For a single command: has others start what it took. */
  close(): Promise<void>
}

export interface PoolOptions {
  /** How many wait for runs that are alike. */
  size: number
  /** The private folder for sockets. */
  directory: string
  /** Of the engine. */
  env: Environment
}

// For all kinds of runs together; each holds some 20 MB.
const mostWaiting = 16
const fillAfterMs = 100

/** The pool of a process that stays, such as a server: it fills itself while it is used. */
export function createPool({ size, directory, env }: PoolOptions): WarmPool {
  const keys = new Set<string>()
  let filling: Promise<void> = Promise.resolve()
  let isClosed = false
  const fill = (plan: BoxPlan): Promise<void> => {
    keys.add(keyOf(plan, env))
    filling = filling.then(() => fillPool(plan, { size, directory, env }, () => isClosed))
    return filling
  }
  return {
    take(plan) {
      const place = takeWaiting(directory, keyOf(plan, env))
      // The run itself goes first.
      setTimeout(() => void fill(plan), fillAfterMs).unref?.()
      return place
    },
    fill,
    async close() {
      isClosed = true
      await filling
      for (const waiting of listWaiting(directory)) {
        if (keys.has(waiting.key)) await endWaiting(waiting, env)
      }
    },
  }
}

/** The pool of a single command: what waits outlives it, and another process starts the next when it closes. */
export function createPassingPool(options: PoolOptions): WarmPool {
  const { directory, env } = options
  let wanted: BoxPlan | undefined
  return {
    take(plan) {
      wanted = plan
      return takeWaiting(directory, keyOf(plan, env))
    },
    async fill(plan) {
      wanted = plan
    },
    async close() {
      if (wanted === undefined) return
      const { size } = options
      const work: FillWork = { plan: wanted, size, directory }
      const [program, ...words] = selfCommand("__warm")
      await spawnGroup({
        command: [program, ...words, JSON.stringify(work)],
        cwd: "/",
        env: definedOnly(env),
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
      })
    },
  }
}

/** What a command leaves to the process that it starts for this. */
export interface FillWork extends Omit<PoolOptions, "env"> {
  plan: BoxPlan
}

/** Starts containers until enough wait. One process at a time; the first failure is the last. */
export async function fillPool(
  plan: BoxPlan,
  { size, directory, env }: PoolOptions,
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
