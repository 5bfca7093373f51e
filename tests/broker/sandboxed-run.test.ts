// A run whose script is in a container, as a daemon sees it. No container is needed for that.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "../fixtures/eventually.ts"
import { openWire, startTestDaemon, type TestDaemon, type Wire } from "./daemon-in-process.ts"

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await startTestDaemon({ echo: { type: "builtin", name: "echo" } })
})
afterAll(() => daemon[Symbol.asyncDispose]())

/** Registers a sandboxed run, whose script finds the daemon at an address of its own. */
async function attach(token: string) {
  const place = join(daemon.directory, "run", token.slice(0, 6))
  mkdirSync(place)
  const address = join(place, "b")
  const control = await daemon.attach(token, { address, sandbox: { script: "/project/report.ts" } })
  return { address, control }
}

async function enter(address: string, token: string): Promise<Wire> {
  const script = await openWire(address)
  script.send({ type: "hello", version: 1, token })
  await script.wait("welcome")
  return script
}

/** Resolves when so many runs are attached: those of the test before may be gone a moment later. */
async function untilThereAre(runs: number, sandboxed: number): Promise<void> {
  const status = async () => {
    const wire = await daemon.open()
    wire.send({ type: "status", version: 1 })
    return (await wire.wait("status")).status
  }
  await eventually(status, (found) => found.runs === runs && found.sandboxed === sandboxed)
}

describe("a sandboxed run", () => {
  test("is known as one, in status and in the records of its calls", async () => {
    const token = "sandboxed-0123456789"
    const { address, control } = await attach(token)
    const direct = await daemon.attach("direct-0123456789")
    await untilThereAre(2, 1)
    const scripts = [await enter(address, token), await daemon.hello("direct-0123456789")]
    for (const script of scripts) script.send({ type: "call", id: 1, server: "echo", tool: "echo", args: {} })
    expect((await control.wait("call")).call).toMatchObject({ tool: "echo", ok: true, sandbox: true })
    expect((await direct.wait("call")).call).not.toHaveProperty("sandbox")
    for (const wire of [control, direct]) wire.close()
  })

  test("has its state kept, under its own name alone; a run that is not sandboxed has not", async () => {
    const token = "stateful-0123456789"
    const { address, control } = await attach(token)
    const script = await enter(address, token)
    const ask = async (wire: Wire, id: number, request: object) => {
      wire.send({ type: "state", id, name: "report", ...request })
      return await wire.next()
    }
    expect(await ask(script, 1, { action: "set", key: "a", value: [1] })).toMatchObject({ type: "result", id: 1 })
    expect(await ask(script, 2, { action: "get", key: "a" })).toEqual({ type: "result", id: 2, value: [1] })
    expect(existsSync(join(daemon.directory, "workspace/.state/report"))).toBe(true)
    expect(await ask(script, 3, { action: "list", name: "other" })).toMatchObject({ error: { code: "E_STATE" } })
    const direct = await daemon.attach("stateless-0123456789")
    const other = await daemon.hello("stateless-0123456789")
    expect(await ask(other, 1, { action: "set", key: "a", value: 2 })).toMatchObject({ error: { code: "E_STATE" } })
    for (const wire of [control, direct]) wire.close()
  })

  test("finds nothing at its address but its own broker", async () => {
    const token = "confined-0123456789"
    const { address, control } = await attach(token)
    const other = await daemon.attach("neighbour-0123456789")
    expect(statSync(address).mode & 0o777).toBe(0o666)
    const orders = [
      ...["stop", "retire", "status"].map((type) => ({ type, version: 1 })),
      { type: "attach", version: 1, token: "of-its-own-0123456789", records: false, env: {} },
      { type: "hello", version: 1, token: "neighbour-0123456789" },
      { type: "fill", plan: {}, env: {} },
    ]
    for (const order of orders) {
      const wire = await openWire(address)
      wire.send(order)
      expect(await wire.next()).toMatchObject({ type: "refused" })
    }
    const script = await enter(address, token)
    script.send({ type: "list-servers", id: 1 })
    expect(await script.wait("result")).toMatchObject({ value: [{ name: "echo" }] })
    await untilThereAre(2, 1)
    for (const wire of [control, other]) wire.close()
  })

  test("loses its address when its caller goes", async () => {
    const token = "abandoned-0123456789"
    const { address, control } = await attach(token)
    const script = await enter(address, token)
    control.close()
    expect(await script.next()).toBeUndefined()
    await eventually(() =>
      openWire(address).then(
        () => false,
        () => true,
      ),
    )
  })

  test("is not taken when nobody could reach it: its caller goes without a daemon", async () => {
    const wire = await daemon.open()
    const address = "/nowhere/at/all/b"
    wire.send({ type: "attach", version: 1, token: "nowhere-0123456789", records: false, env: {}, address })
    expect(await wire.next()).toBeUndefined()
    await untilThereAre(0, 0)
  })
})
