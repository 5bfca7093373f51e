import { expect, test } from "bun:test"
import { ClientManager } from "../../src/mcp/manager.ts"
import { fixtureServer, makeConfig } from "../fixtures/config.ts"

test("a program that prints for ever is given up, and timers still run meanwhile", async () => {
  // Given up for what it prints, not because it does not answer: on a busy machine that takes a while.
  const flood = { type: "stdio" as const, command: "yes", timeout: 100_000 }
  const servers = { flood, good: fixtureServer("echo") }
  await using manager = new ClientManager({ loadConfig: async () => makeConfig({ servers }) })
  await manager.initialize()
  let ticks = 0
  const ticking = setInterval(() => ticks++, 10)
  const error = await manager.callTool("flood", "x", {}).catch((thrown: unknown) => thrown)
  clearInterval(ticking)
  expect(error).toMatchObject({ code: "E_SERVER_CONNECT", message: expect.stringContaining("is not MCP") })
  expect(ticks).toBeGreaterThan(2)
  expect((await manager.listTools("good")).length).toBeGreaterThan(0)
}, 120_000)
