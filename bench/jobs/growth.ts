// How time grows with the number of tools, from 100 to 4,500: for `generate` from memory, `ls` and `search`.
// Linear or better means that 4,500 tools do not take longer than a straight line through 100 and half of that says.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { count, setAside, supplyTools } from "../catalog.ts"
import type { Figure, Workplace } from "../job.ts"
import { race, racePrinted, type Timing } from "../measure.ts"
import { atTools, drawPanels, type Panel, type Point } from "../plot.ts"

const sizes = [100, 500, 1_000, 2_250, 3_500, 4_500]
const half = sizes.indexOf(2_250)
/** What may be noise. */
const tolerance = 1.15
const generateRounds = 3
const readRounds = 15

export async function growth(workplace: Workplace): Promise<Figure[]> {
  const panels = [
    await growOf("generate", workplace, timeGenerate),
    await growOf("ls", workplace, (place) => timeCommand(place, ["ls"])),
    await growOf("search", workplace, (place) => timeCommand(place, ["search", "list open issues of a repository"])),
  ]
  writeFileSync(workplace.picture, drawPanels(panels))
  return panels.map(({ title, points, line }) => {
    const last = points.at(-1) as Point
    const straight = atTools(line, last.tools)
    const ratio = last.ms / straight.ms
    return {
      name: `growth of \`${title}\`, ${count(sizes[0] as number)} → ${count(last.tools)} tools`,
      value: `${points.map(({ ms }) => ms.toFixed(0)).join(", ")} ms: ${ratio.toFixed(2)}× of a straight line`,
      goal: `linear or better (≤ ${tolerance}×)`,
      met: ratio <= tolerance,
    }
  })
}

async function growOf(
  title: string,
  workplace: Workplace,
  time: (workplace: Workplace) => Promise<Timing[]>,
): Promise<Panel> {
  const rows = await time(workplace)
  const { origin } = supplyTools(process.env.CAPTURES)
  workplace.show({ title: `Growth of \`${title}\` (${origin})`, rows })
  const points = rows.map(({ medianMs }, at): Point => ({ tools: sizes[at] as number, ms: medianMs }))
  return { title, points, line: [points[0] as Point, points[half] as Point] }
}

/** Each size in its turn; what the last round has written stays for the others. */
function timeGenerate({ directory, bun }: Workplace): Promise<Timing[]> {
  const captures = process.env.CAPTURES === undefined ? [] : [process.env.CAPTURES]
  const contestants = sizes.map((size) => {
    const folder = join(directory, String(size))
    return {
      name: `${count(size)} tools`,
      command: [bun, join(import.meta.dir, "generate-once.ts"), "disk", folder, String(size), ...captures],
      prepare: () => setAside(folder),
    }
  })
  return racePrinted(contestants, generateRounds, directory)
}

function timeCommand({ directory, program }: Workplace, args: string[]): Promise<Timing[]> {
  const contestants = sizes.map((size) => ({
    name: `${count(size)} tools`,
    command: [program, ...args, "--cwd", join(directory, String(size))],
  }))
  return race(contestants, readRounds, directory)
}
