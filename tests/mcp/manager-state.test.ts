import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { ConfigError } from "../../src/errors.ts"
import { ClientManager } from "../../src/mcp/manager.ts"
import { fixtureServer, makeConfig } from "../fixtures/config.ts"
import { failureOf, startManager, temporaryDirectory } from "./manager-fixture.ts"

describe("states of the manager", () => {
  test("initialize reads the config and connects to nothing", async () => {
    using directory = temporaryDirectory()
    const starts = `${directory.path}/starts`
    const manager = new ClientManager({
      loadConfig: async () => makeConfig({ servers: { echo: fixtureServer("echo", starts) } }),
    })
    expect(manager.state).toBe("uninitialized")
    await manager.initialize()
    expect(manager.state).toBe("initialized")
    expect(manager.listServers()).toEqual([{ name: "echo", transport: "stdio", disabled: false, connected: false }])
    await manager.close()
    expect(await Bun.file(starts).exists()).toBe(false)
  })

  test("the first call connects, and later calls use the same connection", async () => {
    using directory = temporaryDirectory()
    const starts = `${directory.path}/starts`
    await using manager = await startManager({ echo: fixtureServer("echo", starts) })
    expect(await manager.callTool("echo", "echo", { n: 1 })).toEqual({ n: 1 })
    expect(manager.state).toBe("connected")
    expect(manager.listServers()[0]?.connected).toBe(true)
    expect(await manager.callTool("echo", "echo", { n: 2 })).toEqual({ n: 2 })
    expect(readFileSync(starts, "utf8").trim().split("\n")).toHaveLength(1)
  })

  test("initialize twice is an error that names the state", async () => {
    await using manager = await startManager({ echo: fixtureServer("echo") })
    const error = await failureOf(manager.initialize())
    expect(error.code).toBe("E_STATE")
    expect(error.message).toBe("Cannot initialize: the manager is initialized, it must be closed first")
    await manager.callTool("echo", "echo", {})
    expect((await failureOf(manager.initialize())).message).toContain("the manager is connected")
  })

  test("two initializes at once are one too many", async () => {
    const manager = new ClientManager({ loadConfig: async () => makeConfig() })
    const results = await Promise.allSettled([manager.initialize(), manager.initialize()])
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"])
    expect(manager.state).toBe("initialized")
  })

  test("nothing works before initialize or after close, and each says why", async () => {
    const manager = new ClientManager({
      loadConfig: async () => makeConfig({ servers: { echo: fixtureServer("echo") } }),
    })
    const attempts = () => [
      manager.callTool("echo", "echo", {}),
      manager.listTools("echo"),
      manager.listAllTools(),
      manager.describeServer("echo"),
      manager.listResources("echo"),
      manager.listPrompts("echo"),
      manager.readResource("echo", "a:b"),
      manager.getPrompt("echo", "p"),
    ]
    for (const attempt of attempts()) {
      const error = await failureOf(attempt)
      expect(error.code).toBe("E_STATE")
      expect(error.message).toMatch(/^Cannot .+: the manager is uninitialized, it must be initialized first$/)
    }
    expect(() => manager.listServers()).toThrow("Cannot list servers: the manager is uninitialized")
    expect(() => manager.resolve("echo.echo")).toThrow("the manager is uninitialized")
    manager.prespawn("echo")
    await manager.initialize()
    await manager.close()
    for (const attempt of attempts()) expect((await failureOf(attempt)).message).toContain("the manager is closed")
  })

  test("a config that cannot be loaded leaves the manager uninitialized", async () => {
    let fail = true
    const manager = new ClientManager({
      loadConfig: async () => {
        if (fail) throw new ConfigError("E_CONFIG_NOT_FOUND", "no config")
        return makeConfig()
      },
    })
    expect((await failureOf(manager.initialize())).code).toBe("E_CONFIG_NOT_FOUND")
    expect(manager.state).toBe("uninitialized")
    fail = false
    await manager.initialize()
    expect(manager.state).toBe("initialized")
  })

  test("close is idempotent, clears everything, and may be followed by initialize", async () => {
    let loads = 0
    const manager = new ClientManager({
      loadConfig: async () => {
        loads++
        return makeConfig({ servers: { echo: fixtureServer("echo") } })
      },
    })
    await manager.close()
    expect(manager.state).toBe("closed")
    await manager.initialize()
    const first = await manager.callTool("echo", "pid", {})
    await Promise.all([manager.close(), manager.close()])
    await manager.close()
    expect(manager.state).toBe("closed")
    await manager.initialize()
    expect(manager.state).toBe("initialized")
    expect(manager.listServers()[0]?.connected).toBe(false)
    expect(await manager.callTool("echo", "pid", {})).not.toBe(first)
    expect(loads).toBe(2)
    await manager.close()
  })

  test("close after initialize has the last word, also while an earlier close is under way", async () => {
    const manager = new ClientManager({ loadConfig: async () => makeConfig() })
    await manager.initialize()
    const settled = Promise.allSettled([manager.close(), manager.initialize(), manager.close()])
    expect((await settled).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"])
    expect(manager.state).toBe("closed")
  })

  test("await using closes the manager", async () => {
    let escaped: ClientManager | undefined
    {
      await using manager = await startManager({})
      escaped = manager
    }
    expect(escaped.state).toBe("closed")
  })

  test("a failed connection leaves the manager initialized", async () => {
    await using manager = await startManager({ exits: fixtureServer("exits") })
    await failureOf(manager.callTool("exits", "any", {}))
    expect(manager.state).toBe("initialized")
  })
})

describe("which servers there are", () => {
  test("listServers gives the order, transport, description and state of each", async () => {
    await using manager = await startManager({
      zeta: { type: "http", url: "http://127.0.0.1:1/mcp", description: "Zed." },
      alpha: { type: "sse", url: "http://127.0.0.1:1/sse", disabled: true },
      beta: { type: "builtin", name: "echo" },
    })
    expect(manager.listServers()).toEqual([
      { name: "zeta", transport: "http", description: "Zed.", disabled: false, connected: false },
      { name: "alpha", transport: "sse", disabled: true, connected: false },
      { name: "beta", transport: "builtin", disabled: false, connected: false },
    ])
  })

  test("a disabled server is refused without being started", async () => {
    await using manager = await startManager(
      { off: { ...fixtureServer("echo"), disabled: true } },
      { file: "/x/mcp.json" },
    )
    const error = await failureOf(manager.callTool("off", "echo", {}))
    expect(error).toMatchObject({ name: "ToolError", code: "E_SERVER_DISABLED", server: "off", tool: "echo" })
    expect(error.hint).toContain("/x/mcp.json")
    expect(await failureOf(manager.listTools("off"))).toMatchObject({ name: "ServerError", code: "E_SERVER_DISABLED" })
    manager.prespawn("off")
  })

  test("an unknown server is suggested from those that exist, of which ten are listed", async () => {
    const servers = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`server-${index}`, fixtureServer("echo")]),
    )
    await using manager = await startManager({ github: fixtureServer("echo"), ...servers })
    const error = await failureOf(manager.callTool("gihtub", "list", {}))
    expect(error).toMatchObject({ name: "ToolError", code: "E_SERVER_UNKNOWN", server: "gihtub" })
    expect(error.hint).toBe(
      `Did you mean 'github'? There are: github, ${Array.from({ length: 9 }, (_, index) => `server-${index}`).join(", ")}, and 3 more`,
    )
    expect((await failureOf(manager.listTools("constructor"))).code).toBe("E_SERVER_UNKNOWN")
  })

  test("without enabled servers all tools are none", async () => {
    await using manager = await startManager({ off: { ...fixtureServer("echo"), disabled: true } })
    expect(await manager.listAllTools()).toEqual({ tools: [], failures: [] })
  })

  test("listAllTools names the server of each tool, and a server that fails does not stop the others", async () => {
    await using manager = await startManager({
      good: fixtureServer("crash"),
      bad: fixtureServer("exits"),
      off: { ...fixtureServer("echo"), disabled: true },
      pages: fixtureServer("pages", "five"),
    })
    const { tools, failures } = await manager.listAllTools()
    expect(tools.map(({ server, tool }) => `${server}.${tool.name}`)).toEqual([
      ...["pid", "crash", "kill", "hang"].map((name) => `good.${name}`),
      ...[0, 1, 2, 3, 4].map((page) => `pages.tool-${page}`),
    ])
    expect(failures).toMatchObject([{ server: "bad", error: { code: "E_SERVER_CONNECT" } }])
  })
})
