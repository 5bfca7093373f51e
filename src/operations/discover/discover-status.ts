// How good the types of results are, tool by tool. Answers from files alone: no server is started.
import { z } from "zod"
import type { OperationContext } from "../context.ts"
import { readGenerated } from "../generated.ts"
import { readKnownShapes } from "./known-shapes.ts"
import { selectTools } from "./listed-tools.ts"
import { readNotes } from "./observed.ts"

export const discoverStatusInput = z.object({
  targets: z.array(z.string()).default([]).describe("servers, or single tools as server.tool; all when absent"),
})

/** Declared by the server, learned from samples, learned but no longer true, or not known at all. */
export type Quality = "declared" | "discovered" | "drifted" | "unknown"

export interface ToolStatus {
  server: string
  tool: string
  quality: Quality
  /** How many samples the discovered type rests on. */
  samples?: number
  /** How results differ from the type. */
  changes?: string[]
  /** How many samples calls have given that are not in the type yet. */
  observed?: number
}

/** The tools of all generated servers, those that need attention first. */
export async function discoverStatus(
  context: OperationContext,
  input: z.input<typeof discoverStatusInput>,
): Promise<{ directory: string; tools: ToolStatus[] }> {
  const { targets } = discoverStatusInput.parse(input)
  const { directory, servers } = await readGenerated(context)
  const notes = readNotes({ cacheDirectory: context.cacheDirectory, directory })
  const tools = [...servers].flatMap(([server, entry]) => {
    const shapes = readKnownShapes(directory, entry.directory)
    const seen = notes.get(server)
    return Object.entries(entry.tools).map(([tool, { result }]): ToolStatus => {
      const changes = seen?.drift.get(tool)
      const samples = shapes.get(tool)?.samples.size
      const observed = seen?.shapes.get(tool)?.samples.size
      return {
        server,
        tool,
        quality: changes === undefined ? result : "drifted",
        ...(samples !== undefined && { samples }),
        ...(changes !== undefined && { changes }),
        ...(observed !== undefined && { observed }),
      }
    })
  })
  const sorted = tools.sort((a, b) => rank[a.quality] - rank[b.quality])
  return { directory, tools: selectTools(sorted, targets, "among the generated tools") }
}

const rank: Record<Quality, number> = { drifted: 0, unknown: 1, discovered: 2, declared: 3 }
