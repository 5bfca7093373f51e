import { expect, test } from "bun:test"
import { fixtureServer } from "../fixtures/config.ts"
import { failureOf, startManager } from "./manager-fixture.ts"

test("a server's own timeout holds for its lists too", async () => {
  await using manager = await startManager({ hang: { ...fixtureServer("hang", "list"), timeout: 1500 } })
  const error = await failureOf(manager.listTools("hang"))
  expect(error.message).toContain("1.5 s")
}, 20_000)
