// One session: a process that stays between snippets and keeps their variables, in a container of its own
// where scripts are sandboxed. A snippet that runs out of time, prints without end or is given up takes the
// process with it: there is no other way to stop code.
import {
  describeError,
  type ErrorCode,
  type ErrorDescription,
  exitCodeFor,
  exitCodeOf,
  McpExecError,
} from "../errors.ts"
import { attendScript, type RunResult } from "../operations/exec.ts"
import type { WarmPool } from "../operations/sandbox/pool.ts"
import { startScript } from "../operations/start-script.ts"
import { within } from "../platform/paths.ts"
import { callContext } from "./call-context.ts"
import type { Contexts } from "./contexts.ts"
import type { Conversation } from "./conversation.ts"
import { MarkedOutput } from "./marked-output.ts"
import type { Questions } from "./questions.ts"
import type { SessionCode } from "./session-code.ts"

export interface SnippetHooks {
  timeoutMs: number
  signal: AbortSignal
  conversation: Conversation
  onOutput: (stream: "stdout" | "stderr", chunk: Uint8Array) => void
}

/** Where a session begins. */
export interface SessionStart {
  contexts: Contexts
  questions: Questions
  isSandboxed: boolean
  pool: WarmPool | undefined
}

type Call = RunResult["toolCalls"][number]

export class WarmSession {
  /** When it was last used; the idlest goes first. */
  usedAt = performance.now()
  isBusy = false
  readonly #name: string
  readonly #started: Promise<Started>
  #output: MarkedOutput | undefined
  /** Of the snippet that runs: whoever is called between two snippets has nobody to ask. */
  #conversation: Conversation | undefined
  #calls: Call[] = []

  constructor(name: string, start: SessionStart, onEnd: () => void) {
    this.#name = name
    this.#started = this.#start(start, onEnd)
  }

  /** Evaluates one snippet. */
  async run(snippet: SessionCode, hooks: SnippetHooks): Promise<RunResult> {
    const startedAt = performance.now()
    const { write, kill, ended } = await this.#started
    const output = new MarkedOutput(hooks.onOutput)
    this.#output = output
    this.#conversation = hooks.conversation
    this.#calls = []
    const stop = race(hooks, output.full)
    // A process that has ended takes nothing: its end says why.
    write(`${JSON.stringify({ mark: output.mark, ...snippet })}\n`).catch(() => {})
    const outcome = await Promise.race([output.report, ended, stop.happened])
    stop.clear()
    this.#output = undefined
    this.#conversation = undefined
    if (typeof outcome === "string") {
      kill()
      await ended
    }
    const { stdout, stderr } = output
    const report = { durationMs: performance.now() - startedAt, stdout, stderr, toolCalls: this.#calls }
    if (typeof outcome === "object" && "ok" in outcome) {
      if (outcome.ok) return { ok: true, exitCode: 0, ...report }
      const error = asError(outcome.error)
      return { ok: false, exitCode: exitCodeFor(error), ...report, error: describeError(error) }
    }
    const error = this.#lost(outcome, hooks.timeoutMs)
    return { ok: false, exitCode: exitCodeFor(error), ...report, error: describeError(error) }
  }

  /** Ends the process, whatever it does. */
  async end(): Promise<void> {
    // One that could not be started has nothing to end.
    const started = await this.#started.catch(() => undefined)
    started?.kill()
    await started?.ended
  }

  #lost(outcome: Stop | End, timeoutMs: number): McpExecError {
    const lost = `session ${this.#name} was ended and its variables are lost`
    if (outcome === "full") {
      return new McpExecError("E_LIMIT", `The snippet printed more than it may: ${lost}`, {
        hint: "Print less, or write to a file.",
      })
    }
    if (outcome === "timeout") {
      return new McpExecError("E_SCRIPT_TIMEOUT", `The snippet was stopped after ${timeoutMs / 1000} s: ${lost}`)
    }
    if (outcome === "cancelled") return new McpExecError("E_TOOL_CANCELLED", `The call was cancelled: ${lost}`)
    const { exitCode, problem } = outcome
    if (problem !== undefined) return new McpExecError(problem.code, `${problem.message}: ${lost}`, problem)
    return new McpExecError("E_SCRIPT_FAILED", `The session's process ended with exit code ${exitCode}: ${lost}`, {
      hint: "The next call begins a new one. A snippet must not call process.exit.",
    })
  }

  async #start({ contexts, questions, isSandboxed, pool }: SessionStart, onEnd: () => void): Promise<Started> {
    const lease = await contexts.lease()
    const context = callContext(lease.context, {
      during: (server, request) => questions.during(this.#conversation, server, request),
    })
    const { cwd, env } = context
    const exec = {
      script: { kind: "code", code: "", name: within(cwd, "[session].ts") },
      args: [],
      // Each snippet has its own limit; the configuration's is for scripts.
      ...(!isSandboxed && { timeoutMs: 2 ** 31 - 1 }),
      sandbox: isSandboxed,
      capture: true,
      stdin: "pipe",
      mode: "session",
      onOutput: (stream: "stdout" | "stderr", chunk: Uint8Array) => this.#output?.take(stream, chunk),
      onCall: (call: Call) => void this.#calls.push(call),
    } as const
    try {
      const started = await startScript({ cwd, env, settings: await context.settings(), pool }, exec)
      const ended = attendScript(context, exec, started)
        .then(asEnd)
        .catch((): End => ({ exitCode: 1 }))
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
  ended: Promise<End>
}

interface End {
  exitCode: number
  /** When it was not the snippet that ended it. */
  problem?: ErrorDescription
}

/** Only a container knows more of the end of a process than its exit code. */
function asEnd(result: RunResult): End {
  const { exitCode } = result
  if (result.ok || result.error.code === "E_SCRIPT_FAILED") return { exitCode }
  return { exitCode, problem: result.error }
}

type Stop = "timeout" | "cancelled" | "full"

/** Whatever ends a snippet from outside. */
function race(
  { timeoutMs, signal, conversation }: SnippetHooks,
  full: Promise<void>,
): { happened: Promise<Stop>; clear(): void } {
  const { promise, resolve } = Promise.withResolvers<Stop>()
  const limit = conversation.limits.start(timeoutMs, undefined)
  limit.signal.addEventListener("abort", () => resolve("timeout"))
  void full.then(() => resolve("full"))
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
