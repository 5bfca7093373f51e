import { describe, expect, test } from "bun:test"
import type { LogEntry } from "../../src/mcp/manager.ts"
import { createToolFilter } from "../../src/mcp/tools.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { failureOf, startManager } from "./manager-fixture.ts"

const names = (tools: { name: string }[]) => tools.map(({ name }) => name)

describe.concurrent("lists of tools", () => {
  test("are followed to their last page", async () => {
    await using manager = await startManager({ pages: fixtureServer("pages", "five") })
    expect(names(await manager.listTools("pages"))).toEqual(["tool-0", "tool-1", "tool-2", "tool-3", "tool-4"])
  })

  test("that never end are an error that says so", async () => {
    await using manager = await startManager({ pages: fixtureServer("pages", "endless") })
    expect(await failureOf(manager.listTools("pages"))).toMatchObject({
      name: "ServerError",
      code: "E_SERVER_PROTOCOL",
      message: "Server 'pages' answers tools/list without end: there is still more after 1000 pages",
    })
    expect(await manager.callTool("pages", "tool-0", {})).toBe(null)
  })

  test("that go round in a circle are an error that says so", async () => {
    await using manager = await startManager({ pages: fixtureServer("pages", "circle") })
    expect((await failureOf(manager.listTools("pages"))).message).toContain("the same cursor came twice")
  })

  test("are fetched once by all who ask at the same time", async () => {
    await using manager = await startManager({ echo: fixtureServer("echo") })
    await Promise.all([1, 2, 3].map(() => manager.listTools("echo")))
    expect(await manager.callTool("echo", "received", {})).toEqual({ "tools/list": 1 })
  })

  test("are kept until the server says that they have changed", async () => {
    await using manager = await startManager({ changing: fixtureServer("changing") })
    expect(names(await manager.listTools("changing"))).toEqual(["grow", "grow-quietly"])
    await manager.callTool("changing", "grow-quietly", {})
    expect(await manager.listTools("changing")).toHaveLength(2)
    await manager.callTool("changing", "grow", {})
    expect(names(await manager.listTools("changing"))).toEqual(["grow", "grow-quietly", "extra-2", "extra-3"])
  })

  test("are fetched again from a server that was started again", async () => {
    await using manager = await startManager({ crash: fixtureServer("crash") })
    const before = await manager.listTools("crash")
    await failureOf(manager.callTool("crash", "crash", {}))
    expect(await manager.listTools("crash")).toEqual(before)
  })

  test("can be given up by one who waits without taking them from the others", async () => {
    await using manager = await startManager({ slow: fixtureServer("slow-start", "400") })
    const patient = manager.listTools("slow")
    const hasty = await failureOf(manager.listTools("slow", { signal: AbortSignal.timeout(50) }))
    expect(hasty).toMatchObject({ name: "ServerError", code: "E_TOOL_CANCELLED" })
    expect(names(await patient)).toEqual(["pid"])
  })

  test("that do not come time out", async () => {
    await using manager = await startManager({ hang: fixtureServer("hang", "list") }, { listTimeoutMs: 150 })
    expect(await failureOf(manager.listTools("hang"))).toMatchObject({
      name: "ServerError",
      code: "E_SERVER_TIMEOUT",
      message: "Server 'hang' did not finish tools/list within 150 ms",
    })
  })

  test("that a server does not have are empty", async () => {
    await using manager = await startManager({ catalog: fixtureServer("catalog"), echo: fixtureServer("echo") })
    expect(await manager.listTools("catalog")).toEqual([])
    expect(await manager.listResources("echo")).toEqual([])
    expect(await manager.listResourceTemplates("echo")).toEqual([])
    expect(await manager.listPrompts("echo")).toEqual([])
  })
})

describe.concurrent("imperfect tools", () => {
  test("are repaired, and one without a name is dropped with a warning", async () => {
    const log: LogEntry[] = []
    await using manager = await startManager({ odd: fixtureServer("imperfect") }, { onLog: (entry) => log.push(entry) })
    const tools = await manager.listTools("odd")
    expect(tools).toEqual([
      { name: "good", description: "Fine.", inputSchema: { type: "object", properties: { a: { type: "string" } } } },
      { name: "null-description", description: "", inputSchema: { type: "object" } },
      { name: "no-type", description: "x", inputSchema: { type: "object", properties: { a: { type: "string" } } } },
      { name: "empty-enum", description: "", inputSchema: { type: "object", properties: { a: { enum: [] } } } },
      { name: "no-schema", description: "", inputSchema: { type: "object" } },
      { name: "null-schema", description: "", inputSchema: { type: "object" } },
      {
        name: "odd-output",
        description: "",
        inputSchema: { type: "object" },
        outputSchema: { type: "array", items: {} },
      },
      { name: "odd-annotations", description: "", inputSchema: { type: "object" }, annotations: { title: "Odd" } },
    ])
    expect(log.filter(({ level }) => level === "warning")).toHaveLength(2)
    expect(await manager.callTool("odd", "no-schema", {})).toBe("called")
    expect(await manager.describeServer("odd")).toMatchObject({
      title: "odd",
      version: "unknown",
      capabilities: { tools: {} },
    })
  })
})

describe.concurrent("unknown tools", () => {
  test("are suggested from those that exist, whichever way the server says no", async () => {
    await using manager = await startManager({ echo: fixtureServer("echo") })
    const error = await failureOf(manager.callTool("echo", "ecko", {}))
    expect(error).toMatchObject({
      name: "ToolError",
      code: "E_TOOL_UNKNOWN",
      message: "Server 'echo' has no tool 'ecko'",
      hint: "Did you mean 'echo'? It has: echo, give, pid, environment, received, refuse, wait",
    })
  })
})

describe.concurrent("tools that the config hides", () => {
  test("are not listed and not called", async () => {
    const tools = { allow: ["e*", "p?d"], deny: ["env*"] }
    await using manager = await startManager({ echo: { ...fixtureServer("echo"), tools } })
    const error = await failureOf(manager.callTool("echo", "environment", {}))
    expect(error).toMatchObject({ name: "ToolError", code: "E_TOOL_DENIED", server: "echo", tool: "environment" })
    expect(manager.state).toBe("initialized")
    expect(names(await manager.listTools("echo"))).toEqual(["echo", "pid"])
    expect(await manager.callTool("echo", "echo", { a: 1 })).toEqual({ a: 1 })
  })

  const filters: { tools: Parameters<typeof createToolFilter>[0]; name: string; want: boolean }[] = [
    { tools: {}, name: "any", want: true },
    { tools: { allow: [] }, name: "any", want: false },
    { tools: { allow: ["read_*"] }, name: "read_file", want: true },
    { tools: { allow: ["read_*"] }, name: "xread_file", want: false },
    { tools: { allow: ["*"], deny: ["*delete*"] }, name: "bulk_delete_all", want: false },
    { tools: { deny: ["a.b"] }, name: "axb", want: true },
    { tools: { deny: ["a.b"] }, name: "a.b", want: false },
    { tools: { allow: ["a[b]"] }, name: "a[b]", want: true },
    { tools: { allow: ["Read*"] }, name: "read", want: false },
  ]
  for (const { tools, name, want } of filters) {
    test(`${JSON.stringify(tools)} ${want ? "shows" : "hides"} ${name}`, () => {
      expect(createToolFilter(tools)(name)).toBe(want)
    })
  }
})
