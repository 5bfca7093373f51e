// How many scripts run at once, and who waits. First come, first served.
import { McpExecError } from "../errors.ts"

export interface GateLimits {
  maxRuns: number
  maxWaiting: number
}

export class Gate {
  #running = 0
  readonly #waiting: { limit: number; enter(): void }[] = []
  #onIdle: (() => void)[] = []

  /** Resolves when a script may run, to what says that it has ended. Rejects when too many wait already. */
  async enter({ maxRuns, maxWaiting }: GateLimits, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw givenUp()
    if (this.#running >= maxRuns) {
      if (this.#waiting.length >= maxWaiting) {
        throw new McpExecError("E_LIMIT", `${this.#running} scripts are running and ${maxWaiting} wait already`, {
          hint: "Try again in a moment, or run fewer scripts at once (serve.maxRuns, serve.maxWaiting).",
        })
      }
      await this.#wait(maxRuns, signal)
    } else this.#running += 1
    let isInside = true
    return () => {
      if (isInside) this.#leave()
      isInside = false
    }
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }

  #wait(limit: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const place = {
        limit,
        enter: () => {
          signal.removeEventListener("abort", giveUp)
          this.#running += 1
          resolve()
        },
      }
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(place), 1)
        reject(givenUp())
      }
      signal.addEventListener("abort", giveUp, { once: true })
      this.#waiting.push(place)
    })
  }

  #leave(): void {
    this.#running -= 1
    const next = this.#waiting[0]
    if (next !== undefined && this.#running < next.limit) {
      this.#waiting.shift()
      next.enter()
    }
    if (this.#running > 0) return
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }
}

function givenUp(): McpExecError {
  return new McpExecError("E_TOOL_CANCELLED", "The call was cancelled before the script was started")
}
