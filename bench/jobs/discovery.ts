// 1,000 results of 100 KB each become types: the time it takes without the calls, and the memory. Results
// that have nothing in common are the worst case: what is known must not grow with them.
import { join } from "node:path"
import type { Figure, Workplace } from "../job.ts"

const goalMs = 15_000
const goalMb = 300

export async function discovery({ directory, bun }: Workplace): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const kind of ["alike", "unlike"]) {
    const child = Bun.spawn([bun, join(import.meta.dir, "discovery-samples.ts"), kind], {
      cwd: directory,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    })
    const text = await new Response(child.stdout).text()
    if ((await child.exited) !== 0) throw new Error(`learning from ${kind} results failed`)
    const { tookMs, peakMb } = JSON.parse(text) as { tookMs: number; peakMb: number }
    figures.push({
      name: `1,000 results of 100 KB, ${kind}`,
      value: `${(tookMs / 1000).toFixed(1)} s, at most ${peakMb.toFixed(0)} MB`,
      goal: `≤ ${goalMs / 1000} s, ≤ ${goalMb} MB`,
      met: tookMs <= goalMs && peakMb <= goalMb,
    })
  }
  return figures
}
