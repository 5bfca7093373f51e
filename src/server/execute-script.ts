// execute_script: runs what the call names, shows what it prints while it prints it, and passes on what
// servers ask meanwhile. The run ends with the call, with the connection, or with its time.
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server"
import { describeError, exitCodeFor } from "../errors.ts"
import { inputRequiredFor } from "./ask-client.ts"
import type { ToolCall } from "./call-tool.ts"
import type { Conversation } from "./conversation.ts"
import { type Core, ownerOf } from "./core.ts"
import { executeInput } from "./execute-input.ts"
import { parseInput } from "./parse-input.ts"
import { presentFailure, presentRun } from "./present-run.ts"
import { ProgressStream } from "./progress-stream.ts"
import { runScript } from "./run-script.ts"

/** A run that is under way, through however many calls. */
export interface Execution {
  conversation: Conversation
  result: Promise<CallToolResult>
  progress: ProgressStream
  /** Runs while nobody attends, until the client is back with an answer. */
  patience?: ReturnType<typeof setTimeout>
  end(): void
}

/** Answers a new call. */
export async function executeScript(core: Core, call: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  const input = parseInput(executeInput, "execute_script", call.args)
  const owner = ownerOf(call.client)
  const conversation = core.questions.open(owner, call.canAnswer, call.client)
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, core.closing])
  const progress = new ProgressStream()
  const run = async (): Promise<CallToolResult> => {
    try {
      // Before the run: whatever becomes of the configuration meanwhile, its result is to be had.
      const maxTokens = await budget(core, input.maxTokens)
      const result = await runScript(core, owner, input, {
        signal,
        conversation,
        onOutput: (stream, chunk) => progress.write(stream, chunk),
      })
      return presentRun(result, core.artifacts, maxTokens)
    } catch (error) {
      return presentFailure(describeError(error), exitCodeFor(error))
    } finally {
      progress.end()
      conversation.end()
      core.executions.delete(conversation.id)
      clearTimeout(execution.patience)
    }
  }
  const execution: Execution = { conversation, result: run(), progress, end: () => stop.abort() }
  core.executions.set(conversation.id, execution)
  return await attend(execution, call, core.patienceMs)
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
  return attend(execution, call, core.patienceMs)
}

/** Until there is something to answer with. */
async function attend(
  execution: Execution,
  call: ToolCall,
  patienceMs: number,
): Promise<CallToolResult | InputRequiredResult> {
  const { conversation, result, progress, end } = execution
  const { signal, ask } = call
  clearTimeout(execution.patience)
  progress.attach(call.progress)
  signal.addEventListener("abort", end)
  if (signal.aborted) end()
  // Whoever is still being asked need not answer any more.
  const over = new AbortController()
  void result.then(() => over.abort())
  try {
    for (;;) {
      const turn = await conversation.next(result)
      if (turn.kind === "done") return turn.result
      if (ask === undefined) {
        // Who does not come back has gone, and takes the run along.
        execution.patience = setTimeout(end, patienceMs)
        return await inputRequiredFor(turn.question, conversation.id)
      }
      conversation.answer(await ask(turn.question, { signal: over.signal, patienceMs }))
    }
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
