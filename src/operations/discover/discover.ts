// Learns the types of results that servers do not declare: calls the tools that may be called, or takes what
// scripts' own calls have taught, and writes types that the wrappers use from then on.
import { join } from "node:path"
import { z } from "zod"
import type { Config } from "../../config/schema.ts"
import type { ErrorDescription } from "../../errors.ts"
import type { OperationContext } from "../context.ts"
import { generate } from "../generate.ts"
import { entryOf } from "./known-shapes.ts"
import { readListed, selectTools } from "./listed-tools.ts"
import { forgetNotes, readNotes } from "./observed.ts"
import { type Sampled, takeSamples } from "./take-samples.ts"
import { writeTypes } from "./write-types.ts"

export const discoverInput = z.object({
  targets: z.array(z.string()).default([]).describe("servers, or single tools as server.tool; all when absent"),
  samples: z.int().min(1).max(1000).optional().describe("how often each tool is called; each call is a sample"),
  merge: z.boolean().default(true).describe("add to what is known of the results"),
  fromObserved: z.boolean().default(false).describe("take what scripts' calls have taught; call nothing"),
  includeDangerous: z.boolean().default(false).describe("also call tools that may change something"),
})

export type DiscoverInput = z.input<typeof discoverInput>

export interface DiscoveredTool {
  server: string
  tool: string
  outcome: "discovered" | "failed" | "refused" | "skipped"
  /** How many samples its type rests on now. The same call, answered alike in another run, adds none. */
  samples?: number
  /** How the new results differ from what was known. */
  changes?: string[]
  /** Why it was not called; of a tool that was discovered, why its type is not used. */
  reason?: string
  error?: ErrorDescription
}

export interface DiscoverOutput {
  /** servers/ */
  directory: string
  tools: DiscoveredTool[]
  /** Types that were written or have changed, as paths in servers/. */
  files: string[]
  /** Servers whose wrappers could not be written anew. */
  failures: { server: string; error: ErrorDescription }[]
}

/** Discovers types. */
export async function discover(context: OperationContext, input: DiscoverInput): Promise<DiscoverOutput> {
  const { targets, samples, merge, fromObserved, includeDangerous } = discoverInput.parse(input)
  const config = await context.config()
  const directory = join(config.directory, "servers")
  const { sampled, allOptional } = fromObserved
    ? observed(context, config, targets)
    : await called(context, targets, { samples, includeDangerous })
  const learned = byServer(sampled)
  const servers = [...learned.keys()]
  if (servers.length === 0) return { directory, tools: sampled.map(withoutShape), files: [], failures: [] }
  // First the names that wrappers have, then the types with these names, then the wrappers that import them.
  await generate(context, { servers })
  const { tools: written, files } = await writeTypes(directory, learned, { merge, allOptional })
  const generated = await generate(context, { servers })
  const entries = new Map(servers.map((server) => [server, entryOf(directory, server)]))
  const notes = { cacheDirectory: context.cacheDirectory, directory }
  for (const { server, tool } of written) forgetNotes(notes, server, [tool], fromObserved ? "all" : "drift")
  return {
    directory,
    tools: sampled.map((each) => {
      if (each.shape === undefined) return withoutShape(each)
      const found = written.find(({ server, tool }) => server === each.server && tool === each.tool)
      if (found === undefined)
        return { ...withoutShape(each), outcome: "failed", reason: "its server has no such tool" }
      const { samples, changes } = found
      const isDeclared = entries.get(each.server)?.tools[each.tool]?.result === "declared"
      const reason = isDeclared ? { reason: "wrappers go on using the type that its server declares" } : {}
      return { ...withoutShape(each), samples, changes, ...reason }
    }),
    files: files.filter((file) => file.endsWith(".ts")),
    failures: generated.servers.flatMap(({ name, error }) => (error === undefined ? [] : [{ server: name, error }])),
  }
}

async function called(
  context: OperationContext,
  targets: readonly string[],
  options: { samples?: number | undefined; includeDangerous: boolean },
): Promise<{ sampled: Sampled[]; allOptional: boolean }> {
  const { tools, allOptional, file } = await readListed(context)
  const selected = selectTools(
    tools,
    targets,
    `listed in ${file}`,
    "Tools are called when they are listed there, with arguments. ",
  )
  return { sampled: await takeSamples(context, selected, options), allOptional }
}

function observed(
  { cacheDirectory }: OperationContext,
  { directory, servers }: Config,
  targets: readonly string[],
): { sampled: Sampled[]; allOptional: boolean } {
  const notes = [...readNotes({ cacheDirectory, directory: join(directory, "servers") }).values()]
  const tools = notes.flatMap(({ server, shapes }) =>
    [...shapes].map(([tool, shape]): Sampled => {
      const isThere = Object.hasOwn(servers, server) && servers[server]?.disabled === false
      if (!isThere) return { server, tool, outcome: "skipped", reason: "its server is not configured, or disabled" }
      return { server, tool, outcome: "discovered", shape }
    }),
  )
  return { sampled: selectTools(tools, targets, "among what was observed"), allOptional: false }
}

function byServer(sampled: readonly Sampled[]): Map<string, Map<string, NonNullable<Sampled["shape"]>>> {
  const learned = new Map<string, Map<string, NonNullable<Sampled["shape"]>>>()
  for (const { server, tool, shape } of sampled) {
    if (shape === undefined) continue
    const shapes = learned.get(server) ?? new Map()
    learned.set(server, shapes.set(tool, shape))
  }
  return learned
}

function withoutShape({ shape: _, ...rest }: Sampled): DiscoveredTool {
  return rest
}
