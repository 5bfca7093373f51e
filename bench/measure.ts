// Measuring whole commands. Contestants take turns, so that whatever else the machine does hits all
// of them alike; what counts is the ratio of the medians.

export interface Contestant {
  name: string
  /** Whose line it belongs to where several races stand side by side. */
  who?: string
  command: string[]
  /** Added to the environment. */
  env?: Record<string, string>
  /** What it must print: one that fails quickly must not win. */
  prints?: string
  /** Runs in every so many rounds only, which is for the slow. */
  every?: number
  /** Done before each turn, and not measured. */
  prepare?: () => void
  /** Done after each turn, and not measured: what it leaves behind must not slow the next one down. */
  cleanUp?: () => void
}

export interface Timing {
  name: string
  who?: string
  medianMs: number
  /** User and system time, of its children too where it waited for them; of whole commands only. */
  cpuMs?: number
  /** Against the first contestant, which is the floor. */
  ratio: number
  turns: number
}

const warmUps = 2

/** Runs each command `rounds` times, in turns. A command that fails stops the benchmark. */
export async function race(contestants: Contestant[], rounds: number, cwd: string): Promise<Timing[]> {
  const taken = takeTurns(contestants, rounds, (contestant, isWarmUp) => takeTurn(contestant, cwd, isWarmUp))
  return toTimings(contestants, taken).map((timing, index) => {
    return { ...timing, cpuMs: median((taken[index] ?? []).map(({ cpuMs }) => cpuMs)) }
  })
}

/** The same for commands that measure themselves, and print milliseconds and nothing else. */
export async function racePrinted(contestants: Contestant[], rounds: number, cwd: string): Promise<Timing[]> {
  const taken = takeTurns(contestants, rounds, ({ name, command, env, prepare, cleanUp }) => {
    prepare?.()
    const text = run(command, cwd, env)
    cleanUp?.()
    const ms = Number(text.trim() || Number.NaN)
    if (Number.isNaN(ms)) throw new Error(`${name} printed no time: ${text}`)
    return { ms }
  })
  return toTimings(contestants, taken)
}

/** One turn ahead of the race: throws when it fails, or does not print what it should. */
export function rehearse<Tried extends Contestant>(contestant: Tried, cwd: string): Tried {
  takeTurn(contestant, cwd, true)
  return contestant
}

function takeTurns<Turn>(
  contestants: Contestant[],
  rounds: number,
  take: (contestant: Contestant, isWarmUp: boolean) => Turn,
): Turn[][] {
  const taken = contestants.map((): Turn[] => [])
  for (let round = -warmUps; round < rounds; round++) {
    for (const [index, contestant] of contestants.entries()) {
      if (round >= 0 && round % (contestant.every ?? 1) !== 0) continue
      const turn = take(contestant, round < 0)
      // The first rounds fill the caches.
      if (round >= 0) taken[index]?.push(turn)
    }
  }
  return taken
}

function toTimings(contestants: Contestant[], taken: { ms: number }[][]): Timing[] {
  const medians = taken.map((turns) => median(turns.map(({ ms }) => ms)))
  return contestants.map(({ name, who }, index) => {
    const medianMs = medians[index] ?? Number.NaN
    const ratio = medianMs / (medians[0] ?? Number.NaN)
    return { name, ...(who !== undefined && { who }), medianMs, ratio, turns: taken[index]?.length ?? 0 }
  })
}

function takeTurn({ name, command, env, prints, prepare, cleanUp }: Contestant, cwd: string, isWarmUp: boolean) {
  prepare?.()
  const startedAt = performance.now()
  const { exitCode, stdout, stderr, resourceUsage } = Bun.spawnSync(command, {
    cwd,
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: isWarmUp ? "pipe" : "ignore",
    stderr: "pipe",
  })
  const ms = performance.now() - startedAt
  cleanUp?.()
  if (exitCode !== 0) throw new Error(`${name} failed with ${exitCode}: ${stderr}`)
  if (isWarmUp && prints !== undefined && !stdout?.toString().includes(prints)) {
    throw new Error(`${name} did not print ${prints}: ${stdout}${stderr}`)
  }
  return { ms, cpuMs: Number(resourceUsage.cpuTime.total) / 1000 }
}

/** What a command prints. One that fails stops the benchmark. */
export function run(command: string[], cwd: string, env: Record<string, string> = {}): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, env: { ...process.env, ...env }, stdin: "ignore" })
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed with ${exitCode}: ${stdout}${stderr}`)
  return stdout.toString()
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}
