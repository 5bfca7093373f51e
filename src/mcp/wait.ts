import type { CancelSignal } from "../platform/cancellation.ts"

/** The longest a timer can wait; a longer one would fire at once. */
export const longestTimerMs = 2 ** 31 - 1

/** Waits for a promise, but not after the signal. */
export function unlessAborted<T>(promise: Promise<T>, signal: CancelSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener("abort", giveUp)
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp))
  })
}

/** Waits until a promise has settled, whichever way, but no longer than this. */
export function settled(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    promise.then(done, done)
  })
}
