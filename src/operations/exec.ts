// Runs a script: joins the harness, which starts it, with the broker, which answers it. This is the
// path an agent takes again and again: until the script asks for a server, no SDK, schema or
// configuration parser is loaded.
import { createEndpoint, serveEndpoint } from "../broker/endpoint.ts"
import type { ScriptFailure } from "../broker/host.ts"
import { readExecSettings } from "../config/receipt.ts"
import { type ErrorCode, type ErrorDescription, exitCodeOf, McpExecError } from "../errors.ts"
import { createDirectHarness } from "../harness/direct.ts"
import { scriptEnvironment } from "../harness/environment.ts"
import type { RunOutcome, RunReport, RunResult, Script } from "../harness/harness.ts"
import { runtimeDirectory } from "../platform/runtime-directory.ts"
import type { OperationContext } from "./context.ts"
import { prespawnServers } from "./prespawn.ts"

export type { RunResult, Script } from "../harness/harness.ts"

export interface ExecInput {
  script: Script
  args: readonly string[]
  /** `NAME` passes the caller's variable on, `NAME=VALUE` sets it. */
  env?: readonly string[]
  timeoutMs?: number | undefined
  /** The only servers the script may use; all when absent. */
  servers?: readonly string[] | undefined
  /** Overrides the configuration's `sandbox.enabled`. */
  sandbox?: boolean | undefined
  /** Keeps the streams for the result instead of passing them through. */
  capture?: boolean
  /** Called once the script runs, with the way to pass signals on to it. */
  onStart?: (signal: (name: NodeJS.Signals) => void) => void
}

/** Runs a script to its end. Throws only when it could not be started. */
export async function execScript(context: OperationContext, input: ExecInput): Promise<RunResult> {
  const { cwd, cacheDirectory } = context
  const settings = await readExecSettings({ file: await context.configFile(), cwd, cacheDirectory })
  for (const warning of settings.warnings) context.log("warning", warning)
  if (input.sandbox ?? settings.sandboxEnabled) throw noSandbox(input.sandbox === true)
  const directory = await runtimeDirectory(context.env, cacheDirectory)
  const endpoint = createEndpoint(directory)
  const { timeout } = settings.exec
  const toolCalls: RunReport["toolCalls"] = []
  let failure: ScriptFailure | undefined

  const run = await createDirectHarness(context.guard)({
    script: input.script,
    args: input.args,
    cwd,
    env: {
      ...scriptEnvironment(context.env, settings.exec.env),
      ...explicitVariables(input.env ?? [], context.env),
      MCP_EXEC_WORKSPACE: settings.workspace,
    },
    endpoint,
    directory,
    timeoutMs: input.timeoutMs ?? (timeout === undefined ? undefined : timeout * 1000),
    capture: input.capture ?? false,
  })
  input.onStart?.(run.signal)
  // The child takes milliseconds to reach its first call: we listen and look ahead meanwhile.
  const listener = await serveEndpoint(endpoint, async () => {
    const { createHost } = await import("../broker/host.ts")
    return createHost({
      token: endpoint.token,
      manager: context.manager,
      servers: input.servers,
      onCall: input.capture ? (call) => toolCalls.push(call) : undefined,
      onFailed: (reported) => {
        failure = reported
      },
    })
  })
  prespawnServers(context, input.script, settings.serverNames)
  const outcome = await run.finished
  listener.close()
  const { exitCode, durationMs, stdout, stderr } = outcome
  const report = { exitCode, durationMs, stdout, stderr, toolCalls }
  return exitCode === 0 ? { ok: true, ...report } : { ok: false, ...report, error: explain(outcome, failure) }
}

function noSandbox(asked: boolean): McpExecError {
  return new McpExecError("E_SANDBOX", "This version of mcp-exec cannot run scripts in a sandbox", {
    hint: asked ? "Leave --sandbox out to run directly." : "Use --direct to run this script without one.",
  })
}

function explicitVariables(
  assignments: readonly string[],
  env: Record<string, string | undefined>,
): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const assignment of assignments) {
    const at = assignment.indexOf("=")
    const name = at < 0 ? assignment : assignment.slice(0, at)
    const value = at < 0 ? env[name] : assignment.slice(at + 1)
    if (name === "" || value === undefined) {
      throw new McpExecError("E_USAGE", `--env ${assignment}: there is no such variable in the environment`, {
        hint: `Set it with --env ${name || "NAME"}=VALUE`,
      })
    }
    variables[name] = value
  }
  return variables
}

function explain({ exitCode, timedOut, durationMs }: RunOutcome, failure: ScriptFailure | undefined): ErrorDescription {
  if (timedOut) {
    return {
      code: "E_SCRIPT_TIMEOUT",
      message: `The script was stopped after ${(durationMs / 1000).toFixed(1)} s: it ran into its timeout`,
      hint: "Give it longer with --timeout SECONDS, or exec.timeout in the configuration.",
    }
  }
  if (failure === undefined) return { code: "E_SCRIPT_FAILED", message: `The script ended with exit code ${exitCode}` }
  const code = failure.code in exitCodeOf ? (failure.code as ErrorCode) : "E_SCRIPT_FAILED"
  return { code, message: failure.message, ...(failure.stack && { details: { stack: failure.stack } }) }
}
