// One conversation with a client, on the official SDK: which requests there are, and who answers them. The
// same for every transport and revision of the protocol.
import type {
  ClientCapabilities,
  JsonSchemaValidator,
  jsonSchemaValidator,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server"
import { version } from "../version.ts"
import { askNow, elicited } from "./ask-client.ts"
import { callTool, type ToolCall } from "./call-tool.ts"
import type { Answer, Question } from "./conversation.ts"
import type { Client, Core } from "./core.ts"

import { capabilities, constantHint, instructions, serverName, tools } from "./surface.ts"

type Sdk = typeof import("@modelcontextprotocol/server")

/** Makes the server for one client. Connected to nothing yet. */
export async function createMcpServer(core: Core, client: Client): Promise<Server> {
  const sdk = await import("@modelcontextprotocol/server")
  const server = new sdk.Server(
    { name: serverName, version },
    {
      capabilities,
      instructions,
      jsonSchemaValidator: trustingValidator,
      cacheHints: { "tools/list": constantHint, "prompts/list": constantHint, "server/discover": constantHint },
    },
  )
  server.setRequestHandler("tools/list", () => ({ tools }))
  server.setRequestHandler("tools/call", ({ params }, context) => {
    return callTool(core, toolCall(sdk, server, client, params, context))
  })
  answerReading(server, core)
  return server
}

/** A form's answer is checked by the server that asked; a validator of ours would cost every start. */
const trustingValidator: jsonSchemaValidator = {
  getValidator<T>(_schema: unknown): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  },
}

function answerReading(server: Server, core: Core): void {
  server.setRequestHandler("resources/list", async ({ params }) => {
    const { listResources } = await import("./resources.ts")
    return await listResources(core, params?.cursor)
  })
  server.setRequestHandler("resources/templates/list", async () => {
    const { resourceTemplates } = await import("./resources.ts")
    return { resourceTemplates }
  })
  server.setRequestHandler("resources/read", async ({ params }) => {
    const { readResource } = await import("./resources.ts")
    return { contents: [await readResource(core, params.uri)] }
  })
  server.setRequestHandler("prompts/list", async () => {
    const { prompt } = await import("./prompt.ts")
    return { prompts: [prompt] }
  })
  server.setRequestHandler("prompts/get", async ({ params }) => {
    const { getPrompt } = await import("./prompt.ts")
    return await getPrompt(params.name)
  })
}

function toolCall(
  sdk: Sdk,
  server: Server,
  client: Client,
  params: { name: string; arguments?: Record<string, unknown> | undefined },
  { mcpReq, http }: ServerContext,
): ToolCall {
  const token = mcpReq._meta?.progressToken
  const gone = http?.req?.signal
  const able = capabilitiesOf(sdk, server, mcpReq)
  const conversation = mcpReq.requestState()
  return {
    client: { ...client, name: nameIn(sdk, mcpReq) ?? client.name },
    name: params.name,
    args: params.arguments,
    signal: gone === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, gone]),
    canAnswer: (question) => canAnswer(able, question),
    ...(mcpReq.envelope === undefined && { ask: (question, options) => askNow(mcpReq, question, options) }),
    ...(token !== undefined && {
      progress: (progress: number, message: string) => {
        const notification = { method: "notifications/progress", params: { progressToken: token, progress, message } }
        // Who has gone does not want to know.
        mcpReq.notify(notification).catch(() => {})
      },
    }),
    hasBadAnswers: hasBadAnswers(mcpReq),
    ...(typeof conversation === "string" && { resumed: { conversation, answer: answerIn(sdk, mcpReq) } }),
  }
}

/** Requests of the current revision say who sends them; the others have a session. */
function nameIn(sdk: Sdk, { envelope }: ServerContext["mcpReq"]): string | undefined {
  const info = (envelope as Record<string, unknown> | undefined)?.[sdk.CLIENT_INFO_META_KEY]
  return info === undefined ? undefined : JSON.stringify(info)
}

function canAnswer({ elicitation, sampling }: ClientCapabilities = {}, { kind, request }: Question): boolean {
  if (kind === "sample") return sampling !== undefined
  return elicitation !== undefined && (request.url === undefined || elicitation.url !== undefined)
}

/** Each request says it in the current revision; the handshake said it before. */
function capabilitiesOf(
  sdk: Sdk,
  server: Server,
  { envelope }: ServerContext["mcpReq"],
): ClientCapabilities | undefined {
  const sent = (envelope as Record<string, ClientCapabilities | undefined> | undefined)?.[
    sdk.CLIENT_CAPABILITIES_META_KEY
  ]
  return sent ?? server.getClientCapabilities()
}

/** The SDK leaves out what is no answer; what is no object at all becomes an empty one. */
function hasBadAnswers({ inputResponses, droppedInputResponseKeys = [] }: ServerContext["mcpReq"]): boolean {
  const isEmpty = inputResponses !== undefined && Object.keys(inputResponses).length === 0
  return isEmpty || droppedInputResponseKeys.length > 0
}

function answerIn(sdk: Sdk, { inputResponses }: ServerContext["mcpReq"]): Answer | undefined {
  const given = sdk.inputResponse(inputResponses, "answer")
  if (given.kind === "sampling") return { kind: "sample", answer: { ...given.result } }
  if (given.kind !== "elicit") return undefined
  return elicited(given)
}
