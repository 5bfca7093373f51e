// Requests to one server: their limits, their progress, and what their failures mean. Never repeats one.
import type { Client } from "@modelcontextprotocol/client"
import { ServerError } from "../errors.ts"
import type { CancelSignal } from "../platform/cancellation.ts"
import { TimeLimits } from "../platform/time-limits.ts"
import type { Connection } from "./connection.ts"
import { connectionAfter, requestError } from "./failures.ts"
import type { Fields } from "./fields.ts"
import type { Link } from "./link.ts"
import { looseResult, untouched } from "./loose-schema.ts"
import type { ManagerOptions, Progress } from "./options.ts"
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
  signal?: CancelSignal | undefined
  /** Told until the request is over. */
  onProgress?: ((progress: Progress) => void) | undefined
  /** What is heard of for longer than the request takes: see `watchProgress`. */
  progressToken?: string | undefined
  /** Mirrors arguments into HTTP headers as this definition says. */
  toolDefinition?: { name: string; inputSchema: Fields } | undefined
}

export class Requests {
  readonly #connection: Connection
  readonly #options: ManagerOptions
  readonly #progress = new Map<string | number, (progress: Progress) => void>()
  readonly #limits = new TimeLimits()
  #inFlight = 0
  #progressTokens = 0

  constructor(connection: Connection, options: ManagerOptions) {
    this.#connection = connection
    this.#options = options
  }

  /** Connects if need be, and gives the result as the server sent it. */
  async send(request: ServerRequest): Promise<Fields> {
    const { onProgress, progressToken } = request
    let link: Link | undefined
    const token = onProgress === undefined ? undefined : this.watchProgress(onProgress)
    this.#inFlight++
    try {
      link = this.#connection.link ?? (await this.#connection.open(request.signal))
      return await this.#transmit(link, request, token ?? progressToken)
    } catch (cause) {
      throw await this.#explain(cause, request, link)
    } finally {
      this.#inFlight--
      if (token !== undefined) this.forgetProgress(token)
    }
  }

  /** A token for a request, whose progress is told until it is forgotten. */
  watchProgress(onProgress: (progress: Progress) => void): string {
    const token = `progress-${this.#progressTokens++}`
    this.#progress.set(token, onProgress)
    return token
  }

  forgetProgress(token: string): void {
    this.#progress.delete(token)
  }

  /** Tells the caller of a request how far it has come. */
  report(token: string | number, progress: Progress): void {
    this.#progress.get(token)?.(progress)
  }

  /** Asks the user something on behalf of the server; time limits stand still meanwhile. */
  whileAsking<T>(question: () => Promise<T>): Promise<T> {
    return this.#limits.hold(question)
  }

  #transmit(link: Link, request: ServerRequest, progressToken: string | undefined): Promise<Fields> {
    const { method, params: given, signal } = request
    // The modern revision sends log messages only to those who ask for them.
    const logLevel = link.isModern && this.#options.onLog !== undefined ? "info" : undefined
    const plain = progressToken === undefined && logLevel === undefined
    const params = plain ? given : { ...given, _meta: { progressToken, [logLevelKey]: logLevel } }
    const timeoutMs = Math.min(request.timeoutMs, longestTimerMs)
    if (link.client !== undefined) return this.#requestOfSdk(link.client, request, params, timeoutMs)
    return link.direct.request(method, params, { timeoutMs, limits: this.#limits, signal })
  }

  async #requestOfSdk(
    client: Client,
    { method, toolDefinition, signal }: ServerRequest,
    params: Fields,
    timeoutMs: number,
  ): Promise<Fields> {
    const limit = this.#limits.start(timeoutMs, signal)
    const options = { timeout: longestTimerMs, signal: limit.signal }
    try {
      if (toolDefinition === undefined) return await client.request({ method, params }, looseResult, options)
      const inputSchema = { ...toolDefinition.inputSchema, type: "object" as const }
      const definition = { ...toolDefinition, inputSchema }
      const call = params as { name: string; arguments?: Fields }
      return untouched(await client.callTool(call, { ...options, toolDefinition: definition }))
    } finally {
      limit.end()
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
      timeoutCode: method === "tools/call" || method === "tasks/result" ? "E_TOOL_TIMEOUT" : "E_SERVER_TIMEOUT",
      signal,
      process: link?.process,
      closedByUs: isClosed,
    })
    if (link === undefined) return error
    const after = connectionAfter(error, link.kind)
    // A connection in doubt is only given up when nobody else is waiting for it.
    if (after === "lost" || (after === "doubtful" && this.#inFlight === 1)) this.#connection.drop(link)
    return error
  }
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
