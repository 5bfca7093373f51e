// One run for a client: waits for its turn, runs what the call names, and stops it when its time is up, when it
// prints without end, or when nobody wants its result any more.
import { McpExecError } from "../errors.ts"
import type { OperationContext } from "../operations/context.ts"
import type { RunResult, Script } from "../operations/exec.ts"
import { findScript, wordsOf } from "../operations/library/find-script.ts"
import { runFound } from "../operations/library/run-found.ts"
import { bytesOf } from "../operations/sandbox/limits.ts"
import type { ExecInput } from "../operations/start-script.ts"
import { callContext } from "./call-context.ts"
import { checkCode } from "./check-code.ts"
import type { Conversation } from "./conversation.ts"
import type { Core } from "./core.ts"
import type { ExecuteInput } from "./execute-input.ts"
import { withSkillSchema } from "./own-terms.ts"

export interface RunHooks {
  /** Ends the run. */
  signal: AbortSignal
  /** Who is asked what servers want to know; the time stands still meanwhile. */
  conversation: Conversation
  onOutput: NonNullable<ExecInput["onOutput"]>
}

/** Runs what a call names to its end. Throws only when it could not be started. */
export async function runScript(core: Core, client: string, input: ExecuteInput, hooks: RunHooks): Promise<RunResult> {
  await using lease = await core.contexts.lease()
  const { conversation } = hooks
  const context = callContext(lease.context, {
    during: (server, request) => core.questions.during(conversation, server, request),
  })
  const { sandbox, serve } = await context.config()
  const timeoutMs = timeoutOf(input, sandbox)
  const isSandboxed = checkSandbox(input, sandbox.enabled)
  const leave = await core.gate.enter(serve, hooks.signal)
  try {
    const pool = isSandboxed ? await core.pool(context) : undefined
    if (input.session !== undefined) {
      return await core.sessions.run({ client, ...sessionInput(input), isSandboxed, pool, timeoutMs, ...hooks })
    }
    const script = await scriptOf(context, input, isSandboxed)
    const notes = await checkCode(context, script, { check: input.check, signal: hooks.signal })
    const output = new OutputLimit(bytesOf(sandbox.maxOutput), hooks.onOutput)
    const exec: ExecInput = {
      script,
      args: wordsOf(input.args ?? []),
      timeoutMs,
      clock: conversation.limits,
      sandbox: isSandboxed,
      onOutput: (stream, chunk) => output.take(stream, chunk),
    }
    // What takes long before a script starts is for those who watch, not for its result.
    const notices = { stderr: (text: string) => hooks.onOutput("stderr", new TextEncoder().encode(text)) }
    const signal = AbortSignal.any([hooks.signal, output.full])
    const result = withNotes(await runFound(context, exec, { signal, pool, notices }), notes)
    if (output.full.aborted && !hooks.signal.aborted) return tooMuch(result)
    return await withSkillSchema(context, input.skill, result)
  } finally {
    leave()
  }
}

async function scriptOf(
  context: OperationContext,
  { code, skill, path }: ExecuteInput,
  isSandboxed: boolean,
): Promise<Script> {
  const given = [code, skill, path].filter((each) => each !== undefined).length
  if (given !== 1) {
    throw new McpExecError("E_USAGE", `execute_script takes one of code, skill and path; it got ${given}`, {
      hint: 'For example {"code": "1 + 1"}',
    })
  }
  if (path !== undefined && isSandboxed) return await findScript(context, { file: await insideProject(context, path) })
  if (code === undefined) return await findScript(context, { file: path, skill })
  const { forgive } = await import("./forgive.ts")
  return await findScript(context, { code: forgive(code) })
}

/** The sandbox is given a script's text. A model that names one must not read files that way which it is not shown. */
async function insideProject(context: OperationContext, path: string): Promise<string> {
  const [{ realpath }, { resolve, sep }] = await Promise.all([import("node:fs/promises"), import("node:path")])
  const wanted = resolve(context.cwd, path)
  const real = await realpath(wanted).catch(() => wanted)
  const { file, directory, workspace } = await context.config()
  const shown = file === undefined ? [context.cwd] : [directory, workspace]
  for (const folder of shown) {
    const root = await realpath(folder).catch(() => folder)
    if (real.startsWith(root.endsWith(sep) ? root : root + sep)) return real
  }
  throw new McpExecError("E_SANDBOX", `${path} leads out of the project, and the sandbox runs nothing from there`, {
    hint: `Scripts have to be in ${directory}.`,
  })
}

function timeoutOf(input: ExecuteInput, { timeout, maxTimeout }: { timeout: number; maxTimeout: number }): number {
  const seconds = input.timeout ?? timeout
  if (seconds <= maxTimeout) return seconds * 1000
  throw new McpExecError("E_USAGE", `timeout ${seconds} is more than a script may have`, {
    hint: `At most ${maxTimeout} s (sandbox.maxTimeout in the configuration).`,
  })
}

/** A call may ask for the sandbox; only the configuration can do without it. */
function checkSandbox({ sandbox }: ExecuteInput, isEnabled: boolean): boolean {
  if (sandbox !== false || !isEnabled) return sandbox ?? isEnabled
  throw new McpExecError("E_SANDBOX", "The configuration wants every script in the sandbox", {
    hint: "Leave out sandbox, or change sandbox.enabled in the configuration.",
  })
}

function sessionInput({ session = "", code, skill, path, reset = false, check }: ExecuteInput): {
  name: string
  code: string
  reset: boolean
} {
  if (skill !== undefined || path !== undefined || check || (code === undefined && !reset)) {
    throw new McpExecError("E_USAGE", "A session takes code, and neither skill nor path nor check", {
      hint: 'For example {"session": "a", "code": "const x = 1"}',
    })
  }
  return { name: session, code: code ?? "", reset }
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

function tooMuch(result: RunResult): RunResult {
  const message = "The script was stopped: it printed more than it may"
  return {
    ...result,
    ok: false,
    error: { code: "E_LIMIT", message, hint: "Print less, or write to a file (sandbox.maxOutput is the limit)." },
  }
}
