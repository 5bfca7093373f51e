import { describe, expect, test } from "bun:test"
import { realpathSync } from "node:fs"
import { failureOf, startManager, temporaryDirectory } from "./manager-fixture.ts"

describe("builtin servers in this process", () => {
  test("are listed, called and closed like any other", async () => {
    const manager = await startManager({ echo: { type: "builtin", name: "echo", tools: { deny: ["sleep"] } } })
    expect(manager.state).toBe("initialized")
    expect(await manager.callTool("echo", "echo", { text: "hi" })).toBeDefined()
    expect(manager.listServers()).toMatchObject([{ name: "echo", transport: "builtin", connected: true }])
    expect((await manager.listTools("echo")).map(({ name }) => name)).not.toContain("sleep")
    expect((await failureOf(manager.callTool("echo", "ecko", {}))).code).toBe("E_TOOL_UNKNOWN")
    await manager.close()
    await manager.initialize()
    expect(await manager.callTool("echo", "echo", { text: "again" })).toBeDefined()
    await manager.close()
  })

  test("wrong arguments in the config are told to the first call", async () => {
    await using manager = await startManager({ echo: { type: "builtin", name: "echo", args: ["surplus"] } })
    manager.prespawn("echo")
    expect(await failureOf(manager.callTool("echo", "echo", {}))).toMatchObject({
      name: "ToolError",
      code: "E_CONFIG_INVALID",
    })
  })

  test("a thousand calls in flight come back to those who made them", async () => {
    await using manager = await startManager({ echo: { type: "builtin", name: "echo" } })
    const numbers = Array.from({ length: 1000 }, (_, number) => number)
    const results = await Promise.all(numbers.map((a) => manager.callTool("echo", "add", { a, b: 1 })))
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1000)
  })
})

describe("builtin servers in a child of this program", () => {
  test("work in the directories of their arguments, relative to the config", async () => {
    using directory = temporaryDirectory()
    await Bun.write(`${directory.path}/notes/a.txt`, "text of a")
    await using manager = await startManager(
      { files: { type: "builtin", name: "filesystem", args: ["./notes"] } },
      { directory: directory.path },
    )
    manager.prespawn("files")
    const path = `${realpathSync(directory.path)}/notes/a.txt`
    expect(await manager.callTool("files", "read_text_file", { path })).toEqual({ content: "text of a" })
  })

  test("find what their variables name, relative to the config", async () => {
    using directory = temporaryDirectory()
    const memory = { type: "builtin" as const, name: "memory" as const, env: { MEMORY_FILE_PATH: "deep/graph.jsonl" } }
    await using manager = await startManager({ memory }, { directory: directory.path })
    const entity = { name: "Ada", entityType: "person", observations: [] }
    await manager.callTool("memory", "create_entities", { entities: [entity] })
    expect(await Bun.file(`${directory.path}/deep/graph.jsonl`).text()).toContain("Ada")
  })
})

test("a message larger than a packaged server takes fails its call at once, with the reason", async () => {
  using folder = temporaryDirectory()
  const { path: directory } = folder
  await using manager = await startManager({ files: { type: "builtin", name: "filesystem" } }, { directory })
  const content = "x".repeat(11_000_000)
  const error = await failureOf(manager.callTool("files", "write_file", { path: `${directory}/workspace/a`, content }))
  expect(error).toMatchObject({ code: "E_SERVER_CLOSED", hint: expect.stringContaining("too large") })
}, 120_000)
