// One session: a process that stays between snippets and keeps their variables. A snippet that runs out of
// time, or is given up, takes the process with it: there is no other way to stop code.
import { describeError, type ErrorCode, exitCodeFor, exitCodeOf, McpExecError } from "../errors.ts"
import { attendScript, type RunResult } from "../operations/exec.ts"
import { startScript } from "../operations/start-script.ts"
import { within } from "../platform/paths.ts"
import type { TimeLimits } from "../platform/time-limits.ts"
import type { Contexts } from "./contexts.ts"
import { MarkedOutput } from "./marked-output.ts"
import type { SessionCode } from "./session-code.ts"

export interface SnippetHooks {
  timeoutMs: number
  signal: AbortSignal
  limits: TimeLimits
  onOutput: (stream: "stdout" | "stderr", chunk: Uint8Array) => void
}

type Call = RunResult["toolCalls"][number]

export class WarmSession {
  /** When it was last used; the idlest goes first. */
  usedAt = performance.now()
  isBusy = false
  readonly #name: string
  readonly #started: Promise<Started>
  #output: MarkedOutput | undefined
  #calls: Call[] = []

  constructor(name: string, contexts: Contexts, onEnd: () => void) {
    this.#name = name
    this.#started = this.#start(contexts, onEnd)
  }

  /** Evaluates one snippet. */
  async run(snippet: SessionCode, hooks: SnippetHooks): Promise<RunResult> {
    const startedAt = performance.now()
    const { write, kill, ended } = await this.#started
    const output = new MarkedOutput(hooks.onOutput)
    this.#output = output
    this.#calls = []
    const stop = race(hooks)
    // A process that has ended takes nothing: its end says why.
    write(`${JSON.stringify({ mark: output.mark, ...snippet })}\n`).catch(() => {})
    const outcome = await Promise.race([output.report, ended, stop.happened])
    stop.clear()
    this.#output = undefined
    if (typeof outcome === "string") {
      kill()
      await ended
    }
    const { stdout, stderr } = output
    const report = { durationMs: performance.now() - startedAt, stdout, stderr, toolCalls: this.#calls }
    if (typeof outcome === "object" && outcome.ok) return { ok: true, exitCode: 0, ...report }
    const error = typeof outcome === "object" ? asError(outcome.error) : this.#lost(outcome, hooks.timeoutMs)
    return { ok: false, exitCode: exitCodeFor(error), ...report, error: describeError(error) }
  }

  /** Ends the process, whatever it does. */
  async end(): Promise<void> {
    // One that could not be started has nothing to end.
    const started = await this.#started.catch(() => undefined)
    started?.kill()
    await started?.ended
  }

  #lost(outcome: "timeout" | "cancelled" | number, timeoutMs: number): McpExecError {
    const lost = `session ${this.#name} was ended and its variables are lost`
    if (outcome === "timeout") {
      return new McpExecError("E_SCRIPT_TIMEOUT", `The snippet was stopped after ${timeoutMs / 1000} s: ${lost}`)
    }
    if (outcome === "cancelled") return new McpExecError("E_TOOL_CANCELLED", `The call was cancelled: ${lost}`)
    return new McpExecError("E_SCRIPT_FAILED", `The session's process ended with exit code ${outcome}: ${lost}`, {
      hint: "The next call begins a new one. A snippet must not call process.exit.",
    })
  }

  async #start(contexts: Contexts, onEnd: () => void): Promise<Started> {
    const lease = await contexts.lease()
    const { context } = lease
    const { cwd, env } = context
    const exec = {
      script: { kind: "code", code: "", name: within(cwd, "[session].ts") },
      args: [],
      // Each snippet has its own limit; the configuration's is for scripts.
      timeoutMs: 2 ** 31 - 1,
      sandbox: false,
      capture: true,
      stdin: "pipe",
      mode: "session",
      onOutput: (stream: "stdout" | "stderr", chunk: Uint8Array) => this.#output?.take(stream, chunk),
      onCall: (call: Call) => void this.#calls.push(call),
    } as const
    try {
      const started = await startScript({ cwd, env, settings: await context.settings() }, exec)
      const ended = attendScript(context, exec, started)
        .then(({ exitCode }) => exitCode)
        .catch(() => 1)
        .finally(async () => {
          onEnd()
          await lease[Symbol.asyncDispose]()
        })
      const { run } = started
      return { write: (text) => run.write?.(text) ?? Promise.resolve(), kill: () => run.signal("SIGKILL"), ended }
    } catch (error) {
      onEnd()
      await lease[Symbol.asyncDispose]()
      throw error
    }
  }
}

interface Started {
  write(text: string): Promise<void>
  kill(): void
  /** To the exit code. */
  ended: Promise<number>
}

/** Whatever ends a snippet from outside. */
function race({ timeoutMs, signal, limits }: SnippetHooks): {
  happened: Promise<"timeout" | "cancelled">
  clear(): void
} {
  const { promise, resolve } = Promise.withResolvers<"timeout" | "cancelled">()
  const limit = limits.start(timeoutMs, undefined)
  limit.signal.addEventListener("abort", () => resolve("timeout"))
  const cancel = () => resolve("cancelled")
  signal.addEventListener("abort", cancel)
  if (signal.aborted) cancel()
  return {
    happened: promise,
    clear() {
      limit.end()
      signal.removeEventListener("abort", cancel)
    },
  }
}

/** A failed call of a tool keeps its own code. */
function asError({ code, message, hint }: { code: string; message: string; hint?: string }): McpExecError {
  return new McpExecError(code in exitCodeOf ? (code as ErrorCode) : "E_SCRIPT_FAILED", message, { hint })
}
