// How often one client may call. A client that has been quiet may call a sixth of its minute at once.
import { McpExecError } from "../errors.ts"

interface Allowance {
  calls: number
  at: number
}

// Clients that are remembered: over HTTP anybody may pretend to be many.
const maxClients = 1000

export class RateLimits {
  readonly #allowances = new Map<string, Allowance>()

  /** Takes one call from a client's allowance. Throws when there is none left. */
  take(client: string, callsPerMinute: number, now: number = performance.now()): void {
    const most = Math.max(1, callsPerMinute / 6)
    const perMs = callsPerMinute / 60_000
    const before = this.#allowances.get(client) ?? { calls: most, at: now }
    const calls = Math.min(most, before.calls + (now - before.at) * perMs)
    // The map is in the order of the last call: the first one has been quiet longest.
    this.#allowances.delete(client)
    this.#allowances.set(client, { calls: calls < 1 ? calls : calls - 1, at: now })
    const [oldest] = this.#allowances.keys()
    if (this.#allowances.size > maxClients && oldest !== undefined) this.#allowances.delete(oldest)
    if (calls >= 1) return
    const waitMs = Math.ceil((1 - calls) / perMs)
    throw new McpExecError("E_LIMIT", `More than ${callsPerMinute} calls in a minute`, {
      hint: `Try again in ${waitMs} ms, and do more in one script: it may loop and call many tools.`,
      details: { retryAfterMs: waitMs },
    })
  }
}
