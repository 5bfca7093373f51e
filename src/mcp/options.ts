import type { Tool } from "../catalog.ts"
import type { Config } from "../config/schema.ts"
import type { CancelSignal } from "../platform/cancellation.ts"
import type { Guard } from "../platform/guard.ts"
import type { StartedAhead } from "./started-ahead.ts"

export interface Progress {
  progress: number
  total?: number
  message?: string
}

export interface RequestOptions {
  signal?: CancelSignal
}

export interface CallOptions extends RequestOptions {
  /** Wins over the server's `timeout` and the manager's default. */
  timeoutMs?: number
  /** The MCP result untouched, also when it says `isError`. */
  raw?: boolean
  onProgress?: (progress: Progress) => void
}

export interface LogEntry {
  server: string
  level: "debug" | "info" | "warning" | "error"
  message: string
}

export interface ElicitRequest {
  server: string
  message: string
  requestedSchema?: unknown
  url?: string
  mode?: "form" | "url"
}

export type ElicitAnswer =
  | { action: "accept"; content?: Record<string, unknown> }
  | { action: "decline" }
  | { action: "cancel" }

export interface SampleRequest {
  server: string
  /** As the server sent it: messages, maxTokens and what else sampling/createMessage has. */
  params: Record<string, unknown>
}

export interface ManagerOptions {
  loadConfig: () => Promise<Config>
  /** For `${VAR}`, and for the part that servers inherit. Default: `process.env`. */
  env?: Record<string, string | undefined>
  /** Every process group of a server is watched by it until the group has ended. */
  guard?: Guard
  /** Processes that may be taken instead of being started. */
  ahead?: StartedAhead
  /** What servers log, and our own diagnostics about them. */
  onLog?: (entry: LogEntry) => void
  /**
   * Asks the user what a server wants to know. Without it every question is declined. The signal says that
   * nobody waits for the answer any more: the server has gone, or has taken the question back.
   */
  elicit?: (request: ElicitRequest, signal?: AbortSignal) => Promise<ElicitAnswer>
  /** Has a model answer a server; undefined declines. Without it servers are told that there is no model. */
  sample?: (request: SampleRequest) => Promise<Record<string, unknown> | undefined>
  /** A server's tools have been listed: those that scripts may use. */
  onTools?: (server: string, tools: Tool[]) => void
  /** A server says that these lists are no longer what they were. */
  onListsChanged?: (server: string, methods: readonly string[]) => void
  /** A server's own `timeout` wins. Default: 30,000. */
  connectTimeoutMs?: number
  /** For all pages of one list. Default: 30,000. */
  listTimeoutMs?: number
  /** A server's own `timeout` wins. Default: 60,000. */
  callTimeoutMs?: number
  /** Where negotiation verdicts are remembered. Without it they are not. */
  cacheDirectory?: string
}
