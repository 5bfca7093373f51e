// What a script may send to the broker: newline-delimited JSON, one request, one answer. Large texts of a message may
// follow its line as they are; `texts` then says where they belong.
// The script's side is untrusted: everything it sends is validated against these schemas.
import { z } from "zod"

export const protocolVersion = 1
/** The largest message either side accepts. */
export const maxMessageBytes = 256 << 20

const id = z.number().int().nonnegative()
const server = z.string()
// Only its being an object matters here: what is in it is between the script and the tool.
const record = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
)

export const helloSchema = z.object({
  type: z.literal("hello"),
  version: z.number(),
  token: z.string(),
  /** It understands texts behind a line. A guest in a project may have been generated before there were any. */
  texts: z.boolean().optional(),
})

/** Texts that follow a line. The message itself is validated when they are in their places. */
export const textPlacesSchema = z
  .array(
    z.object({
      at: z
        .array(z.union([z.string(), z.number().int().nonnegative()]))
        .min(1)
        .max(64),
      bytes: z.number().int().positive(),
    }),
  )
  .min(1)
  .max(64)

const requests = [
  z.object({
    type: z.literal("call"),
    id,
    /** Absent: `tool` holds both, as in `server__tool`. */
    server: server.optional(),
    tool: z.string(),
    args: record,
    raw: z.boolean().optional(),
    progress: z.boolean().optional(),
    timeoutMs: z.number().positive().optional(),
  }),
  z.object({ type: z.literal("list-servers"), id }),
  z.object({ type: z.literal("list-tools"), id, server }),
  z.object({ type: z.literal("list-resources"), id, server }),
  z.object({ type: z.literal("read-resource"), id, server, uri: z.string() }),
  z.object({ type: z.literal("list-prompts"), id, server }),
  z.object({
    type: z.literal("get-prompt"),
    id,
    server,
    name: z.string(),
    args: z.record(z.string(), z.string()),
  }),
  z.object({
    type: z.literal("search-tools"),
    id,
    query: z.string(),
    detail: z.enum(["name", "description", "full"]).optional(),
    server: server.optional(),
    limit: z.number().int().positive().max(100).optional(),
  }),
  /** Puts a file into the workspace when the script has ended well; `data` is base64. */
  z.object({ type: z.literal("keep"), id, name: z.string(), data: z.string() }),
  /** Small values that outlive the run, for a script that cannot write to their folder itself. */
  z.object({
    type: z.literal("state"),
    id,
    action: z.enum(["get", "set", "delete", "list"]),
    /** Whose state it is. */
    name: z.string(),
    key: z.string().default(""),
    value: z.unknown().optional(),
  }),
] as const

const notices = [
  z.object({ type: z.literal("cancel"), id }),
  /** Why the script is about to end with a failure, for callers that want it as data. */
  z.object({
    type: z.literal("failed"),
    message: z.string(),
    code: z.string(),
    hint: z.string().optional(),
    stack: z.string().optional(),
  }),
] as const

/** Everything a script may send once it has been admitted. */
export const guestMessageSchema = z.discriminatedUnion("type", [...requests, ...notices])

export type Hello = z.infer<typeof helloSchema>
export type Request = z.infer<(typeof requests)[number]>
export type StateRequest = Extract<Request, { type: "state" }>
export type Notice = z.infer<(typeof notices)[number]>
