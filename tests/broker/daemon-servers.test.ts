import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DaemonServers, defaultIdleTimeoutMs, type ServerUser } from "../../src/broker/daemon-servers.ts"
import { ClientManager } from "../../src/mcp/manager.ts"
import { fixtureServer, makeConfig, placeholder, type ServerInput } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { failureOf, isRunning, temporaryDirectory } from "../mcp/manager-fixture.ts"

setDefaultTimeout(120_000)

const echo = fixtureServer("echo")
const keyed = { ...echo, env: { KEY: placeholder("SECRET") } }

/** A daemon's servers, and runs that use them. */
async function startServers(entries: Record<string, ServerInput>, options: { idleTimeoutMs?: number } = {}) {
  const config = makeConfig({ servers: entries })
  const log: string[] = []
  const createManager: ConstructorParameters<typeof DaemonServers>[0]["createManager"] = (given) =>
    new ClientManager({ ...given, loadConfig: async () => config })
  const names = createManager({})
  await names.initialize()
  const servers = new DaemonServers({ config, createManager, log: (line) => void log.push(line), ...options }, names)
  return {
    servers,
    log,
    /** A run with this environment. */
    run(env: Record<string, string> = {}) {
      const user: ServerUser = {
        env: { PATH: process.env.PATH ?? "", HOME: "/home/ada", ...env },
        log() {},
        elicit: async () => ({ action: "decline" }),
      }
      const view = servers.viewFor(user)
      return {
        user,
        call: (tool: string, args = {}, server = "one") => view.callTool(server, tool, args, {}) as Promise<unknown>,
        pid: (server = "one") => view.callTool(server, "pid", {}, {}) as Promise<number>,
        end: () => servers.release(user),
      }
    },
    [Symbol.asyncDispose]: () => servers.close(),
  }
}

const isGone = (pid: number) => eventually(async () => !(await isRunning(pid)))

describe.concurrent("runs share a server", () => {
  test("when they bring the same, whatever else differs in their environments", async () => {
    await using it = await startServers({ one: keyed })
    const first = await it.run({ SECRET: "a", LANG: "C", TERM: "xterm", OTHER: "1" }).pid()
    expect(await it.run({ SECRET: "a", LANG: "de_DE.UTF-8", OTHER: "2" }).pid()).toBe(first)
  })

  test("one after the other, with its state", async () => {
    await using it = await startServers({ one: echo })
    const [first, second] = [it.run(), it.run()]
    const pid = await first.pid()
    first.end()
    await Bun.sleep(100)
    expect(await second.pid()).toBe(pid)
  })

  test("which has the environment of the one who came first", async () => {
    await using it = await startServers({ one: echo })
    await it.run({ LANG: "C", TZ: "UTC" }).pid()
    const { env } = (await it.run({ LANG: "de_DE.UTF-8" }).call("environment")) as { env: Record<string, string> }
    expect(env).toMatchObject({ LANG: "C", TZ: "UTC", HOME: "/home/ada" })
  })
})

describe.concurrent("a run gets another server", () => {
  test("for another value of a variable, and no call of the other run is lost", async () => {
    await using it = await startServers({ one: keyed })
    const [alice, bob] = [it.run({ SECRET: "a" }), it.run({ SECRET: "b" })]
    const before = await alice.pid()
    const waiting = alice.call("wait", { ms: 600 })
    const { env } = (await bob.call("environment")) as { env: Record<string, string> }
    expect(env.KEY).toBe("b")
    expect(await waiting).toBe("waited")
    // Also what alice asks for later is answered by the server that she began with.
    expect(await alice.pid()).toBe(before)
    alice.end()
    await isGone(before)
    expect(await bob.call("echo", { still: 1 })).toEqual({ still: 1 })
    expect(it.log).toContain("one: closed, its run is over")
  })

  test("at once where nobody uses the other one any more, which is gone by then", async () => {
    await using it = await startServers({ one: keyed })
    const [alice, bob] = [it.run({ SECRET: "a" }), it.run({ SECRET: "b" })]
    const before = await alice.pid()
    alice.end()
    const after = await bob.pid()
    expect(after).not.toBe(before)
    expect(await isRunning(before)).toBe(false)
    expect(it.log).toContain("one: closed, a run has another environment for it")
  })

  test("for another home", async () => {
    await using it = await startServers({ one: echo })
    const first = await it.run().pid()
    expect(await it.run({ HOME: "/home/bob" }).pid()).not.toBe(first)
  })

  test("for a PATH that leads to another program, and not for one that leads to the same", async () => {
    using folder = temporaryDirectory()
    for (const name of ["a", "b"]) {
      mkdirSync(join(folder.path, name))
      writeFileSync(join(folder.path, name, "my-server"), `#!/bin/sh\nexec '${echo.command}' '${echo.args?.[0]}'\n`)
      chmodSync(join(folder.path, name, "my-server"), 0o755)
    }
    mkdirSync(join(folder.path, "empty"))
    symlinkSync("/nowhere", join(folder.path, "empty/my-server"))
    const path = (...names: string[]) => ({ PATH: names.map((name) => join(folder.path, name)).join(":") })
    await using it = await startServers({ one: { type: "stdio", command: "my-server" } })
    const first = await it.run(path("a", "b")).pid()
    expect(await it.run(path("empty", "a")).pid()).toBe(first)
    expect(await it.run(path("b", "a")).pid()).not.toBe(first)
  })

  test("each time, and for itself alone, when it is not to be kept", async () => {
    await using it = await startServers({ one: { ...echo, keepAlive: false } })
    const [alice, bob] = [it.run(), it.run()]
    const [ofAlice, ofBob] = [await alice.pid(), await bob.pid()]
    expect(ofAlice).not.toBe(ofBob)
    expect(await alice.pid()).toBe(ofAlice)
    alice.end()
    await isGone(ofAlice)
    expect(await bob.pid()).toBe(ofBob)
    bob.end()
    await isGone(ofBob)
    expect(it.servers.status()).toEqual([])
  })
})

describe.concurrent("a server that nobody uses", () => {
  test("is closed after its own time, or else after the daemon's", async () => {
    await using it = await startServers({ one: { ...echo, idleTimeout: 100 }, two: echo }, { idleTimeoutMs: 5000 })
    const run = it.run()
    const [one, two] = [await run.pid("one"), await run.pid("two")]
    run.end()
    await isGone(one)
    expect(await isRunning(two)).toBe(true)
    await isGone(two)
    expect(it.log).toEqual(["one: closed, nobody has used it for 0.1 s", "two: closed, nobody has used it for 5 s"])
  })

  test("stays while the run goes on that has used it, however long that pauses", async () => {
    await using it = await startServers({ one: { ...echo, idleTimeout: 50 } })
    const run = it.run()
    const pid = await run.pid()
    await Bun.sleep(400)
    expect(await run.pid()).toBe(pid)
    run.end()
    await isGone(pid)
  })

  test("stays when somebody comes in time, and the time begins anew", async () => {
    await using it = await startServers({ one: { ...echo, idleTimeout: 6000 } })
    const first = it.run()
    const pid = await first.pid()
    first.end()
    for (let times = 0; times < 3; times++) {
      await Bun.sleep(2200)
      const next = it.run()
      expect(await next.pid()).toBe(pid)
      next.end()
    }
  })
})

describe.concurrent("servers that are connected ahead", () => {
  test("are there when they are first asked for", async () => {
    await using it = await startServers({ one: echo, two: echo })
    const run = it.run()
    await it.servers.warm(["one"], run.user)
    expect(it.servers.status()).toMatchObject([{ name: "one", connected: true, runs: 1 }])
    run.end()
    expect(it.servers.status()).toMatchObject([{ name: "one", connected: true, runs: 0 }])
  })

  test("are told of in the log when they fail, and fail alone", async () => {
    const broken = { type: "stdio" as const, command: "/no/such/program" }
    await using it = await startServers({ one: echo, broken, off: { ...echo, disabled: true } })
    await it.servers.warm(["broken", "off", "one"], it.run().user)
    expect(it.servers.status()).toContainEqual(expect.objectContaining({ name: "one", connected: true }))
    expect(it.log.filter((line) => line.includes("not connected ahead")).sort()).toEqual([
      "broken: not connected ahead: The command of server 'broken' was not found: /no/such/program",
      "off: not connected ahead: Server 'off' is disabled in the configuration",
    ])
  })
})

test("a server that says nothing about it is kept for five minutes", () => {
  expect(defaultIdleTimeoutMs).toBe(300_000)
})

test("a run that is over starts nothing any more", async () => {
  await using it = await startServers({ one: echo })
  const run = it.run()
  run.end()
  expect(await failureOf(run.pid())).toMatchObject({ code: "E_TOOL_CANCELLED" })
  expect(it.servers.status()).toEqual([])
})
