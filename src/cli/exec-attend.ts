// What `exec` does while the script runs and when it has ended. Loaded while the script's process
// is starting, which takes longer.
import { type ErrorCode, exitCodeFor, McpExecError } from "../errors.ts"
import { createContext, type LogLevel } from "../operations/context.ts"
import { attendScript, type RunResult } from "../operations/exec.ts"
import type { ExecInput, StartedScript } from "../operations/start-script.ts"
import { elicitOnTerminal } from "./elicit-later.ts"
import type { Globals } from "./globals.ts"
import type { CliIo } from "./io.ts"
import type { Output } from "./output.ts"

export interface Attendance {
  io: CliIo
  input: ExecInput
  started: StartedScript
  cwd: string
  globals: Globals
}

// Ends of which the script itself could not tell.
const ofTheHarness: ErrorCode[] = ["E_SCRIPT_TIMEOUT", "E_SCRIPT_MEMORY", "E_SANDBOX"]

/** Answers the script until it ends, shows what there is to show, and returns the exit code. */
export async function attendExec({ io, input, started, cwd, globals }: Attendance): Promise<number> {
  let said: Promise<void> | undefined
  const log = (level: LogLevel, message: string) => {
    said = Promise.all([outputOf(io, globals), said]).then(([output]) => output.log(level, message))
  }
  const ask = elicitOnTerminal(io)
  const { clock } = started.run
  // A person may take longer than a script is given.
  const elicit: typeof ask = (...question) =>
    clock === undefined ? ask(...question) : clock.hold(() => ask(...question))
  const context = createContext({ cwd, env: io.env, configFlag: globals.config, log, elicit })
  // Not `await using`: what the bundler makes of it takes longer than all of this function.
  try {
    const result = await attendScript(context, input, started)
    if (globals.json) (await outputOf(io, globals)).printJson(asJson(result))
    else if (!result.ok && ofTheHarness.includes(result.error.code)) await explain(result.error, io, globals)
    return result.exitCode
  } finally {
    await context[Symbol.asyncDispose]()
    await said
    await io.flush()
  }
}

/** Shows why there was nothing to attend to, and returns the exit code. */
export async function failExec(error: unknown, io: CliIo, globals: Globals): Promise<number> {
  const output = await outputOf(io, globals)
  output.error(error)
  await io.flush()
  return exitCodeFor(error)
}

async function outputOf(io: CliIo, globals: Globals): Promise<Output> {
  const { createOutput } = await import("./output.ts")
  return createOutput(io, globals)
}

async function explain({ code, message, hint }: Failure["error"], io: CliIo, globals: Globals): Promise<void> {
  const output = await outputOf(io, globals)
  output.error(new McpExecError(code, message, { hint }))
}

type Failure = Extract<RunResult, { ok: false }>

function asJson({ ok, exitCode, durationMs, stdout, stderr, toolCalls, ...rest }: RunResult) {
  const calls = toolCalls.map((call) => ({ ...call, durationMs: rounded(call.durationMs) }))
  return { ok, exitCode, durationMs: rounded(durationMs), stdout, stderr, toolCalls: calls, ...rest }
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}
