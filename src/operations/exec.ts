// Runs a script: joins the harness, which starts it, with the broker, which answers it. This is the
// path an agent takes again and again: until the script asks for a server, no SDK, schema or
// configuration parser is loaded.
import { serveEndpoint } from "../broker/endpoint.ts"
import type { ScriptFailure } from "../broker/host.ts"
import { type ErrorCode, type ErrorDescription, exitCodeOf, McpExecError } from "../errors.ts"
import type { RunOutcome, RunReport, RunResult } from "../harness/harness.ts"
import type { OperationContext } from "./context.ts"
import { prespawnServers } from "./prespawn.ts"
import { type ExecInput, type StartedScript, startScript } from "./start-script.ts"

export type { RunResult, Script } from "../harness/harness.ts"

// Starting the guard would slow the script's own start, so it waits until that is over.
const guardAfterMs = 15

/** Runs a script to its end. Throws only when it could not be started. */
export async function execScript(context: OperationContext, input: ExecInput): Promise<RunResult> {
  const { cwd, env, configFlag } = context
  return await attendScript(context, input, await startScript({ cwd, env, flag: configFlag }, input))
}

/** Gives a script that has been started what it asks for, until it ends. */
export async function attendScript(
  context: OperationContext,
  input: ExecInput,
  { run, endpoint, directory, settings }: StartedScript,
): Promise<RunResult> {
  const toolCalls: RunReport["toolCalls"] = []
  let failure: ScriptFailure | undefined
  // The child takes milliseconds to reach its first call: we listen and look ahead meanwhile.
  const listener = await serveEndpoint(endpoint, async () => {
    const [{ createHost }, { removeStale }] = await Promise.all([
      import("../broker/host.ts"),
      import("../platform/private-directory.ts"),
    ])
    removeStale(directory)
    return createHost({
      token: endpoint.token,
      manager: () => context.manager(),
      servers: input.servers,
      onCall: input.capture ? (call) => toolCalls.push(call) : undefined,
      onFailed: (reported) => {
        failure = reported
      },
    })
  }).catch(async (cause) => {
    // Nobody would watch over the script, nor answer it.
    run.signal("SIGKILL")
    await run.finished
    throw new McpExecError("E_BROKER", `mcp-exec cannot listen at ${endpoint.address}`, {
      hint: "Point MCP_EXEC_CACHE_DIR at a folder of yours that can be written.",
      cause,
    })
  })
  let isGuarded = false
  const guarding = setTimeout(() => {
    isGuarded = true
    context.guard.watch(run.pid)
  }, guardAfterMs)
  context.warn(settings.warnings)
  const { servers = settings.serverNames } = input
  prespawnServers(
    context,
    input.script,
    settings.serverNames.filter((name) => servers.includes(name)),
  )
  const outcome = await run.finished
  clearTimeout(guarding)
  if (isGuarded) context.guard.release(run.pid)
  listener.close()
  const { exitCode, durationMs, stdout, stderr } = outcome
  const timeoutMs = input.timeoutMs ?? (settings.exec.timeout ?? 0) * 1000
  const report = { exitCode, durationMs, stdout, stderr, toolCalls }
  return exitCode === 0
    ? { ok: true, ...report }
    : { ok: false, ...report, error: explain(outcome, failure, timeoutMs) }
}

function explain(
  { exitCode, timedOut }: RunOutcome,
  failure: ScriptFailure | undefined,
  timeoutMs: number,
): ErrorDescription {
  if (timedOut) {
    return {
      code: "E_SCRIPT_TIMEOUT",
      message: `The script was stopped after ${timeoutMs / 1000} s: it ran into its timeout`,
      hint: "Give it longer with --timeout SECONDS, or exec.timeout in the configuration.",
    }
  }
  if (failure === undefined) return { code: "E_SCRIPT_FAILED", message: `The script ended with exit code ${exitCode}` }
  const code = failure.code in exitCodeOf ? (failure.code as ErrorCode) : "E_SCRIPT_FAILED"
  return { code, message: failure.message, ...(failure.stack && { details: { stack: failure.stack } }) }
}
