import { describe, expect, test } from "bun:test"
import { fixtureServer } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { startTestDaemon } from "./daemon-in-process.ts"

const echo = { echo: fixtureServer("echo") }
const alice = "alice-0123456789-token"
const bob = "bob-0123456789-token"
const call = (id: number, tool: string, args: object = {}) => ({ type: "call", id, server: "echo", tool, args })

describe("a daemon's door", () => {
  test("answers a script that shows the token of a run, and reports its calls to the caller", async () => {
    await using daemon = await startTestDaemon(echo)
    const control = await daemon.attach(alice)
    const script = await daemon.hello(alice)
    script.send(call(1, "echo", { a: 1 }))
    expect(await script.next()).toEqual({ type: "result", id: 1, value: { a: 1 } })
    const report = await control.next()
    expect(report).toMatchObject({ type: "call", call: { server: "echo", tool: "echo", ok: true } })
  })

  test("refuses a token that nobody has registered, and one that was used", async () => {
    await using daemon = await startTestDaemon(echo)
    await daemon.attach(alice)
    await daemon.hello(alice)
    for (const token of [bob, alice]) {
      const wire = await daemon.open()
      wire.send({ type: "hello", version: 1, token })
      expect(await wire.next()).toMatchObject({ type: "refused", error: { code: "E_BROKER" } })
      expect(await wire.next()).toBeUndefined()
    }
  })

  test.each([
    ["no JSON", "hello there"],
    ["no known message", { type: "dance" }],
    ["a run without a token", { type: "attach", version: 1, records: true, env: {} }],
    ["a run with a short token", { type: "attach", version: 1, token: "x", records: true, env: {} }],
    ["another version", { type: "attach", version: 2, token: alice, records: true, env: {} }],
    ["a token that is taken", { type: "attach", version: 1, token: bob, records: true, env: {} }],
  ])("refuses %s, and goes on", async (_, message) => {
    await using daemon = await startTestDaemon(echo)
    await daemon.attach(bob)
    const wire = await daemon.open()
    wire.send(message)
    expect(await wire.next()).toMatchObject({ type: "refused" })
    expect(await wire.next()).toBeUndefined()
    const script = await daemon.hello(bob)
    script.send(call(1, "pid"))
    expect((await script.next()).type).toBe("result")
  })

  test("keeps runs apart: the same ids, and nobody cancels another's call", async () => {
    await using daemon = await startTestDaemon(echo)
    const [ofAlice, ofBob] = [await daemon.attach(alice), await daemon.attach(bob)]
    const [one, other] = [await daemon.hello(alice), await daemon.hello(bob)]
    one.send(call(7, "wait", { ms: 300 }))
    other.send(call(7, "echo", { mine: true }))
    expect(await other.next()).toEqual({ type: "result", id: 7, value: { mine: true } })
    other.send({ type: "cancel", id: 7 })
    other.close()
    ofBob.close()
    expect(await one.next()).toEqual({ type: "result", id: 7, value: "waited" })
    expect(await ofAlice.next()).toMatchObject({ type: "call", call: { tool: "wait", ok: true } })
  })

  test("cancels a run's calls and forgets its token when the caller goes", async () => {
    await using daemon = await startTestDaemon(echo)
    const control = await daemon.attach(alice)
    const script = await daemon.hello(alice)
    const statusOf = async () => {
      const wire = await daemon.open()
      wire.send({ type: "status", version: 1 })
      return (await wire.next()).status
    }
    script.send(call(1, "wait", { ms: 60_000 }))
    await eventually(statusOf, ({ servers }) => servers[0]?.connected && servers[0].calls === 1)
    control.close()
    expect(await script.next()).toBeUndefined()
    const again = await daemon.open()
    again.send({ type: "hello", version: 1, token: alice })
    expect((await again.next()).type).toBe("refused")
    const after = await eventually(statusOf, ({ servers }) => servers[0]?.calls === 0)
    expect(after).toMatchObject({ runs: 0, servers: [{ name: "echo", calls: 0, runs: 0 }] })
  })

  test("lets a run use only the servers that its caller allows", async () => {
    await using daemon = await startTestDaemon({ ...echo, other: fixtureServer("echo") })
    await daemon.attach(alice, { servers: ["other"] })
    const script = await daemon.hello(alice)
    script.send(call(1, "pid"))
    expect(await script.next()).toMatchObject({ type: "error", error: { code: "E_TOOL_DENIED" } })
    script.send({ type: "list-servers", id: 2 })
    expect((await script.next()).value.map(({ name }: { name: string }) => name)).toEqual(["other"])
  })

  test("reports the last words of a script that has ended before it says that the run is over", async () => {
    await using daemon = await startTestDaemon(echo)
    const control = await daemon.attach(alice)
    const script = await daemon.hello(alice)
    control.send({ type: "finish" })
    script.send({ type: "failed", code: "E_SCRIPT_FAILED", message: "broken" })
    script.close()
    expect(await control.next()).toMatchObject({ type: "failed", failure: { message: "broken" } })
    expect(await control.next()).toEqual({ type: "finished" })
  })

  test("asks the caller where files are kept, and says no when it does", async () => {
    await using daemon = await startTestDaemon(echo)
    const control = await daemon.attach(alice)
    const script = await daemon.hello(alice)
    script.send({ type: "keep", id: 1, name: "a.txt", data: btoa("hi") })
    const { id, name, data } = await control.wait("keep")
    expect({ name, data }).toEqual({ name: "a.txt", data: btoa("hi") })
    control.send({ type: "kept", id, path: "/there/a.txt" })
    expect(await script.next()).toEqual({ type: "result", id: 1, value: "/there/a.txt" })
    script.send({ type: "keep", id: 2, name: "..", data: "" })
    const second = await control.wait("keep")
    control.send({ type: "kept", id: second.id, error: { code: "E_TOOL_ARGUMENTS", message: "not there" } })
    expect(await script.next()).toMatchObject({
      type: "error",
      error: { code: "E_TOOL_ARGUMENTS", message: "not there" },
    })
  })

  test("puts a server's question to the caller whose call it is", async () => {
    await using daemon = await startTestDaemon({ asks: fixtureServer("asks") })
    const control = await daemon.attach(alice)
    const script = await daemon.hello(alice)
    const params = { message: "Sure?", requestedSchema: { type: "object", properties: {} } }
    const args = { method: "elicitation/create", params }
    script.send({ type: "call", id: 1, server: "asks", tool: "ask", args })
    const { id, request } = await control.wait("elicit")
    expect(request).toMatchObject({ server: "asks", message: "Sure?" })
    control.send({ type: "elicited", id, answer: { action: "decline" } })
    expect(JSON.stringify(await script.next())).toContain("decline")
  })

  test("puts a question to nobody when it may be of several, and tells them all", async () => {
    await using daemon = await startTestDaemon({ asks: fixtureServer("asks") })
    const [ofAlice, ofBob] = [await daemon.attach(alice), await daemon.attach(bob)]
    const [one, other] = [await daemon.hello(alice), await daemon.hello(bob)]
    const params = { message: "Sure?", requestedSchema: { type: "object", properties: {} } }
    const question = {
      type: "call",
      id: 1,
      server: "asks",
      tool: "ask",
      args: { method: "elicitation/create", params },
    }
    one.send(question)
    const { id } = await ofAlice.wait("elicit")
    other.send(question)
    for (const control of [ofAlice, ofBob]) {
      expect(await control.next()).toMatchObject({
        type: "log",
        level: "warning",
        message: expect.stringContaining("several runs use it"),
      })
    }
    expect(JSON.stringify(await other.next())).toContain("decline")
    ofAlice.send({ type: "elicited", id, answer: { action: "accept", content: {} } })
    expect(JSON.stringify(await one.next())).toContain("accept")
  })

  test("passes on what a server logs to the run whose call it is, and to no other", async () => {
    await using daemon = await startTestDaemon({ talkative: fixtureServer("talkative") })
    const [ofAlice, ofBob] = [await daemon.attach(alice), await daemon.attach(bob)]
    const [one, other] = [await daemon.hello(alice), await daemon.hello(bob)]
    const heard = async (script: typeof one, control: typeof ofAlice, id: number) => {
      script.send({ type: "call", id, server: "talkative", tool: "work", args: {} })
      const types: string[] = []
      while (types.at(-1) !== "call") {
        const { type, level } = await control.next()
        if (level !== "debug") types.push(type)
      }
      return types
    }
    expect(await heard(other, ofBob, 1)).toEqual(["log", "log", "call"])
    expect(await heard(one, ofAlice, 1)).toEqual(["log", "log", "call"])
    expect(await heard(other, ofBob, 2)).toEqual(["log", "log", "call"])
  })

  test("takes a question back when the server that asked is gone", async () => {
    await using daemon = await startTestDaemon({ asks: fixtureServer("asks") })
    const control = await daemon.attach(alice)
    const script = await daemon.hello(alice)
    script.send({ type: "call", id: 1, server: "asks", tool: "pid", args: {} })
    const { value } = await script.wait("result")
    const params = { message: "Sure?", requestedSchema: { type: "object", properties: {} } }
    const args = { method: "elicitation/create", params }
    script.send({ type: "call", id: 2, server: "asks", tool: "ask", args })
    const { id } = await control.wait("elicit")
    process.kill(Number(value), "SIGKILL")
    expect(await control.wait("withdrawn")).toEqual({ type: "withdrawn", id })
    expect(await script.next()).toMatchObject({ type: "error", id: 2, error: { code: "E_SERVER_CLOSED" } })
    // An answer that was on its way is too late, and no harm.
    control.send({ type: "elicited", id, answer: { action: "accept" } })
    script.send({ type: "call", id: 3, server: "asks", tool: "pid", args: {} })
    expect((await script.next()).type).toBe("result")
  })
})
