import { describe, expect, test } from "bun:test"
import { Cancellation, toAbortSignal } from "../../src/platform/cancellation.ts"

describe("a cancellation", () => {
  test("tells everybody who listens, once, and has a reason like that of an AbortController", () => {
    const cancellation = new Cancellation()
    const heard: string[] = []
    const leaves = () => void heard.push("left")
    cancellation.addEventListener("abort", () => void heard.push("first"))
    cancellation.addEventListener("abort", leaves)
    cancellation.addEventListener("abort", () => void heard.push("second"))
    cancellation.removeEventListener("abort", leaves)
    expect([cancellation.aborted, cancellation.reason]).toEqual([false, undefined])
    cancellation.abort()
    cancellation.abort()
    expect(heard).toEqual(["first", "second"])
    const controller = new AbortController()
    controller.abort()
    expect([cancellation.aborted, String(cancellation.reason)]).toEqual([true, String(controller.signal.reason)])
  })

  test("becomes a real signal for those who need one", () => {
    const [early, late] = [new Cancellation(), new Cancellation()]
    early.abort()
    const signals = [toAbortSignal(early), toAbortSignal(late)]
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    late.abort()
    expect(signals.map(({ reason }) => reason)).toEqual([early.reason, late.reason])
  })

  test("is taken as it is when it is a real signal already", () => {
    const { signal } = new AbortController()
    expect(toAbortSignal(signal)).toBe(signal)
  })
})
