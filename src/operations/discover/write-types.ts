// What was learned → types.discovered.json and types.discovered.ts of each server, and wrappers that use
// them. Written under the lock of the generator, so that two runs add up instead of losing one.
import { readdirSync } from "node:fs"
import { namesOf } from "../../codegen/named-offer.ts"
import type { ManifestServer } from "../../codegen/print-server.ts"
import { updateFolder } from "../../codegen/write.ts"
import { differencesFrom } from "../../discovery/differences.ts"
import { loadQuicktype } from "../../discovery/infer.ts"
import { printDiscovered } from "../../discovery/print.ts"
import { addShape, emptyShape, type ToolShape } from "../../discovery/shape.ts"
import { writeShapes } from "../../discovery/shape-file.ts"
import { settleWords } from "../../discovery/words.ts"
import { entryOf, readKnownShapes, shapesFile, typesFile } from "./known-shapes.ts"

/** By server, by tool. */
export type Learned = ReadonlyMap<string, ReadonlyMap<string, ToolShape>>

export interface WriteTypesOptions {
  /** Add to what is known; else it is replaced. */
  merge: boolean
  allOptional: boolean
}

export interface WrittenTool {
  server: string
  tool: string
  /** All that are known now. */
  samples: number
  /** How the new results differ from what was known. */
  changes: string[]
}

/** Writes the types of what was learned. Tools that servers/ does not have are left out. */
export async function writeTypes(
  directory: string,
  learned: Learned,
  { merge, allOptional }: WriteTypesOptions,
): Promise<{ tools: WrittenTool[]; files: string[] }> {
  const quicktype = await loadQuicktype()
  const tools: WrittenTool[] = []
  const plan = await updateFolder(directory, (root) => {
    const files = new Map<string, string>()
    for (const [server, shapes] of learned) {
      const entry = entryOf(root, server)
      if (entry === undefined) continue
      const known = readKnownShapes(root, entry.directory)
      for (const [tool, shape] of shapes) {
        if (!Object.hasOwn(entry.tools, tool)) continue
        const before = known.get(tool)
        const sum = add(merge ? before : undefined, shape)
        known.set(tool, sum)
        const changes = before === undefined ? [] : differencesFrom(before, shape)
        tools.push({ server, tool, samples: sum.samples.size, changes })
      }
      files.set(`${entry.directory}/${shapesFile}`, writeShapes(known))
      files.set(`${entry.directory}/${typesFile}`, printDiscovered(quicktype, named(entry, known), { allOptional }))
    }
    return { files, keep: new Set(readdirSync(root)) }
  })
  return { tools, files: plan.write }
}

function add(known: ToolShape | undefined, shape: ToolShape): ToolShape {
  const sum = known === undefined ? emptyShape() : structuredClone(known)
  addShape(sum, shape)
  settleWords(sum)
  return sum
}

/** The tools that the server still has, with the names that their wrappers use. */
function named(entry: ManifestServer, shapes: ReadonlyMap<string, ToolShape>) {
  const tools = Object.keys(entry.tools).map((name) => ({ name, description: "", inputSchema: {} }))
  const names = namesOf({ tools, prompts: [], resources: [], templates: [] }, entry).tools
  return [...shapes].flatMap(([tool, shape]) => {
    const name = names.get(tool)
    return name === undefined ? [] : [{ tool, type: name.type, shape }]
  })
}
