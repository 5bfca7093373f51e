// Tells whoever works on something that nobody waits for it any more, as an AbortController does. One of those for
// each call of a script, and a listener, took an eighth of the time that the broker needs for the call.

/** What is asked of a signal. An AbortSignal is one, too. */
export interface CancelSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: "abort", listener: () => void): void
  removeEventListener(type: "abort", listener: () => void): void
}

export class Cancellation implements CancelSignal {
  readonly #listeners: (() => void)[] = []
  #reason: DOMException | undefined

  get aborted(): boolean {
    return this.#reason !== undefined
  }

  get reason(): unknown {
    return this.#reason
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const index = this.#listeners.indexOf(listener)
    if (index >= 0) this.#listeners.splice(index, 1)
  }

  abort(): void {
    if (this.aborted) return
    this.#reason = new DOMException("The operation was aborted.", "AbortError")
    for (const listener of this.#listeners.splice(0)) listener()
  }
}

/** The same as an AbortSignal, for those who need a real one. */
export function toAbortSignal(signal: CancelSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener("abort", abort)
  return controller.signal
}
