// A server's question in the words of the protocol: as an answer to the call that led to it, which is then made
// again, or, in the revisions with a handshake, as a request while that call waits.
import type { InputRequiredResult, ServerContext } from "@modelcontextprotocol/server"
import type { Answer, Question } from "./conversation.ts"

export interface AskOptions {
  /** Nobody waits for the answer any more. */
  signal: AbortSignal
  patienceMs: number
}

/** The answer to a call that cannot go on without one. */
export async function inputRequiredFor(question: Question, requestState: string): Promise<InputRequiredResult> {
  const { inputRequired } = await import("@modelcontextprotocol/server")
  return inputRequired({ inputRequests: { answer: request(inputRequired, question) }, requestState })
}

/** Asks while the call waits. Undefined when there is no answer: the client failed, took too long, or need not answer. */
export async function askNow(
  { send }: ServerContext["mcpReq"],
  question: Question,
  { signal, patienceMs }: AskOptions,
): Promise<Answer | undefined> {
  const { inputRequired } = await import("@modelcontextprotocol/server")
  const { method, params } = request(inputRequired, question)
  const isPage = question.kind === "elicit" && question.request.url !== undefined
  const asked = { ...params, ...(isPage && { elicitationId: crypto.randomUUID() }) }
  try {
    const given = await send({ method, params: asked }, { signal, timeout: patienceMs })
    return question.kind === "sample" ? { kind: "sample", answer: { ...given } } : elicited(given)
  } catch {
    return undefined // the server that asks is told that it was cancelled
  }
}

/** What a user has said, or done. */
export function elicited(given: object): Answer {
  const { action, content } = given as { action?: unknown; content?: unknown }
  if (action !== "accept") return { kind: "elicit", answer: { action: action === "decline" ? "decline" : "cancel" } }
  const isForm = typeof content === "object" && content !== null
  return { kind: "elicit", answer: { action, ...(isForm && { content: { ...content } }) } }
}

type InputRequired = typeof import("@modelcontextprotocol/server").inputRequired

function request(inputRequired: InputRequired, { kind, request: asked }: Question) {
  if (kind === "sample") return inputRequired.createMessage(asked.params as SampleParams)
  const message = `Server ${asked.server} asks: ${asked.message}`
  return asked.url === undefined
    ? inputRequired.elicit({ message, requestedSchema: schemaOf(asked) })
    : inputRequired.elicitUrl({ message, url: asked.url })
}

/** As the server sent them: the client decides what it takes. */
type SampleParams = Parameters<InputRequired["createMessage"]>[0]

function schemaOf({ requestedSchema }: { requestedSchema?: unknown }): {
  type: "object"
  properties: Record<string, never>
} {
  // As the server sent it: the client decides what it can show.
  const schema = typeof requestedSchema === "object" && requestedSchema !== null ? requestedSchema : {}
  return { type: "object", properties: {}, ...schema }
}
