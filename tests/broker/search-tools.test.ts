// `searchTools` from a script's guest to the broker and back.
import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createEndpoint } from "../../src/broker/endpoint.ts"
import { createHost, type HostOptions } from "../../src/broker/host.ts"
import type { FoundTool } from "../../src/broker/messages.ts"
import { serveEndpoint } from "../../src/broker/serve-endpoint.ts"
import { createGuest, type Guest } from "../../src/guest/guest.ts"
import { ClientManager } from "../../src/mcp/manager.ts"
import { runtimeDirectory } from "../../src/platform/runtime-directory.ts"
import { makeConfig } from "../fixtures/config.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-search-"))
afterAll(() => rmSync(root, { recursive: true }))

const found: FoundTool[] = [
  { kind: "tool", name: "git.log", server: "git", tool: "log", description: "Shows commits" },
  { kind: "tool", name: "secret.read", server: "secret", tool: "read" },
]

/** Does something with a guest whose broker has these options, and no servers. */
async function withGuest<Result>(
  options: Partial<HostOptions>,
  use: (guest: Guest) => Promise<Result>,
): Promise<Result> {
  const endpoint = createEndpoint(await runtimeDirectory({}, root))
  const manager = async () => new ClientManager({ loadConfig: async () => makeConfig({ directory: root }) })
  const host = createHost({ token: endpoint.token, manager, ...options })
  const listener = await serveEndpoint(endpoint, async () => host)
  try {
    return await use(createGuest({ MCP_EXEC_BROKER: endpoint.address, MCP_EXEC_TOKEN: endpoint.token }))
  } finally {
    listener.close()
  }
}

describe("searchTools", () => {
  test("passes the words and the options on, and the answer back", async () => {
    const asked: unknown[] = []
    const search = async (...input: unknown[]) => {
      asked.push(input)
      return found
    }
    const answers = await withGuest({ search }, async (guest) => [
      await guest.searchTools("list commits"),
      await guest.searchTools("x", { detail: "full", server: "git", limit: 3 }),
    ])
    expect(answers).toEqual([found, found])
    expect(asked).toEqual([
      ["list commits", { limit: 10 }],
      ["x", { detail: "full", server: "git", limit: 3 }],
    ])
  })

  test("tells nothing of servers that the run may not use", async () => {
    const options: Partial<HostOptions> = { search: async () => found, servers: ["git"] }
    const answers = await withGuest(options, async (guest) => ({
      all: await guest.searchTools("x"),
      one: await guest.searchTools("x", { server: "secret" }).catch((error) => error.code),
    }))
    expect<unknown>(answers).toEqual({ all: [found[0]], one: "E_TOOL_DENIED" })
  })

  test("without an index to search in says so", async () => {
    const failure = withGuest({}, (guest) => guest.searchTools("x"))
    await expect(failure).rejects.toMatchObject({ code: "E_BROKER", message: "This run cannot search for tools" })
  })

  const wrong: { given: [unknown, unknown?]; want: string }[] = [
    { given: [5], want: "the query must be a string, found a number" },
    { given: ["x", { limit: 0 }], want: "limit must be an integer from 1 to 100, found 0" },
    { given: ["x", { limit: "3" }], want: "limit must be an integer from 1 to 100, found a string" },
    { given: ["x", { detail: "all" }], want: "detail must be one of name, description, full" },
    { given: ["x", { server: 1 }], want: "the server must be a string, found a number" },
  ]
  for (const { given, want } of wrong) {
    test(`${JSON.stringify(given)} is refused: ${want}`, async () => {
      const [query, options] = given as [string, object]
      const failure = withGuest({ search: async () => found }, (guest) => guest.searchTools(query, options))
      await expect(failure).rejects.toMatchObject({
        code: "E_USAGE",
        message: `This request cannot be made: ${want}`,
      })
    })
  }
})
