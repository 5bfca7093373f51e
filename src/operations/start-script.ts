// From the wish to run a script to its process: what must be known before the script can start, and
// not a function more. A script that prints a line takes twice as long as this program may; every
// function that runs here for the first time is felt. What can wait is in exec.ts.
import type { Attachment } from "../broker/daemon-client.ts"
import { type BrokerEndpoint, createEndpoint } from "../broker/endpoint.ts"
import { type FindOptions, findConfigFile } from "../config/find.ts"
import { type ExecSettings, readExecSettings, receivedSettings } from "../config/receipt.ts"
import { McpExecError } from "../errors.ts"
import { type GuessedStart, ScriptAhead } from "../harness/ahead.ts"
import type { WarmPool } from "../harness/container/pool.ts"
import { startDirect } from "../harness/direct.ts"
import { addVariables, scriptEnvironment } from "../harness/environment.ts"
import type { Run, RunReport, RunRequest, Script } from "../harness/harness.ts"
import { cacheDirectory } from "../platform/directories.ts"
import { runtimeDirectory } from "../platform/runtime-directory.ts"

export { type GuessedStart, ScriptAhead }

export interface ExecInput {
  script: Script
  /** What the script's file holds, when it has been read already. */
  text?: string | undefined
  args: readonly string[]
  /** `NAME` passes the caller's variable on, `NAME=VALUE` sets it. */
  env?: readonly string[]
  timeoutMs?: number | undefined
  clock?: RunRequest["clock"]
  /** The only servers the script may use; all when absent. */
  servers?: readonly string[] | undefined
  /** Overrides the configuration's `sandbox.enabled`. */
  sandbox?: boolean | undefined
  /** What a sandboxed script sees of the workspace: read-only when absent. */
  workspace?: "rw" | "ro" | "none" | undefined
  /** Run in the sandbox although not every lock holds on this machine. */
  allowWeaker?: boolean | undefined
  /** Use the servers of a daemon where one is wanted; without it, or with false, the run has its own. */
  daemon?: boolean
  /** Keeps the streams for the result instead of passing them through. */
  capture?: boolean
  stdin?: RunRequest["stdin"]
  onOutput?: RunRequest["onOutput"]
  mode?: RunRequest["mode"]
  /** Told of each call of a tool when it is over; for those who cannot wait for the result. */
  onCall?: (call: RunReport["toolCalls"][number]) => void
}

export interface StartedScript {
  run: Run
  endpoint: BrokerEndpoint
  /** The private folder that the endpoint is in. */
  directory: string
  settings: ExecSettings
  /** The daemon that answers the script, when that had to be known before it started. */
  daemon?: Attachment | undefined
}

export interface StartOptions extends FindOptions {
  /** When they are known already; otherwise they are found and read. */
  settings?: ExecSettings
  /** The script's process, when it has been started before anything else was known. */
  ahead?: ScriptAhead | undefined
  /** Containers started ahead, for whoever stays to use them. */
  pool?: WarmPool | undefined
}

/** Somewhere to say what takes long. */
export interface Notices {
  stderr(text: string): void
}

/** Whether a script that needs nobody may run with nobody looking after it. Only said of a configuration that is known to be valid. */
export async function runsUnattended({ cwd, env }: FindOptions): Promise<boolean> {
  const file = await findConfigFile({ cwd, env })
  if (file === undefined) return true
  const settings = await receivedSettings(file, cacheDirectory(env))
  if (settings === undefined || settings.warnings.length > 0) return false
  return !settings.sandboxEnabled && settings.exec.timeout === undefined
}

/** Starts a script. Throws when it must not or cannot be started. */
export async function startScript(
  { cwd, env, flag, settings: given, ahead, pool }: StartOptions,
  input: ExecInput,
  notices?: Notices,
): Promise<StartedScript> {
  const file = given === undefined ? await findConfigFile({ cwd, env, flag }) : given.file
  const cache = cacheDirectory(env)
  const settings = given ?? (await readExecSettings({ file, cwd, cacheDirectory: cache }))
  const unknown = input.servers?.find((name) => !settings.serverNames.includes(name))
  if (unknown !== undefined) throw await unknownServer(unknown, settings.serverNames)
  const directory = await runtimeDirectory(env, cache)
  if (input.sandbox ?? settings.sandboxEnabled) {
    ahead?.end()
    const { startSandboxed } = await import("./sandbox/start.ts")
    return await startSandboxed({ cwd, env, cache, directory, settings, notices, pool }, input)
  }
  const endpoint = ahead?.endpointIn(directory) ?? createEndpoint(directory)
  const variables = scriptEnvironment(env, settings.exec.env)
  if (input.env !== undefined && input.env.length > 0) addVariables(variables, input.env, env)
  variables.MCP_EXEC_WORKSPACE = settings.workspace
  variables.MCP_EXEC_BROKER = endpoint.address
  variables.MCP_EXEC_TOKEN = endpoint.token
  // Whoever captures the streams wants the reason of a failure as data.
  if (input.capture) variables.MCP_EXEC_REPORT = "1"
  const { timeout } = settings.exec
  const run = await startDirect({
    script: input.script,
    args: input.args,
    cwd,
    env: variables,
    directory,
    timeoutMs: input.timeoutMs ?? (timeout === undefined ? undefined : timeout * 1000),
    clock: input.clock,
    capture: input.capture ?? false,
    stdin: input.stdin,
    onOutput: input.onOutput,
    mode: input.mode,
    ahead,
  })
  return { run, endpoint, directory, settings }
}

async function unknownServer(name: string, names: readonly string[]): Promise<McpExecError> {
  const { nearMiss } = await import("../suggest.ts")
  return new McpExecError("E_SERVER_UNKNOWN", `--server names '${name}', which is not in the configuration`, {
    hint: names.length === 0 ? "There are: none" : nearMiss(name, names, "There are"),
  })
}
