// One run for a client: waits for its turn, starts the script, and stops it when its time is up, when it
// prints without end, or when nobody wants its result any more.
import { McpExecError } from "../errors.ts"
import type { OperationContext } from "../operations/context.ts"
import { attendScript, type RunResult } from "../operations/exec.ts"
import { bytesOf } from "../operations/sandbox/limits.ts"
import { type ExecInput, startScript } from "../operations/start-script.ts"
import type { Core } from "./core.ts"
import type { ExecuteInput } from "./execute-input.ts"
import { findScript, wordsOf } from "./find-script.ts"

export interface RunHooks {
  /** Ends the run. */
  signal: AbortSignal
  onOutput: NonNullable<ExecInput["onOutput"]>
}

// How long a script that was told to end may take to do so.
const graceMs = 500

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
    const script = await findScript(context, input)
    const notes = input.check ? await checkTypes(context, script) : []
    const output = new OutputLimit(bytesOf(sandbox.maxOutput), hooks.onOutput)
    const exec: ExecInput = {
      script,
      args: wordsOf(input.args),
      timeoutMs,
      sandbox: input.sandbox,
      capture: true,
      stdin: "ignore",
      onOutput: (stream, chunk) => output.take(stream, chunk),
    }
    const { cwd, env } = context
    // What takes long before a script starts is for those who watch, not for its result.
    const notices = { stderr: (text: string) => hooks.onOutput("stderr", new TextEncoder().encode(text)) }
    const pool = (input.sandbox ?? sandbox.enabled) ? await core.pool(context) : undefined
    const started = await startScript({ cwd, env, settings: await context.settings(), pool }, exec, notices)
    const end = endOnce((name) => started.run.signal(name))
    output.onFull = end
    hooks.signal.addEventListener("abort", end)
    if (hooks.signal.aborted) end()
    try {
      const result = withNotes(await attendScript(context, exec, started), notes)
      return hooks.signal.aborted ? cancelled(result) : output.isFull ? tooMuch(result) : result
    } finally {
      hooks.signal.removeEventListener("abort", end)
    }
  } finally {
    leave()
  }
}

/** TERM, and KILL for what does not listen. */
function endOnce(send: (name: NodeJS.Signals) => void): () => void {
  let hasEnded = false
  return () => {
    if (hasEnded) return
    hasEnded = true
    send("SIGTERM")
    setTimeout(() => send("SIGKILL"), graceMs).unref()
  }
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
async function checkTypes(context: OperationContext, script: ExecInput["script"]): Promise<string[]> {
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
  onFull: () => void = () => {}
  #left: number
  readonly #pass: RunHooks["onOutput"]

  constructor(maxBytes: number, pass: RunHooks["onOutput"]) {
    this.#left = maxBytes
    this.#pass = pass
  }

  get isFull(): boolean {
    return this.#left < 0
  }

  take(stream: "stdout" | "stderr", chunk: Uint8Array): void {
    this.#left -= chunk.length
    if (this.isFull) this.onFull()
    else this.#pass(stream, chunk)
  }
}

function withNotes(result: RunResult, notes: readonly string[]): RunResult {
  return { ...result, stderr: notes.map((note) => `${note}\n`).join("") + result.stderr }
}

function cancelled(result: RunResult): RunResult {
  const error = { code: "E_TOOL_CANCELLED", message: "The call was cancelled, and the script stopped" } as const
  return { ...result, ok: false, error }
}

function tooMuch(result: RunResult): RunResult {
  const message = "The script was stopped: it printed more than it may"
  return {
    ...result,
    ok: false,
    error: { code: "E_LIMIT", message, hint: "Print less, or write to a file (sandbox.maxOutput is the limit)." },
  }
}
