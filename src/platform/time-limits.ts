// Time limits of what is under way: requests to a server, a script. They stand still while the user is being
// asked something: a person may take longer than a tool. All of them, since whose question it is cannot be known.

export interface TimeLimit {
  /** Fires when the time is up, or when the caller's own signal does. */
  signal: AbortSignal
  end(): void
}

export class TimeLimits {
  readonly #clocks = new Set<Clock>()
  #questions = 0

  start(milliseconds: number, signal: AbortSignal | undefined): TimeLimit {
    const expiry = new AbortController()
    const clock = new Clock(milliseconds, () => expiry.abort())
    this.#clocks.add(clock)
    return {
      signal: signal === undefined ? expiry.signal : AbortSignal.any([expiry.signal, signal]),
      end: () => {
        clock.stop()
        this.#clocks.delete(clock)
      },
    }
  }

  /** Asks, with all clocks stopped until there is an answer. */
  async hold<T>(question: () => Promise<T>): Promise<T> {
    if (this.#questions++ === 0) for (const clock of this.#clocks) clock.stop()
    try {
      return await question()
    } finally {
      if (--this.#questions === 0) for (const clock of this.#clocks) clock.go()
    }
  }
}

class Clock {
  readonly #onExpired: () => void
  #remainingMs: number
  #startedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(milliseconds: number, onExpired: () => void) {
    this.#remainingMs = milliseconds
    this.#onExpired = onExpired
    this.go()
  }

  go(): void {
    if (this.#timer !== undefined) return
    this.#startedAt = performance.now()
    this.#timer = setTimeout(this.#onExpired, this.#remainingMs)
  }

  stop(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#remainingMs -= performance.now() - this.#startedAt
  }
}
