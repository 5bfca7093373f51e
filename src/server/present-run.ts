// A run as a client gets it: as data, and as the few lines a model reads. What is too long is shortened,
// and kept whole where it can be read. A script says most of what is in here, so nothing of it is without a limit.
import type { CallToolResult } from "@modelcontextprotocol/server"
import type { ErrorDescription } from "../errors.ts"
import type { RunResult } from "../operations/exec.ts"
import type { Artifact, Artifacts } from "./artifacts.ts"
import { clampText, estimateTokens } from "./budget.ts"
import { extractMedia } from "./extract-media.ts"
import { inOwnTerms } from "./own-terms.ts"

export interface Execution extends Record<string, unknown> {
  ok: boolean
  exitCode: number
  output: string
  error?: Pick<ErrorDescription, "code" | "message" | "hint">
  durationMs: number
  toolCalls: Record<string, unknown>[]
  artifacts?: Artifact[]
}

// Each call costs tokens; of many, only the sums are told. Each link does too.
const maxListedCalls = 20
const maxLinks = 10
const maxNameLength = 100
const maxErrorTokens = 2000

/** The result of execute_script. */
export function presentRun(run: RunResult, artifacts: Artifacts, maxTokens: number): CallToolResult {
  const { output: stdout, kept: media } = extractMedia(run.stdout, artifacts)
  const error = run.ok ? undefined : describe(run.error, Math.min(Math.ceil(maxTokens / 4), maxErrorTokens))
  const toolCalls = summarize(run.toolCalls)
  // The output names all of them, as far as it is shown.
  const links = media.slice(0, maxLinks)
  const left = maxTokens - estimateTokens(JSON.stringify({ error, toolCalls, links }))
  const budget = Math.max(left, Math.ceil(maxTokens / 2))
  const errors = clampText(run.stderr, Math.floor(budget / 4))
  const shown = clampText(stdout, budget - estimateTokens(errors.text))
  const kept = [
    ...(shown.isCut ? [artifacts.add("output", mimeTypeOf(stdout), stdout)] : []),
    ...(errors.isCut ? [artifacts.add("stderr", "text/plain", run.stderr)] : []),
    ...links,
  ]
  const output = [shown.text, errors.text].filter((part) => part !== "").join(shown.text.endsWith("\n") ? "" : "\n")
  return present({
    ok: run.ok,
    exitCode: run.exitCode,
    output,
    ...(error !== undefined && { error }),
    durationMs: Math.round(run.durationMs * 100) / 100,
    toolCalls,
    ...(kept.length > 0 && { artifacts: kept }),
  })
}

/** The same for a call that came to no run. */
export function presentFailure(error: ErrorDescription, exitCode: number): CallToolResult {
  return present({
    ok: false,
    exitCode,
    output: "",
    error: describe(error, maxErrorTokens),
    durationMs: 0,
    toolCalls: [],
  })
}

/** An error in the lines that a model reads. */
export function errorText({ code, message, hint }: ErrorDescription): string {
  return `error[${code}]: ${message}${hint === undefined ? "" : `\nhint: ${inOwnTerms(hint)}`}`
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

function describe({ code, message: whole, hint }: ErrorDescription, maxTokens: number): Execution["error"] & object {
  const { text: message } = clampText(whole, maxTokens)
  return { code, message, ...(hint !== undefined && { hint: clampText(inOwnTerms(hint), maxTokens).text }) }
}

function summarize(calls: RunResult["toolCalls"]): Record<string, unknown>[] {
  const named = calls.map((call) => ({ ...call, server: shorten(call.server), tool: shorten(call.tool) }))
  if (named.length <= maxListedCalls) {
    return named.map((call) => ({ ...call, durationMs: Math.round(call.durationMs * 100) / 100 }))
  }
  const sums = new Map<string, Sum>()
  for (const { server, tool, ok, bytes } of named) {
    const sum = sums.get(`${server}.${tool}`) ?? { server, tool, calls: 0, failed: 0, bytes: 0 }
    sums.set(`${server}.${tool}`, add(sum, { calls: 1, failed: ok ? 0 : 1, bytes }))
  }
  const [shown, others] = [[...sums.values()].slice(0, maxListedCalls), [...sums.values()].slice(maxListedCalls)]
  if (others.length === 0) return shown
  const rest = { server: "…", tool: `${others.length} others`, calls: 0, failed: 0, bytes: 0 }
  return [...shown, others.reduce(add, rest)]
}

interface Sum extends Record<string, unknown> {
  server: string
  tool: string
  calls: number
  failed: number
  bytes: number
}

function add(sum: Sum, { calls, failed, bytes }: Pick<Sum, "calls" | "failed" | "bytes">): Sum {
  return { ...sum, calls: sum.calls + calls, failed: sum.failed + failed, bytes: sum.bytes + bytes }
}

/** A script may call what it likes whatever it likes. */
function shorten(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}…`
}

function mimeTypeOf(output: string): string {
  return /^\s*[[{]/.test(output) ? "application/json" : "text/plain"
}
