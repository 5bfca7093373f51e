// Calls tools to see what they answer. Whoever is dangerous is refused here once more, whatever a file says;
// a tool or a server that fails stops nobody else; of a result nothing is kept but its shape.
import type { Tool } from "../../catalog.ts"
import { classifyTool } from "../../discovery/classify.ts"
import type { ListedTool } from "../../discovery/config.ts"
import { blanksIn } from "../../discovery/guess-arguments.ts"
import { addSample, emptyShape, type ToolShape } from "../../discovery/shape.ts"
import { describeError, type ErrorDescription, ToolError } from "../../errors.ts"
import { nearMiss } from "../../suggest.ts"
import type { OperationContext } from "../context.ts"

export interface SampleOptions {
  /** How often each tool is called; once for each of its arguments when absent. */
  samples?: number | undefined
  includeDangerous: boolean
}

export interface Sampled {
  server: string
  tool: string
  outcome: "discovered" | "failed" | "refused" | "skipped"
  /** Why not; of a tool that was discovered, why some of its calls gave nothing. */
  error?: ErrorDescription
  reason?: string
  shape?: ToolShape
}

const serversAtOnce = 8

/** Calls the listed tools: servers side by side, the tools of one in turn. */
export async function takeSamples(
  context: OperationContext,
  listed: readonly ListedTool[],
  options: SampleOptions,
): Promise<Sampled[]> {
  const results = new Map<ListedTool, Sampled>()
  const servers = Map.groupBy(listed, ({ server }) => server)
  const waiting = servers.entries()
  const report = (message: string) => context.onProgress?.({ progress: results.size, total: listed.length, message })
  const workInTurn = async () => {
    // All share one iterator: each server is taken once.
    for (const [server, tools] of waiting) {
      const offered = await offerOf(context, server)
      for (const each of tools) {
        report(`${each.server}.${each.tool}`)
        results.set(each, await sample(context, each, offered, options))
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(serversAtOnce, servers.size) }, workInTurn))
  return listed.flatMap((each) => results.get(each) ?? [])
}

async function offerOf(context: OperationContext, server: string): Promise<Tool[] | ErrorDescription> {
  try {
    const manager = await context.manager()
    return await manager.listTools(server, context.signal === undefined ? {} : { signal: context.signal })
  } catch (error) {
    if (context.signal?.aborted) throw error
    return describeError(error)
  }
}

async function sample(
  context: OperationContext,
  { server, tool: name, arguments: given }: ListedTool,
  offered: Tool[] | ErrorDescription,
  { samples, includeDangerous }: SampleOptions,
): Promise<Sampled> {
  const target = { server, tool: name }
  if (!Array.isArray(offered)) return { ...target, outcome: "failed", error: offered }
  const tool = offered.find((each) => each.name === name)
  if (tool === undefined)
    return { ...target, outcome: "failed", error: describeError(unknownTool(server, name, offered)) }
  const { safety, reason } = classifyTool(tool)
  if (safety === "dangerous" && !includeDangerous) return { ...target, outcome: "refused", reason }
  const filled = given.filter((each) => blanksIn(each).length === 0)
  if (filled.length === 0) {
    const blanks = [...new Set(given.flatMap((each) => blanksIn(each)))]
    return { ...target, outcome: "skipped", reason: `to be filled in: ${blanks.join(", ")}` }
  }
  return { ...target, ...(await callAgain(context, target, filled, samples ?? filled.length)) }
}

async function callAgain(
  context: OperationContext,
  { server, tool }: { server: string; tool: string },
  given: readonly Record<string, unknown>[],
  times: number,
): Promise<Pick<Sampled, "outcome" | "shape" | "error">> {
  const manager = await context.manager()
  const shape = emptyShape()
  let failure: ErrorDescription | undefined
  for (let call = 0; call < times; call++) {
    const args = given[call % given.length] ?? {}
    // Whoever asks for more samples than there are arguments wants the same call to count again.
    const round = Math.floor(call / given.length)
    try {
      const options = context.signal === undefined ? {} : { signal: context.signal }
      addSample(shape, args, await manager.callTool(server, tool, args, options), round)
    } catch (error) {
      if (context.signal?.aborted) throw error
      failure ??= describeError(error)
      // The same arguments again would fail again.
      if (given.length === 1) break
    }
  }
  const found = shape.root.count > 0
  return {
    outcome: found ? "discovered" : "failed",
    ...(found && { shape }),
    ...(failure !== undefined && { error: failure }),
  }
}

function unknownTool(server: string, name: string, offered: readonly Tool[]): ToolError {
  return new ToolError("E_TOOL_UNKNOWN", server, name, `Server '${server}' has no tool '${name}'`, {
    hint: nearMiss(
      name,
      offered.map((each) => each.name),
      "It has",
    ),
  })
}
