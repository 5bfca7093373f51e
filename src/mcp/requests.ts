// Requests to one server: their limits, their progress, and what their failures mean. Never repeats one.
import { ServerError } from "../errors.ts"
import type { Connection } from "./connection.ts"
import { isConnectionLost, requestError } from "./failures.ts"
import type { Link } from "./link.ts"
import { type Fields, looseResult, untouched } from "./loose-schema.ts"
import type { ManagerOptions, Progress } from "./options.ts"
import { TimeLimits } from "./time-limits.ts"
import { longestTimerMs } from "./wait.ts"

const logLevelKey = "io.modelcontextprotocol/logLevel"

export interface ServerRequest {
  method: string
  params: Fields
  /** What is being done, for error messages. */
  action: string
  timeoutMs: number
  /** The limit that error messages name, when the request has only the rest of it. */
  wholeTimeoutMs?: number
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Progress) => void) | undefined
  /** Mirrors arguments into HTTP headers as this definition says. */
  toolDefinition?: { name: string; inputSchema: Fields } | undefined
}

export class Requests {
  readonly #connection: Connection
  readonly #options: ManagerOptions
  readonly #progress = new Map<string | number, (progress: Progress) => void>()
  readonly #limits = new TimeLimits()
  #progressTokens = 0

  constructor(connection: Connection, options: ManagerOptions) {
    this.#connection = connection
    this.#options = options
  }

  /** Connects if need be, and gives the result as the server sent it. */
  async send(request: ServerRequest): Promise<Fields> {
    const { signal, onProgress } = request
    let link: Link | undefined
    let token: string | undefined
    let { params } = request
    if (onProgress !== undefined) {
      token = `progress-${this.#progressTokens++}`
      this.#progress.set(token, onProgress)
      params = withMeta(params, { progressToken: token })
    }
    try {
      link = this.#connection.link ?? (await this.#connection.open(signal))
      return await this.#transmit(link, request, params)
    } catch (cause) {
      throw await this.#explain(cause, request, link)
    } finally {
      if (token !== undefined) this.#progress.delete(token)
    }
  }

  /** Tells the caller of a request how far it has come. */
  report(token: string | number, progress: Progress): void {
    this.#progress.get(token)?.(progress)
  }

  /** Asks the user something on behalf of the server; time limits stand still meanwhile. */
  whileAsking<T>(question: () => Promise<T>): Promise<T> {
    return this.#limits.hold(question)
  }

  async #transmit(link: Link, request: ServerRequest, givenParams: Fields): Promise<Fields> {
    const { method, signal, toolDefinition } = request
    const timeout = Math.min(request.timeoutMs, longestTimerMs)
    // The modern revision sends log messages only to those who ask for them.
    const wantsLog = link.isModern && this.#options.onLog !== undefined
    const params = wantsLog ? withMeta(givenParams, { [logLevelKey]: "info" }) : givenParams
    // Where nobody can be asked anything, the SDK's own timer does, and costs less.
    const limit = this.#options.elicit === undefined ? undefined : this.#limits.start(timeout, signal)
    const options = {
      timeout: limit === undefined ? timeout : longestTimerMs,
      ...(limit !== undefined ? { signal: limit.signal } : signal !== undefined && { signal }),
    }
    try {
      if (toolDefinition === undefined) return await link.client.request({ method, params }, looseResult, options)
      const definition = { ...toolDefinition, inputSchema: { ...toolDefinition.inputSchema, type: "object" as const } }
      const call = params as { name: string; arguments?: Record<string, unknown> }
      return untouched(await link.client.callTool(call, { ...options, toolDefinition: definition }))
    } finally {
      limit?.end()
    }
  }

  async #explain(cause: unknown, request: ServerRequest, link: Link | undefined): Promise<unknown> {
    const { method, params, action, timeoutMs, wholeTimeoutMs = timeoutMs, signal } = request
    const { name, isClosed } = this.#connection
    if (cause instanceof TypeError && !isSerializable(params)) {
      return new ServerError("E_TOOL_ARGUMENTS", name, `The arguments of ${action} cannot be written as JSON`, {
        cause,
      })
    }
    const error = await requestError(cause, {
      server: name,
      action,
      timeoutMs: wholeTimeoutMs,
      timeoutCode: method === "tools/call" ? "E_TOOL_TIMEOUT" : "E_SERVER_TIMEOUT",
      signal,
      process: link?.process,
      closedByUs: isClosed,
    })
    if (link !== undefined && isConnectionLost(error)) this.#connection.drop(link)
    return error
  }
}

function withMeta(params: Fields, meta: Fields): Fields {
  return { ...params, _meta: { ...(params._meta as Fields | undefined), ...meta } }
}

/** What cannot be written as JSON never reached the server. */
function isSerializable(params: Fields): boolean {
  try {
    JSON.stringify(params)
    return true
  } catch {
    return false
  }
}
