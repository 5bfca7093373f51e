import { describe, expect, test } from "bun:test"
import { Gate } from "../../src/server/gate.ts"

const forever = new AbortController().signal

describe("the gate", () => {
  test("lets a few in, and the others when one leaves, in their order", async () => {
    const gate = new Gate()
    const limits = { maxRuns: 2, maxWaiting: 5 }
    const order: number[] = []
    const leaves = await Promise.all([gate.enter(limits, forever), gate.enter(limits, forever)])
    const late = [3, 4].map(async (number) => {
      const leave = await gate.enter(limits, forever)
      order.push(number)
      leave()
    })
    await Bun.sleep(5)
    expect(order).toEqual([])
    for (const leave of leaves) leave()
    await Promise.all(late)
    expect(order).toEqual([3, 4])
    await gate.idle()
  })

  test("turns away who would wait too long, and forgets who gives up", async () => {
    const gate = new Gate()
    const limits = { maxRuns: 1, maxWaiting: 1 }
    const leave = await gate.enter(limits, forever)
    const impatient = new AbortController()
    const waiting = gate.enter(limits, impatient.signal)
    await expect(gate.enter(limits, forever)).rejects.toMatchObject({ code: "E_LIMIT" })
    impatient.abort()
    await expect(waiting).rejects.toMatchObject({ code: "E_TOOL_CANCELLED" })
    const next = gate.enter(limits, forever)
    leave()
    leave()
    ;(await next)()
    await gate.idle()
  })
})
