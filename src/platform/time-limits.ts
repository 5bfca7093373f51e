// Time limits of what is under way: requests to a server, a script. They stand still while the user is being
// asked something: a person may take longer than a tool. All of them, since whose question it is cannot be known.

import { type CancelSignal, toAbortSignal } from "./cancellation.ts"

export interface TimeLimit {
  /** Fires when the time is up, or when the caller's own signal does. */
  signal: AbortSignal
  end(): void
}

export interface Timer {
  end(): void
}

export class TimeLimits {
  readonly #clocks = new Set<Clock>()
  #questions = 0

  start(milliseconds: number, signal: CancelSignal | undefined): TimeLimit {
    const expiry = new AbortController()
    const timer = this.startTimer(milliseconds, () => expiry.abort())
    return {
      signal: signal === undefined ? expiry.signal : AbortSignal.any([expiry.signal, toAbortSignal(signal)]),
      end: () => timer.end(),
    }
  }

  /** The same without signals, which cost more than a timer. */
  startTimer(milliseconds: number, onExpired: () => void): Timer {
    return new Clock(milliseconds, onExpired, this.#clocks)
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

class Clock implements Timer {
  readonly #onExpired: () => void
  readonly #all: Set<Clock>
  #remainingMs: number
  #startedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(milliseconds: number, onExpired: () => void, all: Set<Clock>) {
    this.#remainingMs = milliseconds
    this.#onExpired = onExpired
    this.#all = all.add(this)
    this.go()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#all.delete(this)
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
