// The SDK's client, and what it does when a server asks something of us: roots, questions to the user, and messages for a
// model where somebody has one: there is none here.
import type {
  Client,
  JsonSchemaValidator,
  jsonSchemaValidator,
  VersionNegotiationOptions,
} from "@modelcontextprotocol/client"
import { looseParams } from "./loose-schema.ts"
import { type ClientHooks, mention, notices, ourselves, takeNotice } from "./ourselves.ts"

/** Tools validate themselves; checking again would load a validator on every cold start. */
const trustingValidator: jsonSchemaValidator = {
  getValidator<T>(_schema: unknown): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  },
}

/** An SDK client, not yet connected, that answers servers through the hooks. */
export async function createClient(hooks: ClientHooks, versionNegotiation: VersionNegotiationOptions): Promise<Client> {
  const { Client } = await import("@modelcontextprotocol/client")
  const { clientInfo, capabilities } = ourselves(hooks)
  const client = new Client(clientInfo, { capabilities, jsonSchemaValidator: trustingValidator, versionNegotiation })
  answerRequests(client, hooks)
  // Progress, too, instead of the SDK's own handler, which forgets a call's listener as soon as the reply has been
  // read: progress that arrives together with the reply would be lost.
  for (const method of notices) {
    client.setNotificationHandler(method, { params: looseParams }, (params) => takeNotice(hooks, method, params))
  }
  client.onerror = (error) => mention(hooks, error)
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
