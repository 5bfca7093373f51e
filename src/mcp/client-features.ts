// What a server may ask of us and tell us: roots, questions to the user, log lines, progress, changed
// lists, and messages for a model where somebody has one: there is none here.
import type {
  Client,
  JsonSchemaValidator,
  jsonSchemaValidator,
  VersionNegotiationOptions,
} from "@modelcontextprotocol/client"
import { version } from "../version.ts"
import { looseParams } from "./loose-schema.ts"
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

/** Tools validate themselves; checking again would load a validator on every cold start. */
const trustingValidator: jsonSchemaValidator = {
  getValidator<T>(_schema: unknown): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  },
}

const changedLists = {
  "notifications/tools/list_changed": ["tools/list"],
  "notifications/prompts/list_changed": ["prompts/list"],
  "notifications/resources/list_changed": ["resources/list", "resources/templates/list"],
} as const

/** An SDK client, not yet connected, that answers servers through the hooks. */
export async function createClient(hooks: ClientHooks, versionNegotiation: VersionNegotiationOptions): Promise<Client> {
  const { Client } = await import("@modelcontextprotocol/client")
  const client = new Client(
    { name: "mcp-exec", version },
    {
      capabilities: {
        roots: {},
        elicitation: { form: {}, url: {} },
        ...(hooks.sample !== undefined && { sampling: {} }),
      },
      jsonSchemaValidator: trustingValidator,
      versionNegotiation,
    },
  )
  answerRequests(client, hooks)
  forwardNotifications(client, hooks)
  client.onerror = (error) => hooks.log("debug", shorten(error.message))
  return client
}

function answerRequests(client: Client, hooks: ClientHooks): void {
  client.setRequestHandler("roots/list", async () => ({ roots: await hooks.roots() }))
  client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
    const { message, mode = "form" } = params
    const asked = "url" in params ? { url: params.url } : { requestedSchema: params.requestedSchema }
    const answer = await hooks.elicit({ message, mode, ...asked }, mcpReq.signal)
    if (answer.action !== "accept" || answer.content === undefined) return { action: answer.action }
    return { action: "accept", content: answer.content as Record<string, string | number | boolean | string[]> }
  })
  const { sample } = hooks
  if (sample !== undefined) {
    client.setRequestHandler("sampling/createMessage", { params: looseParams }, async (params) => {
      const answer = await sample(params)
      if (answer !== undefined) return answer
      // The code that the specification has for this.
      throw Object.assign(new Error("Sampling is declined: nobody has a model for it"), { code: -1 })
    })
  }
  client.fallbackRequestHandler = async ({ method }) => {
    const reason =
      method === "sampling/createMessage"
        ? "Sampling is declined: mcp-exec has no model to sample from, and did not declare the capability"
        : `mcp-exec does not answer ${method}`
    hooks.log("warning", `asked for ${method}, which is declined`)
    throw Object.assign(new Error(reason), { code: -32601 })
  }
}

function forwardNotifications(client: Client, hooks: ClientHooks): void {
  for (const [method, lists] of Object.entries(changedLists)) {
    client.setNotificationHandler(method as keyof typeof changedLists, () => hooks.listsChanged(lists))
  }
  // Instead of the SDK's own handler, which forgets a call's listener as soon as the reply has been
  // read: progress that arrives together with the reply would be lost.
  client.setNotificationHandler("notifications/progress", ({ params }) => {
    const { progressToken, progress, total, message } = params
    hooks.progress(progressToken, {
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    })
  })
  client.setNotificationHandler("notifications/message", { params: looseParams }, (params) => {
    const text = typeof params.data === "string" ? params.data : (JSON.stringify(params.data) ?? "")
    hooks.log(logLevel(params.level), typeof params.logger === "string" ? `${params.logger}: ${text}` : text)
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

/** The SDK puts whole messages into its errors. */
function shorten(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text
}
