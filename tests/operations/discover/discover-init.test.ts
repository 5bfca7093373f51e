import { expect, test } from "bun:test"
import { discoverInitInput } from "../../../src/operations/discover/discover-init.ts"

test("a model has half a minute for each tool", () => {
  expect(discoverInitInput.parse({}).llmTimeoutMs).toBe(30_000)
})
