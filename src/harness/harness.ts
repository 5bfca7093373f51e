// Running a script: what goes in, what comes out. The harness knows nothing of the broker, of servers
// or of credentials; a failing script is a result, not an exception.
import type { ErrorDescription } from "../errors.ts"

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
  /** `capture` keeps the streams for the result; otherwise they are the caller's own. */
  capture: boolean
}

export interface RunOutcome {
  exitCode: number
  timedOut: boolean
  durationMs: number
  stdout: string
  stderr: string
}

/** A script that has been started. */
export interface Run {
  /** The leader of the script's process group. */
  readonly pid: number
  readonly finished: Promise<RunOutcome>
  /** Passes a signal on to the script and everything it has started. */
  signal(name: NodeJS.Signals): void
}

/** What every surface gives back for a run. */
export type RunResult = RunReport & ({ ok: true } | { ok: false; error: ErrorDescription })

export interface RunReport {
  exitCode: number
  durationMs: number
  stdout: string
  stderr: string
  toolCalls: { server: string; tool: string; durationMs: number; ok: boolean; bytes: number }[]
}
