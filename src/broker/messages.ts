// What the broker sends to a script. Types alone, so that the guest can be one plain file.
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
