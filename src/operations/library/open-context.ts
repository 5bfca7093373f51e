// From the options of a program to a context: the configuration is read and checked at once, so that
// what is wrong with it shows where it is given.
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import type { Config } from "../../config/schema.ts"
import { ConfigError, isMcpExecError, McpExecError } from "../../errors.ts"
import { TimeLimits } from "../../platform/time-limits.ts"
import {
  type ContextOptions,
  createContext,
  type Elicit,
  type LogLevel,
  type OperationContext,
  type Sample,
} from "../context.ts"

export interface McpExecOptions {
  /**
   * The path of a configuration file, or what would be in it. When absent, mcp_config.json is searched for as the
   * command line does it: MCP_EXEC_CONFIG, then the nearest from `cwd` upward.
   */
  config?: string | ConfigObject | undefined
  /** Where scripts run and relative paths start; for a configuration without a file, also the project's folder. */
  cwd?: string | undefined
  /** For variables in the configuration, and what servers and scripts are allowed to see of it. */
  env?: Record<string, string | undefined> | undefined
  /** Told of warnings and of what servers log. Without it nobody is. */
  onLog?: ((entry: { level: LogLevel; message: string }) => void) | undefined
  /** Asks the user what a server wants to know. Without it every question is declined. */
  elicit?: Elicit | undefined
  /** Has a model answer a server (sampling); undefined declines. Without it servers are told that there is none. */
  sample?: Sample | undefined
}

export interface SettledOptions extends ContextOptions {
  /** Of scripts: it stands still while somebody is asked. */
  clock: TimeLimits
}

/** What mcp_config.json may hold. */
export interface ConfigObject {
  mcpServers?: Record<string, Record<string, unknown>>
  workspace?: string
  exec?: Record<string, unknown>
  sandbox?: Record<string, unknown>
  [section: string]: unknown
}

/** What a context is made of. Rejects when the folder or the configuration is not usable. */
export async function contextOptions(options: McpExecOptions): Promise<SettledOptions> {
  const { config, onLog, elicit, sample } = options
  const clock = new TimeLimits()
  const cwd = await folderOf(options.cwd)
  return {
    cwd,
    env: { ...(options.env ?? process.env) },
    ...(typeof config === "string"
      ? { configFlag: config }
      : config !== undefined && { config: await read(config, cwd) }),
    log: (level, message) => onLog?.({ level, message }),
    // Whose question it is cannot be known: the time of all scripts of the instance stands still.
    elicit: elicit && ((request) => clock.hold(() => elicit(request))),
    sample: sample && ((request) => clock.hold(() => sample(request))),
    clock,
  }
}

/** Opens a context. Rejects when the configuration is missing or wrong. */
export async function openContext(options: ContextOptions): Promise<OperationContext> {
  const context = createContext(options)
  await context.config()
  return context
}

async function folderOf(given: string | undefined): Promise<string> {
  const cwd = resolve(given ?? ".")
  const status = await stat(cwd).catch(() => undefined)
  if (status?.isDirectory()) return cwd
  const problem = status === undefined ? "a folder that does not exist" : "something that is not a folder"
  throw new McpExecError("E_USAGE", `cwd names ${problem}: ${cwd}`, { hint: "Give cwd the path of a folder." })
}

async function read(given: unknown, cwd: string): Promise<Config> {
  const { parseConfig } = await import("../../config/load.ts")
  try {
    // A name that stands for none: relative paths start beside it.
    const { file: _none, ...config } = parseConfig(asText(given), { file: resolve(cwd, "config") })
    return config
  } catch (error) {
    throw isMcpExecError(error) ? ofObject(error) : error
  }
}

function asText(given: unknown): string {
  try {
    return JSON.stringify(given) ?? String(given)
  } catch (cause) {
    throw new ConfigError("E_CONFIG_INVALID", `config cannot be read as JSON: ${(cause as Error).message}`, {
      hint: 'A configuration looks like {"mcpServers": {"name": {"command": "program"}}}.',
      cause,
    })
  }
}

/** An object has no lines to point at. */
function ofObject({ code, message, hint, details }: McpExecError): ConfigError {
  const problems: { path: string; message: string }[] = Array.isArray(details) ? details : []
  const lines = problems.map((problem) => `\n  ${problem.path === "" ? "" : `${problem.path}: `}${problem.message}`)
  const text = lines.length === 0 ? message : `config is not a valid configuration:${lines.join("")}`
  return new ConfigError(code, text, { hint: hint?.replace(/^Correct the file;.*/, "Correct the object."), details })
}
