// What the broker sends to a script, and what both sides call it. Types alone, so that the guest can
// be one plain file.
import type { ErrorDescription } from "../errors.ts"

export interface Progress {
  progress: number
  total?: number
  message?: string
}

/** The guest trusts these. */
export type BrokerMessage =
  | { type: "welcome"; version: number }
  | { type: "result"; id: number; value: unknown }
  | { type: "error"; id: number; error: ErrorDescription }
  | ({ type: "progress"; id: number } & Progress)
  | { type: "refused"; error: ErrorDescription }

export interface SearchOptions {
  /** How much is said of each tool; one line when absent. */
  detail?: "name" | "description" | "full"
  /** Only tools of this server. */
  server?: string
  /** At most so many. */
  limit?: number
}

/** A tool or a skill that was found. */
export interface FoundTool {
  kind: "tool" | "skill"
  /** server.tool, or the skill's name. */
  name: string
  server?: string
  /** As the server calls it. */
  tool?: string
  description?: string
  /** With detail "full": what `cat` prints. */
  text?: string
}
