import { describe, expect, test } from "bun:test"
import { createInterface } from "node:readline"
import { PassThrough } from "node:stream"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { Core } from "../../src/server/core.ts"
import { serveStdio } from "../../src/server/stdio.ts"
import { toolNames, tools } from "../../src/server/surface.ts"
import { createProject } from "../fixtures/project.ts"
import { connectStdio, eras } from "./served.ts"

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
}
const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } }

const openings = {
  "2025-11-25": [
    { id: "hello", method: "initialize", params: hello },
    { id: "tools", method: "tools/list", params: {} },
    { id: "alive", method: "ping" },
  ],
  "2026-07-28": [
    { id: "hello", method: "server/discover", params: { _meta: envelope } },
    { id: "tools", method: "tools/list", params: { _meta: envelope } },
  ],
}

describe("what a client sees first", () => {
  test("is four tools, in 600 tokens", () => {
    expect(tools.map(({ name }) => name)).toEqual([...toolNames])
    expect(toolNames).toEqual(["search_tools", "execute_script", "generate_wrappers", "discover_schemas"])
    expect(countTokens(JSON.stringify({ tools }))).toBeLessThanOrEqual(600)
  })

  for (const era of eras) {
    test(`is the same in revision ${era}, whatever is configured`, async () => {
      const servers = Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`s${at}`, { command: "does-not-exist", description: "x".repeat(500) }]),
      )
      using project = createProject({ servers })
      await using served = await connectStdio(project, { era })
      const listed = await served.client.listTools()
      expect<unknown>(listed.tools).toEqual(tools)
    })
  }

  test("is answered without a configuration, and with one that is broken", async () => {
    for (const files of [{}, { "mcp_config.json": "{ not json" }]) {
      using project = createProject({ files })
      await using served = await connectStdio(project)
      expect((await served.client.listTools()).tools).toHaveLength(4)
    }
  })

  for (const [era, questions] of Object.entries(openings)) {
    test(`is known by heart in revision ${era}, in the words of the SDK`, async () => {
      using project = createProject()
      const byHeart = await converse(project.directory, questions)
      // Nobody knows this by heart: the SDK is there from then on.
      const first = { ...questions[1], id: "first", method: "prompts/list" }
      const bySdk = await converse(project.directory, [first, ...questions])
      expect(byHeart.ids).toEqual(questions.map(({ id }) => id))
      for (const { id } of questions) expect(byHeart.results.get(id)).toEqual(bySdk.results.get(id))
    })
  }
})

/** Sends each request when the one before has been answered. */
async function converse(cwd: string, requests: { id: string; method: string; params?: object }[]) {
  const core = new Core({ cwd, env: { MCP_EXEC_CACHE_DIR: `${cwd}/.cache` }, log: () => {} })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const end = new AbortController()
  const served = serveStdio(core, { input, output }, end.signal)
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  const ids: string[] = []
  const results = new Map<string, unknown>()
  const errors = new Map<string, unknown>()
  for (const request of requests) {
    input.write(`${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`)
    const { id, result, error } = JSON.parse((await lines.next()).value ?? "")
    ids.push(id)
    results.set(id, result)
    if (error !== undefined) errors.set(id, error)
  }
  end.abort()
  await served
  return { ids, results, errors }
}

test("a greeting that is not one is refused, and the next one taken", async () => {
  using project = createProject()
  const { results } = await converse(project.directory, [
    { id: "odd", method: "initialize", params: { protocolVersion: 5 } },
    {
      id: "right",
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    },
  ])
  expect(results.get("odd")).toBeUndefined()
  expect(results.get("right")).toMatchObject({ protocolVersion: "2025-11-25" })
})

test("what is no message of the protocol is refused by its id", async () => {
  using project = createProject()
  const { ids, errors } = await converse(project.directory, [
    { id: "first", method: "prompts/list" },
    { id: "odd", method: 5 as never },
    { id: "next", method: "ping" },
  ])
  expect(ids).toEqual(["first", "odd", "next"])
  expect(errors.get("odd")).toMatchObject({ code: -32600 })
})
