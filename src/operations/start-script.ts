// From the wish to run a script to its process: what must be known before the script can start, and
// not a function more. A script that prints a line takes twice as long as this program may; every
// function that runs here for the first time is felt. What can wait is in exec.ts.
import { type BrokerEndpoint, createEndpoint } from "../broker/endpoint.ts"
import { type FindOptions, findConfigFile } from "../config/find.ts"
import { type ExecSettings, readExecSettings } from "../config/receipt.ts"
import { McpExecError } from "../errors.ts"
import { startDirect } from "../harness/direct.ts"
import { scriptEnvironment } from "../harness/environment.ts"
import type { Run, Script } from "../harness/harness.ts"
import { cacheDirectory } from "../platform/directories.ts"
import { runtimeDirectory } from "../platform/runtime-directory.ts"

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
}

export interface StartedScript {
  run: Run
  endpoint: BrokerEndpoint
  /** The private folder that the endpoint is in. */
  directory: string
  settings: ExecSettings
}

/** Starts a script. Throws when it must not or cannot be started. */
export async function startScript({ cwd, env, flag }: FindOptions, input: ExecInput): Promise<StartedScript> {
  const file = await findConfigFile({ cwd, env, flag })
  const cache = cacheDirectory(env)
  const settings = await readExecSettings({ file, cwd, cacheDirectory: cache })
  if (input.sandbox ?? settings.sandboxEnabled) throw noSandbox(input.sandbox === true)
  const unknown = input.servers?.find((name) => !settings.serverNames.includes(name))
  if (unknown !== undefined) throw await unknownServer(unknown, settings.serverNames)
  const directory = await runtimeDirectory(env, cache)
  const endpoint = createEndpoint(directory)
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
    capture: input.capture ?? false,
  })
  return { run, endpoint, directory, settings }
}

function noSandbox(asked: boolean): McpExecError {
  return new McpExecError("E_SANDBOX", "This version of mcp-exec cannot run scripts in a sandbox", {
    hint: asked ? "Leave --sandbox out to run directly." : "Use --direct to run this script without one.",
  })
}

async function unknownServer(name: string, names: readonly string[]): Promise<McpExecError> {
  const { nearMiss } = await import("../suggest.ts")
  return new McpExecError("E_SERVER_UNKNOWN", `--server names '${name}', which is not in the configuration`, {
    hint: names.length === 0 ? "There are: none" : nearMiss(name, names, "There are"),
  })
}

function addVariables(
  variables: Record<string, string>,
  assignments: readonly string[],
  env: Record<string, string | undefined>,
): void {
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
}
