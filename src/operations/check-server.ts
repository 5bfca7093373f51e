// Connects to one server and lists its tools; a failure is a result, because other servers are checked too.
import { describeError, type ErrorDescription, exitCodeFor } from "../errors.ts"
import type { OperationContext } from "./context.ts"

export type ServerCheck =
  | {
      ok: true
      durationMs: number
      tools: number
      version?: string
      protocolVersion?: string
    }
  | {
      ok: false
      durationMs: number
      error: ErrorDescription
      /** What a command ends with that could not do without this server. */
      exitCode: number
    }

/** Whether a server can be reached, with what it says about itself. */
export async function checkServer(context: OperationContext, name: string): Promise<ServerCheck> {
  const start = performance.now()
  const durationMs = () => Math.round(performance.now() - start)
  try {
    const manager = await context.manager()
    const tools = await manager.listTools(name, context.signal === undefined ? {} : { signal: context.signal })
    const info = await manager.describeServer(name)
    return {
      ok: true,
      durationMs: durationMs(),
      tools: tools.length,
      ...(info.version !== undefined && { version: info.version }),
      ...(info.protocolVersion !== undefined && { protocolVersion: info.protocolVersion }),
    }
  } catch (error) {
    // Whoever ends the check does not want to read about its servers.
    if (context.signal?.aborted) throw error
    return { ok: false, durationMs: durationMs(), error: describeError(error), exitCode: exitCodeFor(error) }
  }
}
