// Everything that was ever captured at once, generated from memory: types, wrappers, manifest and search index,
// and all of it written. How servers are asked is another job's (live-generate).
import { join } from "node:path"
import { count, fullSize, makeServers, setAside, supplyTools } from "../catalog.ts"
import type { Figure, Workplace } from "../job.ts"
import { racePrinted } from "../measure.ts"

const goalSeconds = 3
const rounds = 3

export async function generate({ directory, bun, show }: Workplace): Promise<Figure[]> {
  const goal = `≤ ${goalSeconds} s`
  const captures = process.env.CAPTURES
  if (captures === undefined) {
    const name = `\`generate\`, ${fullSize.servers} servers, ${count(fullSize.tools)} captured tools, from memory`
    return [{ name, goal, skipped: "CAPTURES=DIR must name a directory of captured tools/list answers" }]
  }
  const supply = supplyTools(captures)
  const servers = makeServers(supply, fullSize.tools)
  const folder = join(directory, "project")
  const once = (target: string) => {
    return [bun, join(import.meta.dir, "generate-once.ts"), target, folder, String(fullSize.tools), captures]
  }
  const prepare = () => setAside(folder)
  const rows = await racePrinted(
    [
      { name: "generated in memory", command: once("memory"), prepare },
      { name: "generated and written", command: once("disk"), prepare },
    ],
    rounds,
    directory,
  )
  const name = `\`generate\`, ${servers.length} servers, ${count(fullSize.tools)} tools, from memory`
  show({ title: `${name} (${supply.origin})`, rows })
  const [made, written] = rows.map(({ medianMs }) => medianMs / 1000) as [number, number]
  return [
    {
      name,
      value: `${written.toFixed(2)} s, of which ${made.toFixed(2)} s in memory and the rest to disk (${supply.origin})`,
      goal,
      met: written <= goalSeconds,
    },
  ]
}
