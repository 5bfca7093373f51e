import { describe, expect, test } from "bun:test"
import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client"
import { DirectTransport } from "../../src/mcp/direct-transport.ts"
import { Cancellation } from "../../src/platform/cancellation.ts"
import { TimeLimits } from "../../src/platform/time-limits.ts"
import { eventually } from "../fixtures/eventually.ts"
import { failureOf } from "./manager-fixture.ts"
import { Pipe, type Sent } from "./pipe-fixture.ts"

function connect() {
  const pipe = new Pipe()
  const direct = new DirectTransport(pipe)
  const passedOn: Sent[] = []
  direct.onmessage = (message) => void passedOn.push(message)
  const limits = new TimeLimits()
  const request = (
    method: string,
    params = {},
    options: { timeoutMs?: number; signal?: Cancellation | AbortSignal } = {},
  ) => direct.request(method, params, { timeoutMs: 10_000, limits, ...options })
  return { pipe, direct, passedOn, limits, request }
}

describe("a request past the SDK", () => {
  test("is answered with the result as it came, whatever the order of the answers", async () => {
    const { pipe, request } = connect()
    const calls = [request("tools/call", { name: "a" }), request("tools/call", { name: "b" })]
    const [a, b] = pipe.sent
    expect([a, b]).toEqual([
      { jsonrpc: "2.0", id: expect.any(Number), method: "tools/call", params: { name: "a" } },
      { jsonrpc: "2.0", id: expect.any(Number), method: "tools/call", params: { name: "b" } },
    ])
    pipe.say({ id: b.id, result: { content: 2, odd: null } })
    pipe.say({ id: a.id, result: { content: 1 } })
    expect(await Promise.all(calls)).toEqual([{ content: 1 }, { content: 2, odd: null }])
  })

  test("has a number that the SDK, which counts from 0, will not come to", async () => {
    const { pipe, request } = connect()
    const call = request("tools/call")
    const [{ id }] = pipe.sent
    expect(id).toBeGreaterThanOrEqual(1_000_000)
    pipe.say({ id, result: {} })
    await call
  })

  test("is answered also by a server that makes a text of its number", async () => {
    const { pipe, request } = connect()
    const call = request("tools/call")
    pipe.say({ id: String(pipe.sent[0].id), result: { content: [] } })
    expect(await call).toEqual({ content: [] })
  })

  test("has no type of result, which only a later revision knows", async () => {
    const { pipe, request } = connect()
    const call = request("tools/call")
    pipe.say({ id: pipe.sent[0].id, result: { resultType: "complete", content: [] } })
    expect(await call).toEqual({ content: [] })
  })

  test("fails with the error that the server answers", async () => {
    const { pipe, request } = connect()
    const call = failureOf(request("tools/call"))
    pipe.say({ id: pipe.sent[0].id, error: { code: -32602, message: "no such tool", data: { a: 1 } } })
    expect(await call).toBeInstanceOf(ProtocolError)
    expect(await call).toMatchObject({ code: -32602, message: "no such tool", data: { a: 1 } })
  })

  test("fails when it cannot be sent, and an answer to it is nobody's", async () => {
    const { pipe, passedOn, request } = connect()
    pipe.broken = new Error("no pipe")
    expect(await failureOf(request("tools/call"))).toBe(pipe.broken)
    pipe.say({ id: 1_000_000, result: {} })
    expect(passedOn).toHaveLength(1)
  })

  test("leaves everything else to the SDK", async () => {
    const { pipe, direct, passedOn, request } = connect()
    const call = request("tools/call")
    const others = [
      { id: 0, result: { protocolVersion: "2025-11-25" } },
      { id: "server-1", method: "roots/list" },
      { id: pipe.sent[0].id, method: "ping" },
      { method: "notifications/progress", params: {} },
    ]
    for (const other of others) pipe.say(other)
    expect(passedOn).toEqual(others.map((other) => ({ jsonrpc: "2.0", ...other })))
    await direct.send({ jsonrpc: "2.0", id: 0, method: "initialize" })
    expect(pipe.sent[1]).toEqual({ jsonrpc: "2.0", id: 0, method: "initialize" })
    pipe.say({ id: pipe.sent[0].id, result: {} })
    await call
  })
})

describe("a request that nobody waits for any more", () => {
  const isTimeout = { code: SdkErrorCode.RequestTimeout }

  test("is cancelled when its time is up, and a late answer is the SDK's to report", async () => {
    const { pipe, passedOn, request } = connect()
    const failure = await failureOf(request("tools/call", {}, { timeoutMs: 5 }))
    expect(failure).toBeInstanceOf(SdkError)
    expect(failure).toMatchObject(isTimeout)
    const [{ id }, cancelled] = pipe.sent
    expect(cancelled).toMatchObject({ method: "notifications/cancelled", params: { requestId: id } })
    pipe.say({ id, result: {} })
    expect(passedOn).toHaveLength(1)
  })

  test("has time while the user is being asked something", async () => {
    const { pipe, limits, request } = connect()
    const call = request("tools/call", {}, { timeoutMs: 30 })
    await limits.hold(() => Bun.sleep(80))
    pipe.say({ id: pipe.sent[0].id, result: { done: true } })
    expect(await call).toEqual({ done: true })
  })

  const controllers = { "our own signal": () => new Cancellation(), "an AbortSignal": () => new AbortController() }
  for (const [name, create] of Object.entries(controllers)) {
    const signalOf = (made: Cancellation | AbortController) => (made instanceof Cancellation ? made : made.signal)

    test(`is cancelled by ${name}, once`, async () => {
      const { pipe, request } = connect()
      const controller = create()
      const call = failureOf(request("tools/call", {}, { signal: signalOf(controller) }))
      controller.abort()
      controller.abort()
      expect(await call).toMatchObject(isTimeout)
      const [{ id }, ...cancelled] = pipe.sent
      const reason = "AbortError: The operation was aborted."
      const params = { requestId: id, reason }
      expect(cancelled).toEqual([{ jsonrpc: "2.0", method: "notifications/cancelled", params }])
    })

    test(`is not sent when ${name} has fired before`, async () => {
      const { pipe, request } = connect()
      const controller = create()
      controller.abort()
      expect(await failureOf(request("tools/call", {}, { signal: signalOf(controller) }))).toMatchObject(isTimeout)
      expect(pipe.sent).toEqual([])
    })

    test(`is over when it is answered: ${name} cancels nothing then`, async () => {
      const { pipe, request } = connect()
      const controller = create()
      const call = request("tools/call", {}, { signal: signalOf(controller), timeoutMs: 20 })
      pipe.say({ id: pipe.sent[0].id, result: {} })
      await call
      controller.abort()
      await Bun.sleep(40)
      expect(pipe.sent).toHaveLength(1)
    })
  }

  test("that the server cannot be told of is only reported", async () => {
    const { pipe, direct, request } = connect()
    const reported: Error[] = []
    direct.onerror = (error) => void reported.push(error)
    const call = failureOf(request("tools/call", {}, { timeoutMs: 5 }))
    pipe.broken = new Error("no pipe")
    expect(await call).toMatchObject(isTimeout)
    await eventually(() => reported.length === 1)
    expect(reported[0]?.message).toContain("no pipe")
  })
})

describe("a connection that is lost", () => {
  test("fails what is under way, after it has been told of", async () => {
    const { pipe, direct, request } = connect()
    const events: string[] = []
    direct.onclose = () => void events.push("closed")
    const calls = [request("a"), request("b")].map(async (call) => {
      const failure = await failureOf(call)
      events.push("failed")
      return failure
    })
    await pipe.close()
    const lost = { code: SdkErrorCode.ConnectionClosed }
    expect(await Promise.all(calls)).toMatchObject([lost, lost])
    expect(events).toEqual(["closed", "failed", "failed"])
  })

  test("takes no further request", async () => {
    const { pipe, request } = connect()
    await pipe.close()
    expect((await failureOf(request("tools/call"))).message).toBe("Not connected")
    expect(pipe.sent).toEqual([])
  })
})
