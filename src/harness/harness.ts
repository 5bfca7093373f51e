// Running a script: what goes in, what comes out. The harness knows nothing of the broker, of servers
// or of credentials; a failing script is a result, not an exception.
import type { ErrorDescription } from "../errors.ts"
import type { TimeLimits } from "../platform/time-limits.ts"
import type { ScriptAhead } from "./ahead.ts"

export type Script =
  | { kind: "file"; path: string }
  /** Code from stdin or the command line; `name` is the path it pretends to have. */
  | { kind: "code"; code: string; name: string }

export interface RunRequest {
  script: Script
  args: readonly string[]
  cwd: string
  /** The script's whole environment. */
  env: Record<string, string>
  /** Where code may be left for the child to pick up: private to this user. */
  directory: string
  timeoutMs?: number | undefined
  /** Where the timeout is counted when it may stand still, because somebody is asked something. */
  clock?: TimeLimits | undefined
  /** `capture` keeps the streams for the result; otherwise they are the caller's own. */
  capture: boolean
  /** Default: the caller's own. `pipe` gives the run a `write`. */
  stdin?: "inherit" | "ignore" | "pipe" | undefined
  /** Sees what is captured as it comes. */
  onOutput?: OnOutput | undefined
  /** `session` evaluates what comes on stdin instead of the script, and keeps no output. */
  mode?: "run" | "session" | undefined
  /** A process that waits for this script, if there is one. */
  ahead?: ScriptAhead | undefined
}

export type OnOutput = (stream: "stdout" | "stderr", chunk: Uint8Array) => void

export interface RunOutcome {
  exitCode: number
  timedOut: boolean
  /** What the harness knows of the end that the script cannot tell. */
  problem?: ErrorDescription
  durationMs: number
  stdout: string
  stderr: string
}

/** A script that has been started. */
export interface Run {
  /** The leader of the script's process group; in a container there is none of ours. */
  readonly pid?: number
  readonly finished: Promise<RunOutcome>
  /** Where its timeout is counted, if it has one: it stands still while somebody is asked something. */
  readonly clock?: TimeLimits | undefined
  /** Passes a signal on to the script and everything it has started. */
  signal(name: NodeJS.Signals): void
  /** To the script's stdin, when that is a pipe. */
  write?(text: string): Promise<void>
}

/** What every surface gives back for a run. */
export type RunResult = RunReport & ({ ok: true } | { ok: false; error: ErrorDescription })

export interface RunReport {
  exitCode: number
  durationMs: number
  stdout: string
  stderr: string
  toolCalls: { server: string; tool: string; durationMs: number; ok: boolean; bytes: number; sandbox?: true }[]
}
