// Measuring whole commands. Contestants take turns, so that whatever else the machine does hits all
// of them alike; what counts is the ratio of the medians.

export interface Contestant {
  name: string
  command: string[]
}

export interface Timing {
  name: string
  medianMs: number
  /** Against the first contestant, which is the floor. */
  ratio: number
}

/** Runs each command `rounds` times, in turns. A command that fails stops the benchmark. */
export async function race(contestants: Contestant[], rounds: number, cwd: string): Promise<Timing[]> {
  const times = contestants.map((): number[] => [])
  for (let round = -2; round < rounds; round++) {
    for (const [index, { name, command }] of contestants.entries()) {
      const startedAt = performance.now()
      const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdin: "ignore", stdout: "ignore", stderr: "pipe" })
      const elapsed = performance.now() - startedAt
      if (exitCode !== 0) throw new Error(`${name} failed with ${exitCode}: ${stderr}`)
      // The first rounds fill the caches.
      if (round >= 0) times[index]?.push(elapsed)
    }
  }
  const medians = times.map(median)
  const floor = medians[0] ?? Number.NaN
  return contestants.map(({ name }, index) => {
    const medianMs = medians[index] ?? Number.NaN
    return { name, medianMs, ratio: medianMs / floor }
  })
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}
