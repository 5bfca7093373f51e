// A run as a client gets it: as data, and as the few lines a model reads. What is too long is shortened,
// and kept whole where it can be read.
import type { CallToolResult } from "@modelcontextprotocol/server"
import type { ErrorDescription } from "../errors.ts"
import type { RunResult } from "../operations/exec.ts"
import type { Artifact, Artifacts } from "./artifacts.ts"
import { clampText } from "./budget.ts"
import { extractMedia } from "./extract-media.ts"

export interface Execution extends Record<string, unknown> {
  ok: boolean
  exitCode: number
  output: string
  error?: Pick<ErrorDescription, "code" | "message" | "hint">
  durationMs: number
  toolCalls: Record<string, unknown>[]
  artifacts?: Artifact[]
}

// Each call costs tokens; of many, only the sums are told.
const maxListedCalls = 20

/** The result of execute_script. */
export function presentRun(run: RunResult, artifacts: Artifacts, maxTokens: number): CallToolResult {
  const { output: stdout, kept } = extractMedia(run.stdout, artifacts)
  const shown = clampText(stdout, maxTokens)
  const errors = clampText(run.stderr, Math.max(16, Math.floor(maxTokens / 4)))
  if (shown.isCut) kept.push(artifacts.add("output", mimeTypeOf(stdout), stdout))
  if (errors.isCut) kept.push(artifacts.add("stderr", "text/plain", run.stderr))
  const output = [shown.text, errors.text].filter((part) => part !== "").join(shown.text.endsWith("\n") ? "" : "\n")
  const execution: Execution = {
    ok: run.ok,
    exitCode: run.exitCode,
    output,
    ...(!run.ok && { error: describe(run.error) }),
    durationMs: Math.round(run.durationMs * 100) / 100,
    toolCalls: summarize(run.toolCalls),
    ...(kept.length > 0 && { artifacts: kept }),
  }
  return present(execution)
}

/** The same for a call that came to no run. */
export function presentFailure(error: ErrorDescription, exitCode: number): CallToolResult {
  return present({
    ok: false,
    exitCode,
    output: "",
    error: describe(error),
    durationMs: 0,
    toolCalls: [],
  })
}

/** An error in the lines that a model reads. */
export function errorText({ code, message, hint }: ErrorDescription): string {
  return `error[${code}]: ${message}${hint === undefined ? "" : `\nhint: ${hint}`}`
}

function present(execution: Execution): CallToolResult {
  const { ok, output, error, artifacts = [] } = execution
  // The report of a failure on stderr says it already, with the line it happened in.
  const isTold = error === undefined || output.includes(error.message.replace(/^\w+: /, ""))
  const lines = [
    output.trimEnd(),
    ...(isTold ? [] : [errorText(error)]),
    ...artifacts.map(({ uri, name, bytes }) => `[${name}, ${bytes} bytes: read ${uri}?offset=0&length=50000]`),
  ].filter((line) => line !== "")
  return {
    content: [
      { type: "text", text: lines.join("\n") || (ok ? "(no output)" : "failed") },
      ...artifacts.map(({ bytes, ...artifact }) => ({ type: "resource_link" as const, ...artifact, size: bytes })),
    ],
    structuredContent: execution,
    ...(!ok && { isError: true }),
  }
}

function describe({ code, message, hint }: ErrorDescription): Execution["error"] & object {
  // The operation's hint speaks of flags.
  const own = code === "E_SCRIPT_TIMEOUT" ? "Give it longer with timeout (seconds), or do less at once." : hint
  return { code, message, ...(own !== undefined && { hint: own }) }
}

function summarize(calls: RunResult["toolCalls"]): Record<string, unknown>[] {
  if (calls.length <= maxListedCalls) {
    return calls.map((call) => ({ ...call, durationMs: Math.round(call.durationMs * 100) / 100 }))
  }
  const sums = new Map<string, { server: string; tool: string; calls: number; failed: number; bytes: number }>()
  for (const { server, tool, ok, bytes } of calls) {
    const sum = sums.get(`${server}.${tool}`) ?? { server, tool, calls: 0, failed: 0, bytes: 0 }
    sums.set(`${server}.${tool}`, {
      ...sum,
      calls: sum.calls + 1,
      failed: sum.failed + (ok ? 0 : 1),
      bytes: sum.bytes + bytes,
    })
  }
  return [...sums.values()]
}

function mimeTypeOf(output: string): string {
  return /^\s*[[{]/.test(output) ? "application/json" : "text/plain"
}
