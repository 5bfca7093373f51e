// The life of one instance of the library: what it has under way, and its end. After that nothing of it
// runs any more, and nothing can be started.
import { isMcpExecError, McpExecError } from "../../errors.ts"
import type { OperationContext } from "../context.ts"
import { CallContext, type CallHooks } from "./call-context.ts"

export type Operation<Input, Output> = (context: OperationContext, input: Input) => Promise<Output>

/** What can be closed more than once. */
export interface Closable {
  close(): Promise<void>
}

export class Lifetime implements AsyncDisposable {
  readonly #context: OperationContext
  readonly #closing = new AbortController()
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #parts = new Set<Closable>()
  #closed: Promise<void> | undefined

  constructor(context: OperationContext) {
    this.#context = context
  }

  /** Does one operation in a context of its own. Whatever it throws is an McpExecError. */
  async perform<Input, Output>(
    load: () => Promise<Operation<Input, Output>>,
    input: Input,
    { signal, onProgress }: CallHooks = {},
  ): Promise<Output> {
    if (this.#closed !== undefined) {
      throw new McpExecError("E_STATE", "This instance of mcp-exec has been closed", {
        hint: "Create another one with createMcpExec.",
      })
    }
    const closing = this.#closing.signal
    const context = new CallContext(this.#context, {
      signal: signal === undefined ? closing : AbortSignal.any([signal, closing]),
      onProgress,
    })
    const task = load().then((operation) => operation(context, input))
    this.#underWay.add(task)
    try {
      return await task
    } catch (error) {
      throw await asOurs(error)
    } finally {
      this.#underWay.delete(task)
    }
  }

  /** Keeps what an operation has started, to be closed with everything else. */
  adopt<Part extends Closable>(part: Part): Part {
    this.#parts.add(part)
    return part
  }

  /** Cancels what is under way, ends every process and connection. May be called again. */
  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #end(): Promise<void> {
    this.#closing.abort(new McpExecError("E_TOOL_CANCELLED", "This instance of mcp-exec is being closed"))
    await Promise.allSettled(this.#underWay)
    await Promise.allSettled([...this.#parts].map((part) => part.close()))
    await this.#context[Symbol.asyncDispose]()
  }
}

async function asOurs(error: unknown): Promise<McpExecError> {
  if (isMcpExecError(error)) return error
  const { z } = await import("zod")
  if (error instanceof z.ZodError) {
    const problems = error.issues.map(
      ({ path, message }) => `${path.join(".")}${path.length > 0 ? ": " : ""}${message}`,
    )
    return new McpExecError("E_USAGE", problems.join("; "), { hint: "See the types of mcp-exec.", cause: error })
  }
  return new McpExecError("E_INTERNAL", error instanceof Error ? error.message : String(error), { cause: error })
}
