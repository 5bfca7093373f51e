import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { fixtureServer, placeholder } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { failureOf, isRunning, startManager, temporaryDirectory } from "./manager-fixture.ts"

describe.concurrent("one connection per server", () => {
  test("concurrent first calls share it", async () => {
    using directory = temporaryDirectory()
    const starts = `${directory.path}/starts`
    await using manager = await startManager({ echo: fixtureServer("echo", starts) })
    const calls = Array.from({ length: 20 }, (_, n) => manager.callTool("echo", "echo", { n }))
    expect(await Promise.all([...calls, manager.listTools("echo").then(() => "listed")])).toEqual([
      ...Array.from({ length: 20 }, (_, n) => ({ n })),
      "listed",
    ])
    expect(readFileSync(starts, "utf8").trim().split("\n")).toHaveLength(1)
  })

  test("a first call costs no list", async () => {
    await using manager = await startManager({ echo: fixtureServer("echo") })
    expect(await manager.callTool("echo", "received", {})).toEqual({})
    await manager.listTools("echo")
    await manager.listTools("echo")
    expect(await manager.callTool("echo", "received", {})).toEqual({ "tools/list": 1 })
  })

  test("concurrent calls that fail to connect fail together, and the next one tries again", async () => {
    await using manager = await startManager({ exits: fixtureServer("exits") })
    const errors = await Promise.all([1, 2, 3].map(() => failureOf(manager.callTool("exits", "x", {}))))
    expect(errors.map(({ code }) => code)).toEqual(["E_SERVER_CONNECT", "E_SERVER_CONNECT", "E_SERVER_CONNECT"])
    expect((await failureOf(manager.listTools("exits"))).code).toBe("E_SERVER_CONNECT")
  })

  test("a slow start is waited for", async () => {
    await using manager = await startManager({ slow: fixtureServer("slow-start", "700") })
    expect(await manager.callTool("slow", "pid", {})).toBeNumber()
  })
})

describe.concurrent("a server that dies", () => {
  test("fails the calls in flight at once, with its cause", async () => {
    await using manager = await startManager({ crash: fixtureServer("crash") }, { callTimeoutMs: 20_000 })
    await manager.callTool("crash", "pid", {})
    const started = performance.now()
    const [hanging, crashing] = await Promise.all([
      failureOf(manager.callTool("crash", "hang", {})),
      failureOf(manager.callTool("crash", "crash", {})),
    ])
    expect(performance.now() - started).toBeLessThan(15_000)
    expect(crashing).toMatchObject({
      name: "ToolError",
      code: "E_SERVER_CLOSED",
      server: "crash",
      tool: "crash",
      message: "Server 'crash' exited with code 3 during the call of 'crash'",
      details: { exitCode: 3, signal: null, stderr: "first line\nthe disk is on fire\n" },
    })
    expect(crashing.hint).toContain("the disk is on fire")
    expect(crashing.cause).toBeInstanceOf(Error)
    expect(hanging).toMatchObject({ code: "E_SERVER_CLOSED", tool: "hang" })
  })

  test("is connected again for the next call", async () => {
    await using manager = await startManager({ crash: fixtureServer("crash") })
    const first = await manager.callTool("crash", "pid", {})
    expect((await failureOf(manager.callTool("crash", "kill", {}))).message).toContain("was ended by SIGKILL")
    expect(manager.listServers()[0]?.connected).toBe(false)
    const second = await manager.callTool("crash", "pid", {})
    expect(second).toBeNumber()
    expect(second).not.toBe(first)
    expect(manager.state).toBe("connected")
  })

  test("while nobody was calling is connected again too", async () => {
    await using manager = await startManager({ crash: fixtureServer("crash") })
    const first = (await manager.callTool("crash", "pid", {})) as number
    process.kill(first, "SIGKILL")
    await eventually(() => manager.listServers()[0]?.connected === false)
    expect(await manager.callTool("crash", "pid", {})).not.toBe(first)
  })
})

describe.concurrent("prespawn", () => {
  test("starts the process that the first call then uses", async () => {
    using directory = temporaryDirectory()
    const starts = `${directory.path}/starts`
    await using manager = await startManager({ echo: fixtureServer("echo", starts) })
    manager.prespawn("echo")
    manager.prespawn("echo")
    await eventually(() => Bun.file(starts).exists())
    expect(manager.state).toBe("initialized")
    const pid = await manager.callTool("echo", "pid", {})
    expect(readFileSync(starts, "utf8").trim()).toBe(String(pid))
    manager.prespawn("echo")
    expect(await manager.callTool("echo", "pid", {})).toBe(pid)
  })

  test("never throws: what fails is told to the first call", async () => {
    await using manager = await startManager(
      {
        exits: fixtureServer("exits"),
        missing: { type: "stdio", command: "no-such-command" },
        unset: { ...fixtureServer("echo"), env: { KEY: placeholder("NOT_SET_ANYWHERE") } },
      },
      { env: { PATH: process.env.PATH } },
    )
    for (const server of ["exits", "missing", "unset", "unknown", "constructor"]) manager.prespawn(server)
    await Bun.sleep(300)
    expect(await failureOf(manager.callTool("exits", "x", {}))).toMatchObject({
      code: "E_SERVER_CONNECT",
      message: "Server 'exits' exited with code 7 before it answered",
    })
    expect((await failureOf(manager.callTool("missing", "x", {}))).code).toBe("E_SERVER_CONNECT")
    expect(await failureOf(manager.callTool("unset", "x", {}))).toMatchObject({
      name: "ToolError",
      code: "E_CONFIG_VARIABLE",
    })
  })

  test("a process that nobody called ends with the manager", async () => {
    using directory = temporaryDirectory()
    const starts = `${directory.path}/starts`
    const manager = await startManager({ echo: fixtureServer("echo", starts) })
    manager.prespawn("echo")
    // The file is there a moment before what is written to it.
    const pid = await eventually(async () =>
      Number(
        await Bun.file(starts)
          .text()
          .catch(() => ""),
      ),
    )
    expect(await isRunning(pid)).toBe(true)
    await manager.close()
    expect(await isRunning(pid)).toBe(false)
  })
})

describe.concurrent("closing", () => {
  test("fails the calls in flight", async () => {
    const manager = await startManager({ hang: fixtureServer("hang") })
    await manager.callTool("hang", "state", {})
    const call = failureOf(manager.callTool("hang", "hang", {}))
    await Bun.sleep(50)
    await manager.close()
    expect(await call).toMatchObject({
      name: "ToolError",
      code: "E_SERVER_CLOSED",
      message: "The connection to server 'hang' was closed during the call of 'hang'",
    })
  })

  test("gives up a connection that is being made", async () => {
    const manager = await startManager({ silent: fixtureServer("silent") })
    const call = failureOf(manager.callTool("silent", "x", {}))
    await Bun.sleep(300)
    const started = performance.now()
    await manager.close()
    // The connection itself would be awaited for thirty seconds.
    expect(performance.now() - started).toBeLessThan(15_000)
    expect(await call).toMatchObject({
      code: "E_SERVER_CLOSED",
      message: "Server 'silent' was closed while it was connecting",
    })
  })
})
