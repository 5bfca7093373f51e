// Tools of revision 2025-11-25 that run as tasks only: the call gives a task, and the task a result later.
// A script sees none of this.
import { type ErrorCode, McpExecError, ServerError } from "../errors.ts"
import { type Fields, isFields } from "./fields.ts"
import type { Requests, ServerRequest } from "./requests.ts"

/** How long a task that nobody waits for any more may take to be told so. */
const cancelMs = 2000
/** How a wait ends while the task goes on. */
const abandoned: readonly ErrorCode[] = ["E_TOOL_TIMEOUT", "E_TOOL_CANCELLED"]

/** Calls a tool as a task, and waits for its result. */
export async function callAsTask(
  requests: Requests,
  server: string,
  { onProgress, ...call }: ServerRequest,
): Promise<Fields> {
  if (onProgress === undefined) return await runTask(requests, server, call)
  // The task goes on to report under the token of the call, which is over by then.
  const progressToken = requests.watchProgress(onProgress)
  try {
    return await runTask(requests, server, { ...call, progressToken })
  } finally {
    requests.forgetProgress(progressToken)
  }
}

async function runTask(requests: Requests, server: string, call: ServerRequest): Promise<Fields> {
  const deadline = performance.now() + call.timeoutMs
  const { task } = await requests.send({ ...call, params: { ...call.params, task: {} } })
  const taskId = isFields(task) ? task.taskId : undefined
  if (typeof taskId !== "string") {
    throw new ServerError("E_SERVER_PROTOCOL", server, `Server '${server}' answered ${call.action} without a task`)
  }
  const params = { taskId }
  try {
    // The specification has the server answer this when the task is over, not before.
    const timeoutMs = Math.max(1, deadline - performance.now())
    const { action, signal, timeoutMs: wholeTimeoutMs } = call
    return await requests.send({ method: "tasks/result", params, action, timeoutMs, wholeTimeoutMs, signal })
  } catch (error) {
    const isAbandoned = error instanceof McpExecError && abandoned.includes(error.code)
    const action = "tasks/cancel"
    // It does not matter if the server does not hear of it.
    if (isAbandoned) requests.send({ method: action, params, action, timeoutMs: cancelMs }).catch(() => {})
    throw error
  }
}
