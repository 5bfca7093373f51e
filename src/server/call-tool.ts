// tools/call: a name and arguments → one operation → a result. Whatever goes wrong is a result too, with
// code, message and hint: a model can act on that, and cannot on a broken protocol.
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server"
import { describeError, exitCodeFor, McpExecError } from "../errors.ts"
import { nearMiss } from "../suggest.ts"
import { callContext } from "./call-context.ts"
import type { Client, Core } from "./core.ts"
import type { Answer, Question } from "./questions.ts"
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
  /** The call is made again, with the answer to a question. */
  resumed?: { conversation: string; answer: Answer } | undefined
}

/** Answers one call. Never throws. */
export async function callTool(core: Core, call: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  const isExecution = call.name === "execute_script"
  try {
    const name = toolNames.find((each) => each === call.name)
    if (name === undefined) {
      throw new McpExecError("E_TOOL_UNKNOWN", `There is no tool ${call.name}`, {
        hint: `${nearMiss(call.name, toolNames, "There are")}. The tools of servers are called in a script.`,
      })
    }
    if (name === "execute_script" && call.resumed !== undefined) {
      const { resumeExecution } = await import("./execute-script.ts")
      return await resumeExecution(core, call, call.resumed)
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
  const context = callContext(lease.context, call)
  const { serve } = await context.config()
  return await tool[name](context, call.args, { artifacts: core.artifacts, maxTokens: serve.maxOutputTokens })
}
