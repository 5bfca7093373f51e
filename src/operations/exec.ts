// Runs a script: joins the harness, which starts it, with the broker, which answers it. This is the
// path an agent takes again and again: until the script asks for a server, no SDK, schema or
// configuration parser is loaded.
import type { Attachment } from "../broker/daemon-client.ts"
import type { HostOptions, ScriptFailure } from "../broker/host.ts"
import { serveEndpoint } from "../broker/serve-endpoint.ts"
import { type ErrorCode, type ErrorDescription, exitCodeOf, McpExecError } from "../errors.ts"
import type { RunOutcome, RunReport, RunResult } from "../harness/harness.ts"
import type { OperationContext } from "./context.ts"
import { attachRun } from "./daemon/attach.ts"
import type { RunEvents } from "./daemon/attend.ts"
import type { ResultWatch } from "./discover/watch-results.ts"
import type { KeptFiles } from "./kept-files.ts"
import { prespawnServers } from "./prespawn.ts"
import { type ExecInput, type StartedScript, startScript } from "./start-script.ts"

export type { RunResult, Script } from "../harness/harness.ts"

// Starting the guard would slow the script's own start, so it waits until that is over.
const guardAfterMs = 15

/** Runs a script to its end. Throws only when it could not be started. */
export async function execScript(context: OperationContext, input: ExecInput): Promise<RunResult> {
  const { cwd, env } = context
  return await attendScript(context, input, await startScript({ cwd, env, settings: await context.settings() }, input))
}

/** Gives a script that has been started what it asks for, until it ends. */
export async function attendScript(
  context: OperationContext,
  input: ExecInput,
  started: StartedScript,
): Promise<RunResult> {
  const { run, endpoint, directory, settings } = started
  // The script waits until somebody listens: it has started long before. Whatever goes wrong, we listen ourselves.
  const daemon = endpoint.sandbox ? started.daemon : await attachRun(started, input, context.env).catch(() => undefined)
  const toolCalls: RunReport["toolCalls"] = []
  const used = new Map<string, [server: string, tool: string]>()
  let failure: ScriptFailure | undefined
  let kept: KeptFiles | undefined
  let watch: ResultWatch | undefined
  const events: RunEvents = {
    onCall(call) {
      // Loaded while the script goes on, so that its end need not wait for it.
      if (call.ok && used.size === 0 && daemon === undefined) void import("./skills/remember-run.ts")
      if (call.ok) used.set(`${call.server}.${call.tool}`, [call.server, call.tool])
      if (input.capture) toolCalls.push(call)
      input.onCall?.(call)
    },
    async keep(name, content) {
      const { KeptFiles } = await import("./kept-files.ts")
      kept ??= new KeptFiles(settings.workspace)
      return kept.add(name, content)
    },
    onFailed(reported) {
      failure = reported
    },
  }
  // The child takes milliseconds to reach its first call: we listen and look ahead meanwhile.
  const listenHere = () =>
    serveEndpoint(endpoint, async () => {
      const [{ createHost }, { makePrivate, removeStale }, { ResultWatch }] = await Promise.all([
        import("../broker/host.ts"),
        import("../platform/private-directory.ts"),
        import("./discover/watch-results.ts"),
      ])
      makePrivate(directory)
      removeStale(directory)
      const { cacheDirectory } = context
      watch = new ResultWatch({
        cacheDirectory,
        directory: `${settings.directory}/servers`,
        observe: settings.observe,
      })
      return createHost({
        token: endpoint.token,
        manager: () => context.manager(),
        servers: input.servers,
        sandbox: endpoint.sandbox,
        ...(endpoint.sandbox && { state: await stateOf(input, settings.workspace) }),
        ...events,
        async search(query, options) {
          const { searchTools } = await import("./search/search-tools.ts")
          return (await searchTools(context, { query, ...options })).hits
        },
        onResult: (...seen) => watch?.saw(...seen),
      })
    }).catch(async (cause) => {
      // A sandboxed run that is over has taken its folder along: there is nobody left to answer.
      if (endpoint.sandbox && cause?.code === "ENOENT") return { close() {} }
      // Nobody would watch over the script, nor answer it.
      run.signal("SIGKILL")
      await run.finished
      throw new McpExecError("E_BROKER", `mcp-exec cannot listen at ${endpoint.address}`, {
        hint: "Point MCP_EXEC_CACHE_DIR at a folder of yours that can be written.",
        cause,
      })
    })
  const { servers = settings.serverNames } = input
  const allowed = settings.serverNames.filter((name) => servers.includes(name))
  const listener: RunListener =
    daemon === undefined ? await listenHere() : await followDaemon(context, input, daemon, events, allowed)
  let isGuarded = false
  const { pid } = run
  const guarding = setTimeout(() => {
    if (pid === undefined) return
    isGuarded = true
    context.guard.watch(pid)
  }, guardAfterMs)
  context.warn(settings.warnings)
  if (daemon === undefined) prespawnServers(context, input, { settings, serverNames: allowed })
  const outcome = await run.finished
  clearTimeout(guarding)
  if (isGuarded && pid !== undefined) context.guard.release(pid)
  const { exitCode, durationMs, stdout, stderr } = outcome
  await listener.close(exitCode === 0)
  if (exitCode === 0) kept?.write()
  await watch?.settle()
  if (exitCode === 0 && used.size > 0 && daemon === undefined) {
    const { rememberRun } = await import("./skills/remember-run.ts")
    const { cacheDirectory } = context
    await rememberRun({ ...input, project: settings.directory, cacheDirectory, tools: used.values() })
  }
  // For its connections; for a sandboxed script also for the containers that it lets wait.
  if (input.daemon && daemon === undefined && (endpoint.sandbox || used.size > 0)) {
    const { startForNextTime } = await import("./daemon/next-time.ts")
    await startForNextTime(context, settings, { used: used.values(), sandbox: endpoint.sandbox })
  }
  const timeoutMs = input.timeoutMs ?? (settings.exec.timeout ?? 0) * 1000
  const report = { exitCode, durationMs, stdout, stderr, toolCalls }
  return exitCode === 0
    ? { ok: true, ...report }
    : { ok: false, ...report, error: explain(outcome, failure, timeoutMs) }
}

async function stateOf({ script }: ExecInput, workspace: string): Promise<HostOptions["state"]> {
  const { sandboxState } = await import("./sandbox/state.ts")
  return sandboxState(workspace, script.kind === "file" ? script.path : script.name)
}

interface RunListener {
  close(endedWell: boolean): Promise<void> | void
}

/** The daemon answers the script; here is heard what it says of the run. */
async function followDaemon(
  context: OperationContext,
  input: ExecInput,
  daemon: Attachment,
  events: RunEvents,
  servers: readonly string[],
): Promise<RunListener> {
  const { announceServers, followRun } = await import("./daemon/attend.ts")
  announceServers(daemon, input, servers)
  followRun(context, daemon, events)
  return { close: (endedWell) => daemon.finish(endedWell, input.script) }
}

function explain(
  { exitCode, timedOut, problem }: RunOutcome,
  failure: ScriptFailure | undefined,
  timeoutMs: number,
): ErrorDescription {
  if (problem !== undefined) return problem
  if (timedOut) {
    return {
      code: "E_SCRIPT_TIMEOUT",
      message: `The script was stopped after ${timeoutMs / 1000} s: it ran into its timeout`,
      hint: "Give it longer with --timeout SECONDS, or exec.timeout in the configuration.",
    }
  }
  if (failure === undefined) return { code: "E_SCRIPT_FAILED", message: `The script ended with exit code ${exitCode}` }
  const code = failure.code in exitCodeOf ? (failure.code as ErrorCode) : "E_SCRIPT_FAILED"
  const { message, hint, stack } = failure
  return { code, message, ...(hint !== undefined && { hint }), ...(stack && { details: { stack } }) }
}
