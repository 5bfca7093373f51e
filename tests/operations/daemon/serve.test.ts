import { describe, expect, test } from "bun:test"
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { daemonAddress } from "../../../src/broker/daemon-address.ts"
import { defaultLimits } from "../../../src/operations/daemon/serve.ts"
import { startTestDaemon, type TestDaemon } from "../../broker/daemon-in-process.ts"
import { fixtureServer } from "../../fixtures/config.ts"
import { eventually } from "../../fixtures/eventually.ts"
import { waitForEnd } from "../../fixtures/project.ts"

const token = "0123456789-token-of-a-run"

async function pidOf(daemon: TestDaemon): Promise<number> {
  const control = await daemon.attach(token)
  const script = await daemon.hello(token)
  script.send({ type: "call", id: 1, server: "echo", tool: "pid", args: {} })
  const { value } = await script.wait("result")
  script.close()
  control.send({ type: "finish" })
  await control.wait("finished")
  return value
}

describe("a daemon ends by itself", () => {
  test("when nobody has used it for a while, with everything it has started", async () => {
    await using daemon = await startTestDaemon({ echo: fixtureServer("echo") }, { idleExitMs: 2000 })
    const pid = await pidOf(daemon)
    await daemon.ended
    await waitForEnd(pid)
    expect(existsSync(daemon.address)).toBe(false)
    expect(await daemon.log()).toContain("ends: nobody uses it")
  })

  test("but not before the time is over that one of its servers is to be kept", async () => {
    await using daemon = await startTestDaemon(
      { echo: { ...fixtureServer("echo"), idleTimeout: 4000 } },
      { idleExitMs: 50 },
    )
    const pid = await pidOf(daemon)
    await Bun.sleep(500)
    expect(await pidOf(daemon)).toBe(pid)
    await daemon.ended
    await waitForEnd(pid)
  })

  test("but not while a run is attached", async () => {
    await using daemon = await startTestDaemon({ echo: fixtureServer("echo") }, { idleExitMs: 1000 })
    const control = await daemon.attach(token)
    await Bun.sleep(2500)
    expect(control.isClosed()).toBe(false)
    control.close()
    await daemon.ended
  })

  test.each([
    ["its configuration changes", ({ file }: TestDaemon) => writeFileSync(file, '{"mcpServers": {}, "daemon": true}')],
    ["its socket is removed", ({ address }: TestDaemon) => rmSync(address)],
    ["its folder is removed", ({ directory }: TestDaemon) => rmSync(`${directory}/run`, { recursive: true })],
  ])("when %s, after its last run", async (_, change) => {
    await using daemon = await startTestDaemon({ echo: fixtureServer("echo") }, { checkEveryMs: 20 })
    const control = await daemon.attach(token)
    const script = await daemon.hello(token)
    change(daemon)
    await eventually(() => !existsSync(daemon.address))
    await eventually(async () => (await daemon.log()).includes("retires: "))
    script.send({ type: "call", id: 1, server: "echo", tool: "echo", args: { still: "here" } })
    expect(await script.next()).toMatchObject({ value: { still: "here" } })
    control.close()
    await daemon.ended
  })

  test("when it is told to stop, also during a call, which fails", async () => {
    await using daemon = await startTestDaemon({ echo: fixtureServer("echo") })
    await daemon.attach(token)
    const script = await daemon.hello(token)
    script.send({ type: "call", id: 1, server: "echo", tool: "wait", args: { ms: 60_000 } })
    await eventually(async () => {
      const asking = await daemon.open()
      asking.send({ type: "status", version: 1 })
      const [server] = (await asking.wait("status")).status.servers
      return server?.connected && server.calls === 1
    })
    const wire = await daemon.open()
    wire.send({ type: "stop", version: 1 })
    expect(await script.next()).toMatchObject({ type: "error", id: 1, error: { code: "E_SERVER_CLOSED" } })
    await daemon.ended
  })
})

test("a second daemon at the same address finds that it is not needed, and leaves the first alone", async () => {
  await using daemon = await startTestDaemon({ echo: fixtureServer("echo") })
  const { serveDaemon } = await import("../../../src/operations/daemon/serve.ts")
  const { file, address, directory } = daemon
  const env = { PATH: process.env.PATH, HOME: directory, MCP_EXEC_CACHE_DIR: `${directory}/cache` }
  await serveDaemon({ file, address, warm: [], env, signal: new AbortController().signal })
  expect(await daemon.log()).toContain("not needed")
  expect(await pidOf(daemon)).toBeGreaterThan(0)
})

test("a server that nobody uses is closed after its own time, and comes back when it is needed", async () => {
  await using daemon = await startTestDaemon({ echo: { ...fixtureServer("echo"), idleTimeout: 150 } })
  const first = await pidOf(daemon)
  await waitForEnd(first)
  expect(await pidOf(daemon)).not.toBe(first)
})

test("a daemon closes its folder to others before it listens there", async () => {
  await using daemon = await startTestDaemon({ echo: fixtureServer("echo") })
  const { serveDaemon } = await import("../../../src/operations/daemon/serve.ts")
  const { file, directory } = daemon
  const open = `${directory}/open`
  mkdirSync(open)
  chmodSync(open, 0o777)
  const env = { PATH: process.env.PATH, HOME: directory, MCP_EXEC_CACHE_DIR: `${directory}/cache` }
  const ending = new AbortController()
  const address = await daemonAddress(open, file, env)
  const ended = serveDaemon({ file, address, warm: [], env, signal: ending.signal })
  while (!existsSync(address)) await Bun.sleep(10)
  expect(statSync(open).mode & 0o777).toBe(0o700)
  ending.abort()
  await ended
})

test("a daemon that nobody uses ends after a quarter of an hour", () => {
  expect(defaultLimits.idleExitMs).toBe(900_000)
})
