// The sessions of all clients: found by client and name, one snippet at a time in each, few of them, and
// none longer than it is used.
import { McpExecError } from "../errors.ts"
import type { RunResult } from "../operations/exec.ts"
import { type SessionStart, type SnippetHooks, WarmSession } from "./warm-session.ts"

export interface SnippetRequest extends SnippetHooks, Pick<SessionStart, "isSandboxed" | "pool"> {
  client: string
  name: string
  /** May be empty, to reset the session only. */
  code: string
  /** Begin with nothing, whatever was before. */
  reset: boolean
}

const maxSessions = 8
/** Of how many sessions it is remembered why they have ended. */
const maxReasons = 100

export class WarmSessions {
  readonly #shared: Pick<SessionStart, "contexts" | "questions">
  readonly #idleMs: number
  readonly #sessions = new Map<string, WarmSession>()
  /** Why sessions have ended that nobody has been told of yet. */
  readonly #reasons = new Map<string, string>()
  #sweep: ReturnType<typeof setInterval> | undefined

  constructor(shared: Pick<SessionStart, "contexts" | "questions">, idleMs = 10 * 60_000) {
    this.#shared = shared
    this.#idleMs = idleMs
  }

  async run({ client, name, code, reset, isSandboxed, pool, ...hooks }: SnippetRequest): Promise<RunResult> {
    const { sessionCode } = await import("./session-code.ts")
    const plain = sessionCode(code)
    // The sandbox is no place to take variables to, or from.
    const key = JSON.stringify([client, name, isSandboxed])
    if (this.#sessions.get(key)?.isBusy) {
      throw new McpExecError("E_LIMIT", `Session ${name} is still busy with another snippet`, {
        hint: "Wait for its result, or use another session.",
      })
    }
    if (reset) await this.#reset(key)
    const session = this.#sessions.get(key) ?? this.#open(key, name, { ...this.#shared, isSandboxed, pool })
    session.isBusy = true
    try {
      return this.#withReason(key, name, await session.run(plain, hooks))
    } finally {
      session.isBusy = false
      session.usedAt = performance.now()
    }
  }

  /** Ends the sessions of a client that has gone, or all. */
  async close(client?: string): Promise<void> {
    const own = [...this.#sessions].filter(([key]) => client === undefined || JSON.parse(key)[0] === client)
    await Promise.all(own.map(([, session]) => session.end()))
    if (this.#sessions.size === 0) this.#stopSweeping()
  }

  #open(key: string, name: string, start: SessionStart): WarmSession {
    this.#makeRoom()
    const session = new WarmSession(name, start, () => {
      if (this.#sessions.get(key) !== session) return
      this.#sessions.delete(key)
      // While it is busy the snippet's own result tells.
      if (!session.isBusy) this.#remember(key, "its process had ended")
    })
    this.#sessions.set(key, session)
    this.#sweep ??= setInterval(() => this.#endIdle(), this.#idleMs / 10)
    this.#sweep.unref?.()
    return session
  }

  #makeRoom(): void {
    if (this.#sessions.size < maxSessions) return
    const idle = [...this.#sessions].filter(([, { isBusy }]) => !isBusy)
    const [oldest] = idle.sort(([, a], [, b]) => a.usedAt - b.usedAt)
    if (oldest === undefined) {
      throw new McpExecError("E_LIMIT", `All ${maxSessions} sessions are busy`, { hint: "Leave out session." })
    }
    this.#expire(...oldest, "another session needed its place")
  }

  #endIdle(): void {
    for (const [key, session] of this.#sessions) {
      const isIdle = !session.isBusy && performance.now() - session.usedAt > this.#idleMs
      if (isIdle) this.#expire(key, session, "it was idle for too long")
    }
    if (this.#sessions.size === 0) this.#stopSweeping()
  }

  #expire(key: string, session: WarmSession, reason: string): void {
    this.#sessions.delete(key)
    this.#remember(key, reason)
    void session.end()
  }

  async #reset(key: string): Promise<void> {
    const session = this.#sessions.get(key)
    this.#sessions.delete(key)
    this.#reasons.delete(key)
    await session?.end()
  }

  #remember(key: string, reason: string): void {
    this.#reasons.set(key, reason)
    const [oldest] = this.#reasons.keys()
    if (this.#reasons.size > maxReasons && oldest !== undefined) this.#reasons.delete(oldest)
  }

  /** Who counts on variables must know when they are gone. */
  #withReason(key: string, name: string, result: RunResult): RunResult {
    const reason = this.#reasons.get(key)
    this.#reasons.delete(key)
    if (reason === undefined) return result
    return { ...result, stderr: `Session ${name} began anew: ${reason}. Its variables are gone.\n${result.stderr}` }
  }

  #stopSweeping(): void {
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}
