// What every server is told of us, and what becomes of what it tells us, whoever speaks to it.
import { version } from "../version.ts"
import { type Fields, isFields } from "./fields.ts"
import type { ElicitAnswer, ElicitRequest, LogEntry, Progress } from "./options.ts"
import type { Root } from "./roots.ts"

export interface ClientHooks {
  roots(): Promise<Root[]>
  /** The signal says that nobody waits for the answer any more. */
  elicit(request: Omit<ElicitRequest, "server">, signal: AbortSignal): Promise<ElicitAnswer>
  /** Undefined when there is no model; its answer is undefined when it was declined. */
  sample?: ((params: Record<string, unknown>) => Promise<Record<string, unknown> | undefined>) | undefined
  log(level: LogEntry["level"], message: string): void
  progress(token: string | number, progress: Progress): void
  /** These lists are no longer what they were. */
  listsChanged(methods: readonly string[]): void
}

export type Ourselves = ReturnType<typeof ourselves>

/** Who we are, and what a server may ask of us. */
export function ourselves({ sample }: ClientHooks) {
  const capabilities = { roots: {}, elicitation: { form: {}, url: {} }, ...(sample !== undefined && { sampling: {} }) }
  return { clientInfo: { name: "mcp-exec", version }, capabilities }
}

const changedLists: Record<string, readonly string[]> = {
  "notifications/tools/list_changed": ["tools/list"],
  "notifications/prompts/list_changed": ["prompts/list"],
  "notifications/resources/list_changed": ["resources/list", "resources/templates/list"],
}

/** What a server may tell us. */
export const notices = [...Object.keys(changedLists), "notifications/progress", "notifications/message"]

/** Passes on what a server tells. What makes no sense is nothing that anybody could act on. */
export function takeNotice(hooks: ClientHooks, method: string, given: unknown): void {
  const params = isFields(given) ? given : {}
  const lists = changedLists[method]
  if (lists !== undefined) hooks.listsChanged(lists)
  else if (method === "notifications/progress") takeProgress(hooks, params)
  else if (method === "notifications/message") {
    const text = typeof params.data === "string" ? params.data : (JSON.stringify(params.data) ?? "")
    hooks.log(logLevel(params.level), typeof params.logger === "string" ? `${params.logger}: ${text}` : text)
  }
}

function takeProgress(hooks: ClientHooks, { progressToken, progress, total, message }: Fields): void {
  if (typeof progressToken !== "string" && typeof progressToken !== "number") return
  if (typeof progress !== "number") return
  hooks.progress(progressToken, {
    progress,
    ...(typeof total === "number" && { total }),
    ...(typeof message === "string" && { message }),
  })
}

function logLevel(level: unknown): LogEntry["level"] {
  switch (level) {
    case "debug":
    case "warning":
    case "error":
      return level
    case "warn":
      return "warning"
    case "critical":
    case "alert":
    case "emergency":
      return "error"
    default:
      return "info"
  }
}

/** An error of a connection that goes on; the SDK puts whole messages into its own. */
export function mention(hooks: ClientHooks, { message }: Error): void {
  hooks.log("debug", message.length > 500 ? `${message.slice(0, 500)}…` : message)
}
