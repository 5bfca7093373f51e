// Arguments for the tools that discovery_config.json is to list.
import type { Tool } from "../../catalog.ts"
import { askForArguments, type Model } from "../../discovery/ask-model.ts"
import { blanksIn, guessArguments } from "../../discovery/guess-arguments.ts"
import { describeError } from "../../errors.ts"
import type { OperationContext } from "../context.ts"

export interface Candidate {
  server: string
  tool: Tool
  /** Why it may be called. */
  reason: string
  /** A directory that the server may read. */
  directory: string
}

export interface TakenTool {
  server: string
  tool: string
  /** Why it may be called. */
  reason: string
  arguments: Record<string, unknown>
  /** What has to be filled in before it is called. */
  blanks: string[]
  by: "schema" | "model"
}

const questionsAtOnce = 4
// A model that fails this often in a row is not there: nobody should wait half a minute for each tool.
const mostFailures = 4

/** Arguments from the model where there is one, and it knows some; else from the schema. */
export async function fillIn(
  context: OperationContext,
  candidates: readonly Candidate[],
  model: Model | undefined,
  timeoutMs: number,
): Promise<TakenTool[]> {
  const found = new Map<Candidate, TakenTool>()
  const waiting = candidates.values()
  let failures = 0
  const ask = async ({ server, tool, directory }: Candidate) => {
    if (model === undefined || failures >= mostFailures || !takesArguments(tool)) return undefined
    try {
      const answer = await askForArguments(model, tool, { directory, timeoutMs, signal: context.signal })
      failures = 0
      return answer
    } catch (error) {
      if (context.signal?.aborted) throw error
      failures++
      // Those that were under way when it was given up.
      if (failures > mostFailures) return undefined
      const { message } = describeError(error)
      context.log("warning", `${server}.${tool.name}: the model gave no arguments (${message}); the schema has to do`)
      if (failures === mostFailures) context.log("warning", "the model is not asked again")
      return undefined
    }
  }
  const work = async () => {
    for (const candidate of waiting) {
      const { server, tool, reason, directory } = candidate
      context.onProgress?.({ progress: found.size, total: candidates.length, message: `${server}.${tool.name}` })
      const answer = await ask(candidate)
      const args = answer ?? guessArguments(tool, { directory })
      const by = answer === undefined ? "schema" : "model"
      found.set(candidate, { server, tool: tool.name, reason, arguments: args, blanks: blanksIn(args), by })
    }
  }
  await Promise.all(Array.from({ length: Math.min(questionsAtOnce, candidates.length) }, work))
  return candidates.flatMap((candidate) => found.get(candidate) ?? [])
}

function takesArguments({ inputSchema: { properties, ...rest } }: Tool): boolean {
  const listed = typeof properties === "object" && properties !== null ? Object.keys(properties).length : 0
  return listed > 0 || ["$ref", "allOf", "anyOf", "oneOf"].some((keyword) => keyword in rest)
}
