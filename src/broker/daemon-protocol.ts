// What goes over a control connection to a daemon: the side of whoever started the script. It is newline-
// delimited JSON like a script's own connection, and told from it by the first message.
import { z } from "zod"
import type { ErrorDescription } from "../errors.ts"
import type { ElicitAnswer, ElicitRequest } from "../mcp/options.ts"
import type { ScriptFailure, ToolCallRecord } from "./host.ts"

export const controlVersion = 1
/** The largest message that the daemon accepts on a control connection. */
export const maxControlBytes = 4 << 20

const actions: unknown[] = ["accept", "decline", "cancel"] satisfies ElicitAnswer["action"][]
const id = z.number().int().nonnegative()

/** Registers a run. The token is the caller's own; it admits one script, once. */
export const attachSchema = z.object({
  type: z.literal("attach"),
  version: z.literal(controlVersion),
  token: z.string().min(16),
  /** The only servers the script may use; all when absent. */
  servers: z.array(z.string()).optional(),
  /** Where the script looks for its broker; at the daemon's own address when absent. */
  address: z.string().optional(),
  /** The script is in a container. Its state is kept by its name. */
  sandbox: z.object({ script: z.string() }).optional(),
  /** Calls are reported, and so is why the script failed. */
  records: z.boolean(),
  /** What servers may get of the caller's environment. */
  env: z.record(z.string(), z.string()),
})

const scriptSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("file"), path: z.string() }),
  z.object({ kind: z.literal("code"), code: z.string(), name: z.string() }),
])

const answers = [
  /** These servers will be needed. */
  z.object({ type: z.literal("warm"), servers: z.array(z.string()) }),
  /** Containers like this one will be needed. What a plan and an environment are is the harness' own. */
  z.object({ type: z.literal("fill"), plan: z.unknown(), env: z.record(z.string(), z.string()) }),
  z.object({
    type: z.literal("kept"),
    id,
    path: z.string().optional(),
    error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
  }),
  z.object({
    type: z.literal("elicited"),
    id,
    answer: z.custom<ElicitAnswer>(
      (value) => typeof value === "object" && value !== null && "action" in value && actions.includes(value.action),
    ),
  }),
  /** The script has ended; when it is named, it has ended well and is worth remembering. */
  z.object({ type: z.literal("finish"), script: scriptSchema.optional() }),
] as const

/** What may follow an attach. */
export const controlSchema = z.discriminatedUnion("type", answers)

/** A question or an order to the daemon itself. */
export const adminSchema = z.object({ type: z.enum(["status", "stop", "retire"]), version: z.literal(controlVersion) })

export type Attach = z.input<typeof attachSchema>
export type Control = z.infer<typeof controlSchema>
export type FinishedScript = z.infer<typeof scriptSchema>
export type AdminOrder = z.infer<typeof adminSchema>["type"]

export interface ServerStatus {
  name: string
  connected: boolean
  /** Calls under way. */
  calls: number
  /** Runs that have used it and are not over. */
  runs: number
  idleMs: number
}

export interface DaemonStatus {
  pid: number
  version: string
  config: string
  uptimeMs: number
  rssBytes: number
  runs: number
  /** Of these, in a container. */
  sandboxed: number
  /** Calls since the start. */
  calls: number
  servers: ServerStatus[]
}

/** What a daemon says on a control connection. */
export type DaemonMessage =
  | { type: "attached" }
  | { type: "call"; call: ToolCallRecord }
  | { type: "failed"; failure: ScriptFailure }
  | { type: "keep"; id: number; name: string; data: string }
  | { type: "elicit"; id: number; request: ElicitRequest }
  /** Nobody waits for the answer to this question any more. */
  | { type: "withdrawn"; id: number }
  | { type: "log"; level: "debug" | "info" | "warning" | "error"; message: string }
  | { type: "finished" }
  | { type: "refused"; error: ErrorDescription }
  | { type: "status"; status: DaemonStatus }
