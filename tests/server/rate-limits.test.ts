import { describe, expect, test } from "bun:test"
import { RateLimits } from "../../src/server/rate-limits.ts"

describe("the rate limit", () => {
  test("allows a burst, then one call at a time, and is each client's own", () => {
    const rates = new RateLimits()
    for (let call = 0; call < 10; call += 1) rates.take("a", 60, 0)
    expect(() => rates.take("a", 60, 0)).toThrow("More than 60 calls in a minute")
    rates.take("b", 60, 0)
    rates.take("a", 60, 1000)
    expect(() => rates.take("a", 60, 1000)).toThrow()
  })
})
