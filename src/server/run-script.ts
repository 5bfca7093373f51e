// One run for a client: waits for its turn, runs what the call names, and stops it when its time is up, when it
// prints without end, or when nobody wants its result any more.
import { McpExecError } from "../errors.ts"
import type { OperationContext } from "../operations/context.ts"
import type { RunResult, Script } from "../operations/exec.ts"
import { findScript, wordsOf } from "../operations/library/find-script.ts"
import { runFound } from "../operations/library/run-found.ts"
import { bytesOf } from "../operations/sandbox/limits.ts"
import type { ExecInput } from "../operations/start-script.ts"
import type { TimeLimits } from "../platform/time-limits.ts"
import type { Core } from "./core.ts"
import type { ExecuteInput } from "./execute-input.ts"

export interface RunHooks {
  /** Ends the run. */
  signal: AbortSignal
  /** Where its time is counted, which stands still while somebody is asked. */
  limits: TimeLimits
  onOutput: NonNullable<ExecInput["onOutput"]>
}

/** The harness counts time too, without standing still: in direct mode it is not to. */
const longestMs = 2 ** 31 - 1

/** Runs what a call names to its end. Throws only when it could not be started. */
export async function runScript(core: Core, client: string, input: ExecuteInput, hooks: RunHooks): Promise<RunResult> {
  await using lease = await core.contexts.lease()
  const { context } = lease
  const { sandbox, serve } = await context.config()
  const timeoutMs = timeoutOf(input, sandbox)
  checkSandbox(input, sandbox.enabled)
  const leave = await core.gate.enter(serve, hooks.signal)
  try {
    if (input.session !== undefined) {
      const { session, code, reset } = sessionInput(input, sandbox.enabled)
      return await core.sessions.run({ client, name: session, code, reset, timeoutMs, ...hooks })
    }
    const script = await scriptOf(context, input)
    const notes = input.check ? await checkTypes(context, script) : []
    const isSandboxed = input.sandbox ?? sandbox.enabled
    const output = new OutputLimit(bytesOf(sandbox.maxOutput), hooks.onOutput)
    const exec: ExecInput = {
      script,
      args: wordsOf(input.args ?? []),
      timeoutMs: isSandboxed ? timeoutMs : longestMs,
      sandbox: input.sandbox,
      onOutput: (stream, chunk) => output.take(stream, chunk),
    }
    // What takes long before a script starts is for those who watch, not for its result.
    const notices = { stderr: (text: string) => hooks.onOutput("stderr", new TextEncoder().encode(text)) }
    const pool = isSandboxed ? await core.pool(context) : undefined
    const limit = hooks.limits.start(isSandboxed ? longestMs : timeoutMs, AbortSignal.any([hooks.signal, output.full]))
    try {
      const run = await runFound(context, exec, { signal: limit.signal, pool, notices })
      const result = withNotes(run, notes)
      if (hooks.signal.aborted || !limit.signal.aborted) return result
      return output.full.aborted ? tooMuch(result) : timedOut(result, timeoutMs)
    } finally {
      limit.end()
    }
  } finally {
    leave()
  }
}

async function scriptOf(context: OperationContext, { code, skill, path }: ExecuteInput): Promise<Script> {
  const given = [code, skill, path].filter((each) => each !== undefined).length
  if (given !== 1) {
    throw new McpExecError("E_USAGE", `execute_script takes one of code, skill and path; it got ${given}`, {
      hint: 'For example {"code": "1 + 1"}',
    })
  }
  if (code === undefined) return await findScript(context, { file: path, skill })
  const { forgive } = await import("./forgive.ts")
  return await findScript(context, { code: forgive(code) })
}

function timeoutOf(input: ExecuteInput, { timeout, maxTimeout }: { timeout: number; maxTimeout: number }): number {
  const seconds = input.timeout ?? timeout
  if (seconds <= maxTimeout) return seconds * 1000
  throw new McpExecError("E_USAGE", `timeout ${seconds} is more than a script may have`, {
    hint: `At most ${maxTimeout} s (sandbox.maxTimeout in the configuration).`,
  })
}

/** A call may ask for the sandbox; only the configuration can do without it. */
function checkSandbox({ sandbox }: ExecuteInput, isEnabled: boolean): void {
  if (sandbox !== false || !isEnabled) return
  throw new McpExecError("E_SANDBOX", "The configuration wants every script in the sandbox", {
    hint: "Leave out sandbox, or change sandbox.enabled in the configuration.",
  })
}

function sessionInput(
  { session = "", code, skill, path, reset = false, sandbox, check }: ExecuteInput,
  isSandboxed: boolean,
): { session: string; code: string; reset: boolean } {
  if (sandbox ?? isSandboxed) {
    throw new McpExecError("E_SANDBOX", "A session cannot be had in the sandbox", {
      hint: "Leave out session, and do everything in one script.",
    })
  }
  if (skill !== undefined || path !== undefined || check || (code === undefined && !reset)) {
    throw new McpExecError("E_USAGE", "A session takes code, and neither skill nor path nor check", {
      hint: 'For example {"session": "a", "code": "const x = 1"}',
    })
  }
  return { session, code: code ?? "", reset }
}

/** Throws when the types are wrong; gives what is to be said when they could not be looked at. */
async function checkTypes(context: OperationContext, script: Script): Promise<string[]> {
  const { checkScript } = await import("../operations/skills/check-script.ts")
  const { problems, notes } = await checkScript(context, script)
  if (problems.length === 0) return notes
  const lines = problems.map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`))
  throw new McpExecError("E_SCRIPT_TYPES", lines.join("\n"), {
    hint: 'search_tools with detail "full" gives the types. Nothing was run.',
  })
}

/** Passes output on until there is too much of it. */
class OutputLimit {
  readonly #full = new AbortController()
  readonly #pass: RunHooks["onOutput"]
  #left: number

  constructor(maxBytes: number, pass: RunHooks["onOutput"]) {
    this.#left = maxBytes
    this.#pass = pass
  }

  get full(): AbortSignal {
    return this.#full.signal
  }

  take(stream: "stdout" | "stderr", chunk: Uint8Array): void {
    this.#left -= chunk.length
    if (this.#left < 0) this.#full.abort()
    else this.#pass(stream, chunk)
  }
}

function withNotes(result: RunResult, notes: readonly string[]): RunResult {
  return { ...result, stderr: notes.map((note) => `${note}\n`).join("") + result.stderr }
}

function timedOut(result: RunResult, timeoutMs: number): RunResult {
  const message = `The script was stopped after ${timeoutMs / 1000} s: it ran into its timeout`
  return { ...result, ok: false, exitCode: 124, error: { code: "E_SCRIPT_TIMEOUT", message } }
}

function tooMuch(result: RunResult): RunResult {
  const message = "The script was stopped: it printed more than it may"
  return {
    ...result,
    ok: false,
    error: { code: "E_LIMIT", message, hint: "Print less, or write to a file (sandbox.maxOutput is the limit)." },
  }
}
