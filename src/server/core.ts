// What all clients of one serving process share: the operations' context, the limits, the warm sessions,
// what was too long to show. Makes nothing until somebody calls a tool, so that a server starts, and says
// what it offers, whatever the state of the project is. Nothing in this folder writes to stdout by itself:
// that is the protocol.
import type { ContextOptions, OperationContext } from "../operations/context.ts"
import type { WarmPool } from "../operations/sandbox/pool.ts"
import { Artifacts } from "./artifacts.ts"
import { Contexts } from "./contexts.ts"
import type { Execution } from "./execute-script.ts"
import { Gate } from "./gate.ts"
import { Questions } from "./questions.ts"
import { RateLimits } from "./rate-limits.ts"
import { WarmSessions } from "./warm-sessions.ts"

export type CoreOptions = Omit<ContextOptions, "elicit" | "sample" | "onProgress" | "signal">

/** One end of a conversation. */
export interface Client {
  /** What calls are counted by. */
  readonly key: string
  /** Its session, or what it calls itself where each request says so: tells apart clients that share a key. */
  readonly name?: string | undefined
  /** Others may have the same key and name. */
  readonly isShared?: boolean
}

/** What sessions and questions belong to. */
export function ownerOf({ key, name }: Client): string {
  return name === undefined ? key : `${key} ${name}`
}

export class Core {
  readonly options: CoreOptions
  /** How long a client may take to answer a question. */
  readonly patienceMs: number
  readonly questions = new Questions()
  readonly contexts: Contexts
  readonly gate = new Gate()
  readonly rates = new RateLimits()
  readonly artifacts: Artifacts
  readonly sessions: WarmSessions
  /** The runs under way, by their conversation. */
  readonly executions = new Map<string, Execution>()
  readonly #closing = new AbortController()
  #pool: Promise<WarmPool> | undefined

  constructor(options: CoreOptions, patienceMs = 5 * 60_000) {
    this.options = options
    this.patienceMs = patienceMs
    this.contexts = new Contexts({
      ...options,
      elicit: (request) => this.questions.elicit(request),
      sample: (request) => this.questions.sample(request),
    })
    this.artifacts = new Artifacts(options.env)
    this.sessions = new WarmSessions({ contexts: this.contexts, questions: this.questions })
  }

  /** Fires when the server is to end: runs are stopped, nobody waits any more. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Containers started ahead, from the first script on that needs one. */
  pool(context: OperationContext): Promise<WarmPool> {
    this.#pool ??= import("../operations/sandbox/pool.ts").then(({ openSandboxPool }) => openSandboxPool(context))
    return this.#pool
  }

  /** Stops what runs and leaves nothing behind. May be called again. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.questions.close()
    await this.gate.idle()
    await this.sessions.close()
    // One that could not be opened has nothing to close.
    const pool = await this.#pool?.catch(() => undefined)
    this.#pool = undefined
    await pool?.close()
    await this.contexts.close()
    this.artifacts.close()
  }
}
