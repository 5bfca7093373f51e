// Serves a few tools of our own over any transport. By hand, because tools are all these servers have: the SDK's
// Server checks each message against one schema after the other, which costs as much as everything else a call
// needs, and takes longer to load than a script to start. Knows no tool, and never asks the client anything.
import type { CallToolResult, JSONRPCMessage, JSONRPCRequest, RequestId, Transport } from "@modelcontextprotocol/server"
import type { Tool } from "../catalog.ts"
import { version } from "../version.ts"

/** The revisions of the protocol in which these answers are right, the newest first. */
const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
const methodNotFound = -32601
const invalidParams = -32602
const internalError = -32603

export interface BuiltinTool extends Tool {
  /** Answers one call. */
  call(args: Record<string, unknown>, context: CallContext): CallToolResult | Promise<CallToolResult>
}

export interface CallContext {
  /** Fires when the caller gives up or the connection closes. */
  readonly signal: AbortSignal
}

/** Serves these tools to whoever is at the other end of the transport, until it closes. */
export async function serveTools(name: string, tools: BuiltinTool[], transport: Transport): Promise<void> {
  const session = new Session(name, tools, transport)
  transport.onmessage = (message) => session.receive(message)
  transport.onclose = () => session.abandon()
  await transport.start()
}

/** The answer that reports a failure to the caller, rather than breaking the protocol. */
export function errorResult(text: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text }] }
}

class Session {
  readonly #name: string
  readonly #tools: Map<string, BuiltinTool>
  readonly #transport: Transport
  readonly #running = new Map<RequestId, RunningCall>()

  constructor(name: string, tools: BuiltinTool[], transport: Transport) {
    this.#name = name
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]))
    this.#transport = transport
  }

  receive(message: JSONRPCMessage): void {
    if (!("method" in message)) return
    if ("id" in message) this.#answer(message)
    else if (message.method === "notifications/cancelled") {
      this.#running.get(message.params?.requestId as RequestId)?.cancel()
    }
  }

  /** The client has gone: nobody waits for what is still running. */
  abandon(): void {
    for (const call of this.#running.values()) call.cancel()
  }

  #answer({ id, method, params = {} }: JSONRPCRequest): void {
    switch (method) {
      case "tools/call":
        void this.#call(id, params)
        break
      case "tools/list":
        this.#send({ id, result: { tools: Array.from(this.#tools.values(), ({ call: _, ...tool }) => tool) } })
        break
      case "initialize":
        this.#send({ id, result: this.#introduction(params.protocolVersion) })
        break
      case "ping":
        this.#send({ id, result: {} })
        break
      default:
        this.#send({ id, error: { code: methodNotFound, message: `Method not found: ${method}` } })
    }
  }

  async #call(id: RequestId, { name, arguments: args }: Record<string, unknown>): Promise<void> {
    const tool = this.#tools.get(name as string)
    if (tool === undefined) {
      this.#send({ id, error: { code: invalidParams, message: `Unknown tool: ${name}` } })
      return
    }
    const call = new RunningCall()
    this.#running.set(id, call)
    try {
      const result = await tool.call((args ?? {}) as Record<string, unknown>, call)
      if (!call.isCancelled) this.#send({ id, result })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (!call.isCancelled) this.#send({ id, error: { code: internalError, message } })
    } finally {
      this.#running.delete(id)
    }
  }

  #introduction(wanted: unknown): Record<string, unknown> {
    return {
      protocolVersion: revisions.find((revision) => revision === wanted) ?? revisions[0],
      capabilities: { tools: {} },
      serverInfo: { name: `mcp-exec-${this.#name}`, version },
    }
  }

  #send(answer: { id: RequestId } & ({ result: Record<string, unknown> } | { error: object })): void {
    // Fails only when the client has gone, and then nobody waits for it.
    this.#transport.send({ jsonrpc: "2.0", ...answer } as JSONRPCMessage).catch(() => {})
  }
}

/** A call that can be cancelled. The signal that tells of it is only made for tools that look at it. */
class RunningCall implements CallContext {
  isCancelled = false
  #controller: AbortController | undefined

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.isCancelled) this.#controller.abort()
    return this.#controller.signal
  }

  cancel(): void {
    this.isCancelled = true
    this.#controller?.abort()
  }
}
