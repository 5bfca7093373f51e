// execute_script: runs what the call names, shows what it prints while it prints it, and passes on what
// servers ask meanwhile. The run ends with the call, with the connection, or with its time.
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server"
import { describeError, exitCodeFor } from "../errors.ts"
import type { ToolCall } from "./call-tool.ts"
import { type Core, ownerOf } from "./core.ts"
import { executeInput } from "./execute-input.ts"
import { parseInput } from "./parse-input.ts"
import { presentFailure, presentRun } from "./present-run.ts"
import { ProgressStream } from "./progress-stream.ts"
import type { Conversation, Question } from "./questions.ts"
import { runScript } from "./run-script.ts"

/** A run that is under way, through however many calls. */
export interface Execution {
  conversation: Conversation
  result: Promise<CallToolResult>
  progress: ProgressStream
  end(): void
}

/** Answers a new call. */
export async function executeScript(core: Core, call: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  const input = parseInput(executeInput, "execute_script", call.args)
  const owner = ownerOf(call.client)
  const conversation = core.questions.open(owner, call.canAnswer)
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, core.closing])
  const progress = new ProgressStream()
  const run = async (): Promise<CallToolResult> => {
    try {
      const onOutput = (_: string, chunk: Uint8Array) => progress.write(chunk)
      const result = await runScript(core, owner, input, { signal, limits: conversation.limits, onOutput })
      return presentRun(result, core.artifacts, await budget(core, input.maxTokens))
    } catch (error) {
      return presentFailure(describeError(error), exitCodeFor(error))
    } finally {
      progress.end()
      conversation.end()
      core.executions.delete(conversation.id)
    }
  }
  const execution: Execution = { conversation, result: run(), progress, end: () => stop.abort() }
  core.executions.set(conversation.id, execution)
  return await attend(execution, call)
}

/** Answers a call that brings the answer to a question; without one it is asked again. Undefined when none waits. */
export function resumeExecution(
  core: Core,
  call: ToolCall,
  { conversation: id, answer }: NonNullable<ToolCall["resumed"]>,
): Promise<CallToolResult | InputRequiredResult> | undefined {
  const conversation = core.questions.find(id, ownerOf(call.client))
  const execution = conversation && core.executions.get(id)
  if (conversation === undefined || execution === undefined) return undefined
  if (answer !== undefined) conversation.answer(answer)
  return attend(execution, call)
}

/** Until there is something to answer with. */
async function attend(
  { conversation, result, progress, end }: Execution,
  { signal, progress: report }: ToolCall,
): Promise<CallToolResult | InputRequiredResult> {
  progress.attach(report)
  signal.addEventListener("abort", end)
  if (signal.aborted) end()
  try {
    const turn = await conversation.next(result)
    return turn.kind === "done" ? turn.result : await questionFor(turn.question, conversation.id)
  } finally {
    signal.removeEventListener("abort", end)
    progress.attach(undefined)
  }
}

async function budget(core: Core, wanted = Number.POSITIVE_INFINITY): Promise<number> {
  await using lease = await core.contexts.lease()
  const { serve } = await lease.context.config()
  return Math.min(wanted, serve.maxOutputTokens)
}

async function questionFor(question: Question, requestState: string): Promise<InputRequiredResult> {
  const { inputRequired } = await import("@modelcontextprotocol/server")
  return inputRequired({ inputRequests: { answer: ask(inputRequired, question) }, requestState })
}

type InputRequired = typeof import("@modelcontextprotocol/server").inputRequired

function ask(inputRequired: InputRequired, { kind, request }: Question) {
  if (kind === "sample") return inputRequired.createMessage(request.params as SampleParams)
  const message = `Server ${request.server} asks: ${request.message}`
  return request.url === undefined
    ? inputRequired.elicit({ message, requestedSchema: schemaOf(request) })
    : inputRequired.elicitUrl({ message, url: request.url })
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
