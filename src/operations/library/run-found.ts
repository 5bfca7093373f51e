// One run of a script that has been found, for programs and for the MCP server: its streams are kept for the
// result, and a signal ends it. A script that fails, times out or is stopped is a result.
import type { RunResult } from "../../harness/harness.ts"
import type { OperationContext } from "../context.ts"
import { attendScript } from "../exec.ts"
import { type ExecInput, type Notices, type StartOptions, startScript } from "../start-script.ts"

export interface FoundOptions {
  /** Ends the run. */
  signal: AbortSignal | undefined
  pool?: StartOptions["pool"]
  notices: Notices
}

// How long a script that was told to end may take to do so.
const graceMs = 1000

/** Runs a script to its end, or until the signal says otherwise. Throws only when it could not be started. */
export async function runFound(
  context: OperationContext,
  input: ExecInput,
  { signal, pool, notices }: FoundOptions,
): Promise<RunResult> {
  const { cwd, env } = context
  if (signal?.aborted) return cancelled({ exitCode: 143, durationMs: 0, stdout: "", stderr: "", toolCalls: [] })
  const exec: ExecInput = { ...input, capture: true, stdin: "ignore" }
  const started = await startScript({ cwd, env, settings: await context.settings(), pool }, exec, notices)
  let killing: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    started.run.signal("SIGTERM")
    killing = setTimeout(() => started.run.signal("SIGKILL"), graceMs)
  }
  signal?.addEventListener("abort", stop, { once: true })
  if (signal?.aborted) stop()
  try {
    const result = await attendScript(context, exec, started)
    return signal?.aborted ? cancelled(result) : result
  } finally {
    clearTimeout(killing)
    signal?.removeEventListener("abort", stop)
  }
}

function cancelled(report: Omit<RunResult, "ok" | "error">): RunResult {
  return { ...report, ok: false, error: { code: "E_TOOL_CANCELLED", message: "The run was cancelled" } }
}
