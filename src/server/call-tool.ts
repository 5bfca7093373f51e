// tools/call: a name and arguments → one operation → a result. Whatever goes wrong is a result too, with
// code, message and hint: a model can act on that. The one exception is an answer to a question that nobody
// asked, or that is none: that is the client's fault, and to run the script again would be wrong.
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server"
import { describeError, exitCodeFor, McpExecError } from "../errors.ts"
import { nearMiss } from "../suggest.ts"
import type { AskOptions } from "./ask-client.ts"
import { callContext } from "./call-context.ts"
import type { Answer, Question } from "./conversation.ts"
import type { Client, Core } from "./core.ts"
import { type ToolName, toolNames } from "./surface.ts"

export interface ToolCall {
  client: Client
  name: string
  args: unknown
  /** Fires when the client gives up, or has gone. */
  signal: AbortSignal
  /** Tells the client how far it is; absent when it does not want to know. */
  progress?: ((amount: number, message: string) => void) | undefined
  canAnswer(question: Question): boolean
  /** Asks while the call waits, where the protocol lets it; otherwise the call is made again with the answer. */
  ask?: ((question: Question, options: AskOptions) => Promise<Answer | undefined>) | undefined
  /** Answers were sent that are none. */
  hasBadAnswers: boolean
  /** The call is made again, with the answer to a question, if it has one. */
  resumed?: { conversation: string; answer: Answer | undefined } | undefined
}

/** Answers one call. Throws only what the protocol has an error for. */
export async function callTool(core: Core, call: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  if (call.hasBadAnswers) throw await invalidParams("inputResponses must be an object of objects, and not empty")
  if (call.resumed !== undefined) {
    const { resumeExecution } = await import("./execute-script.ts")
    const answer = resumeExecution(core, call, call.resumed)
    if (answer === undefined) throw await invalidParams("requestState is of no script that waits for an answer")
    return await answer
  }
  const isExecution = call.name === "execute_script"
  try {
    const name = toolNames.find((each) => each === call.name)
    if (name === undefined) {
      throw new McpExecError("E_TOOL_UNKNOWN", `There is no tool ${call.name}`, {
        hint: `${nearMiss(call.name, toolNames, "There are")}. The tools of servers are called in a script.`,
      })
    }
    await takeAllowance(core, call.client)
    return await perform(core, call, name)
  } catch (error) {
    const { errorText, presentFailure } = await import("./present-run.ts")
    const described = describeError(error)
    if (isExecution) return presentFailure(described, exitCodeFor(error))
    return { isError: true, content: [{ type: "text", text: errorText(described) }], _meta: { error: described } }
  }
}

async function invalidParams(message: string): Promise<Error> {
  const { ProtocolError, ProtocolErrorCode } = await import("@modelcontextprotocol/server")
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

/** A configuration that cannot be read has no limits to say; the operation will tell what is wrong with it. */
async function takeAllowance(core: Core, client: Client): Promise<void> {
  await using lease = await core.contexts.lease()
  const config = await lease.context.config().catch(() => undefined)
  if (config !== undefined) core.rates.take(client.key, config.serve.callsPerMinute)
}

async function perform(core: Core, call: ToolCall, name: ToolName): Promise<CallToolResult | InputRequiredResult> {
  if (name === "execute_script") {
    const { executeScript } = await import("./execute-script.ts")
    return await executeScript(core, call)
  }
  const { searchTools, generateWrappers, discoverSchemas } = await import("./simple-tools.ts")
  const tool = { search_tools: searchTools, generate_wrappers: generateWrappers, discover_schemas: discoverSchemas }
  await using lease = await core.contexts.lease()
  const { signal, progress } = call
  const context = callContext(lease.context, {
    signal,
    onProgress: progress && ((update) => progress(update.progress, update.message ?? "")),
    // No tool but execute_script can pass a question on.
    during: (server, request) => core.questions.during(undefined, server, request),
  })
  const { serve } = await context.config()
  return await tool[name](context, call.args, { artifacts: core.artifacts, maxTokens: serve.maxOutputTokens })
}
