import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { isPlainCall } from "../../src/broker/plain-call.ts"
import { guestMessageSchema } from "../../src/broker/protocol.ts"

const odd = fc.oneof(fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer()))
/** The right kind of value nine times out of ten, else any. */
const mostly = <T>(right: fc.Arbitrary<T>) => fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: odd })
const message = fc.record(
  {
    type: mostly(fc.constant("call")),
    id: mostly(fc.nat()),
    server: mostly(fc.string()),
    tool: mostly(fc.string()),
    args: mostly(fc.dictionary(fc.string(), fc.jsonValue())),
    raw: mostly(fc.boolean()),
    progress: mostly(fc.boolean()),
    timeoutMs: mostly(fc.double({ min: 1, max: 1e9, noNaN: true })),
    more: fc.jsonValue(),
  },
  { requiredKeys: [] },
)

describe("a call is recognised without its schema", () => {
  test("only when the schema would let it pass, with the same members", () => {
    let seen = 0
    fc.assert(
      fc.property(message, (given) => {
        if (!isPlainCall(given)) return
        seen++
        const { more: _, ...known } = given as Record<string, unknown>
        expect(guestMessageSchema.parse(given)).toEqual(known as never)
      }),
      { numRuns: 5000 },
    )
    expect(seen).toBeGreaterThan(100)
  })

  test("when it is as the guest sends it", () => {
    const call = { type: "call", server: "files", tool: "read", args: { path: "a" }, id: 0 }
    for (const more of [{}, { raw: true }, { progress: true }, { timeoutMs: 0.5 }, { server: undefined }]) {
      expect(isPlainCall({ ...call, ...more })).toBe(true)
    }
  })

  test("but not when it is another message, or a wrong one", () => {
    const call = { type: "call", server: "files", tool: "read", args: {}, id: 0 }
    const wrong = [
      ...[null, [], "call", { type: "list-servers", id: 0 }],
      ...[{ id: -1 }, { id: 0.5 }, { id: 2 ** 53 }, { id: "0" }, { server: null }, { tool: undefined }].map((more) => ({
        ...call,
        ...more,
      })),
      ...[{ args: [] }, { args: null }, { raw: 1 }, { timeoutMs: 0 }, { timeoutMs: Number.POSITIVE_INFINITY }].map(
        (more) => ({ ...call, ...more }),
      ),
    ]
    for (const each of wrong) expect([each, isPlainCall(each)]).toEqual([each, false])
  })
})
