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

/** Asks servers for their tools, at most `concurrency` at a time. Answers are in the order of the names. */
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
    const { version, instructions } = await manager.describeServer(name)
    const description = config.servers[name]?.description ?? firstLine(instructions ?? "")
    return {
      name,
      server: {
        name,
        ...(description !== "" && { description }),
        ...(version !== undefined && { version }),
        ...(instructions !== undefined && { instructions }),
        tools,
      },
    }
  } catch (error) {
    // Whoever ends this does not want to read about servers, nor to have anything written.
    if (context.signal?.aborted) throw error
    return { name, error: describeError(error) }
  }
}

/** Instructions are Markdown, and often begin with a headline. */
function firstLine(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/^#+\s+/, "").trim())
  return lines.find((line) => line !== "") ?? ""
}
