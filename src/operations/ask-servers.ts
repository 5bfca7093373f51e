// What servers offer, asked of many at once. A failure is an answer, because the others are asked too.
import type { Server } from "../catalog.ts"
import { describeError, type ErrorDescription } from "../errors.ts"
import type { OperationContext } from "./context.ts"

/** Has either `server` or `error`. */
export interface Answer {
  name: string
  server?: Server
  error?: ErrorDescription
}

// A server may have a resource for each file of a disk. Tools need not wait for that.
const patienceMs = 10_000

/** Asks servers for what they offer, at most `concurrency` at a time. Answers are in the order of the names. */
export async function askServers(
  context: OperationContext,
  names: readonly string[],
  concurrency: number,
): Promise<Answer[]> {
  const answers = new Map<string, Answer>()
  const waiting = names.values()
  const report = (message: string) => context.onProgress?.({ progress: answers.size, total: names.length, message })
  const askInTurn = async () => {
    // All share one iterator: each name is taken once.
    for (const name of waiting) {
      answers.set(name, await ask(context, name))
      report(name)
    }
  }
  report("connecting")
  await Promise.all(Array.from({ length: Math.min(concurrency, names.length) }, askInTurn))
  return names.flatMap((name) => answers.get(name) ?? [])
}

async function ask(context: OperationContext, name: string): Promise<Answer> {
  try {
    const [manager, config] = await Promise.all([context.manager(), context.config()])
    const tools = await manager.listTools(name, context.signal === undefined ? {} : { signal: context.signal })
    const { version, instructions, capabilities } = await manager.describeServer(name)
    const description = config.servers[name]?.description ?? firstLine(instructions ?? "")
    return {
      name,
      server: {
        name,
        ...(description !== "" && { description }),
        ...(version !== undefined && { version }),
        ...(instructions !== undefined && { instructions }),
        tools,
        ...(await askForRest(context, name, capabilities)),
      },
    }
  } catch (error) {
    // Whoever ends this does not want to read about servers, nor to have anything written.
    if (context.signal?.aborted) throw error
    return { name, error: describeError(error) }
  }
}

/** Prompts and resources, where a server announces them. Without an answer its tools are as good as before. */
async function askForRest(
  context: OperationContext,
  name: string,
  { prompts, resources }: Record<string, unknown>,
): Promise<Pick<Server, "prompts" | "resources" | "resourceTemplates">> {
  const manager = await context.manager()
  const patience = AbortSignal.timeout(patienceMs)
  const signal = context.signal === undefined ? patience : AbortSignal.any([context.signal, patience])
  const orNone = async <Item>(what: string, list: Promise<Item[]>): Promise<Item[]> => {
    try {
      return await list
    } catch (error) {
      if (context.signal?.aborted) throw error
      const { jsonRpcCode, methodNotFound } = await import("../mcp/failures.ts")
      // Who has resources need not have templates.
      if (jsonRpcCode(error) === methodNotFound) return []
      const why = patience.aborted ? `no answer within ${patienceMs / 1000} s` : describeError(error).message
      context.log("warning", `${name}: generated without its ${what}: ${why}`)
      return []
    }
  }
  const [ofPrompts, ofResources, ofTemplates] = await Promise.all([
    prompts ? orNone("prompts", manager.listPrompts(name, { signal })) : [],
    resources ? orNone("resources", manager.listResources(name, { signal })) : [],
    resources ? orNone("resource templates", manager.listResourceTemplates(name, { signal })) : [],
  ])
  return {
    ...(ofPrompts.length > 0 && { prompts: ofPrompts }),
    ...(ofResources.length > 0 && { resources: ofResources }),
    ...(ofTemplates.length > 0 && { resourceTemplates: ofTemplates }),
  }
}

/** Instructions are Markdown, and often begin with a headline. */
function firstLine(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/^#+\s+/, "").trim())
  return lines.find((line) => line !== "") ?? ""
}
