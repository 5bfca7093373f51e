// Looks at everything a run depends on and says how to fix what is wrong. It finds out by doing:
// reads the configuration, connects to the servers, asks the engines. It changes nothing.
import { z } from "zod"
import type { ServerConfig } from "../config/schema.ts"
import { describeError, exitCodeFor } from "../errors.ts"
import { checkServer } from "./check-server.ts"
import type { OperationContext } from "./context.ts"
import type { Check } from "./doctor-check.ts"
import { checkCache, checkEngines, checkRuntime, checkTerminal } from "./doctor-environment.ts"

export const doctorInput = z.object({
  terminal: z.object({
    stdin: z.boolean(),
    stdout: z.boolean(),
    stderr: z.boolean(),
    color: z.boolean(),
  }),
})

export type DoctorInput = z.infer<typeof doctorInput>

export interface DoctorOutput {
  ok: boolean
  /** 0 when nothing failed, 3 for the configuration, 4 for a server. */
  exitCode: number
  checks: Check[]
}

/** Examines configuration, servers, container engines, terminal and runtime. */
export async function doctor(context: OperationContext, input: DoctorInput): Promise<DoctorOutput> {
  const environment = Promise.all([checkEngines(context.env), checkCache(context.cacheDirectory)])
  const configured = await checkConfig(context)
  const [engines, cache] = await environment
  const results = [
    ...configured,
    ...engines.map(passed),
    passed(checkTerminal(input.terminal, context.env)),
    passed(checkRuntime()),
    passed(cache),
  ]
  const exitCodes = results.map(({ exitCode }) => exitCode).filter((code) => code !== 0)
  // The configuration comes before the servers: it has to be right first.
  const exitCode = exitCodes.length === 0 ? 0 : exitCodes.includes(3) ? 3 : 4
  return { ok: exitCode === 0, exitCode, checks: results.map(({ check }) => check) }
}

interface Result {
  check: Check
  exitCode: number
}

function passed(check: Check): Result {
  return { check, exitCode: 0 }
}

async function checkConfig(context: OperationContext): Promise<Result[]> {
  try {
    const { file, servers, warnings } = await context.config()
    const names = Object.keys(servers)
    const checks = await Promise.all(names.map((name) => checkConfigured(context, name, servers[name])))
    return [passed(describeConfig(context, file, names.length, warnings)), ...checks]
  } catch (error) {
    return [failed("config", "configuration", error)]
  }
}

function describeConfig(
  context: OperationContext,
  file: string | undefined,
  servers: number,
  warnings: string[],
): Check {
  const common = { area: "config", name: "configuration" } as const
  if (file === undefined) {
    const message = `no mcp_config.json in ${context.cwd} or above it: scripts run, but have no servers to call`
    return { ...common, status: "warn", message, hint: firstServerHint(file) }
  }
  const message = `${file} is valid: ${servers} ${servers === 1 ? "server" : "servers"}`
  if (servers === 0) return { ...common, status: "warn", message, hint: firstServerHint(file) }
  if (warnings.length === 0) return { ...common, status: "ok", message }
  const hint = "Correct the spelling of these keys, or remove them."
  return { ...common, status: "warn", message: `${message}; ${warnings.join("; ")}`, hint, details: { warnings } }
}

/** How to get from nothing, or from a file without servers, to a first server. */
export function firstServerHint(file: string | undefined): string {
  if (file === undefined) return "Run mcp-exec init, which makes one, or name one with --config."
  const example = '{"mcpServers": {"files": {"type": "builtin", "name": "filesystem", "args": ["."]}}}'
  return `Add a server to ${file}, for example ${example}`
}

async function checkConfigured(context: OperationContext, name: string, entry?: ServerConfig): Promise<Result> {
  if (entry?.disabled) return passed({ area: "server", name, status: "note", message: "disabled" })
  const check = await checkServer(context, name)
  if (!check.ok) {
    const { code, message, hint } = check.error
    const failure: Check = { area: "server", name, status: "fail", message, code, durationMs: check.durationMs }
    return { check: hint === undefined ? failure : { ...failure, hint }, exitCode: check.exitCode }
  }
  const version = check.version === undefined ? "" : `, version ${check.version}`
  const runtime = entry?.type === "stdio" && entry.runtime !== undefined ? `, on mcp-exec's own Bun` : ""
  const message = `${check.tools} ${check.tools === 1 ? "tool" : "tools"}${version}${runtime}`
  return passed({ area: "server", name, status: "ok", message, durationMs: check.durationMs })
}

function failed(area: Check["area"], name: string, error: unknown): Result {
  const { code, message, hint, details } = describeError(error)
  return {
    check: {
      area,
      name,
      status: "fail",
      message,
      code,
      ...(hint !== undefined && { hint }),
      ...(details !== undefined && { details }),
    },
    exitCode: exitCodeFor(error),
  }
}
