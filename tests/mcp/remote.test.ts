import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { placeholder } from "../fixtures/config.ts"
import { failureOf, startManager } from "./manager-fixture.ts"
import { freePort, type RemoteServer, serveHttp, startEverything } from "./remote-fixture.ts"

setDefaultTimeout(120_000)

let shared: RemoteServer
beforeAll(async () => {
  shared = await startEverything("sse")
})
afterAll(() => shared[Symbol.asyncDispose]())

describe.concurrent("streamable HTTP", () => {
  test("lists and calls the tools of a real server", async () => {
    await using server = await startEverything("streamableHttp")
    await using manager = await startManager({ all: { type: "http", url: server.url } })
    expect(await manager.callTool("all", "echo", { message: "hi" })).toBe("Echo: hi")
    expect((await manager.listTools("all")).map(({ name }) => name)).toContain("get-sum")
    expect(await manager.describeServer("all")).toMatchObject({ name: "all", protocolVersion: "2025-11-25" })
    expect((await failureOf(manager.callTool("all", "ecko", {}))).code).toBe("E_TOOL_UNKNOWN")
    const progress: number[] = []
    const onProgress = (seen: { progress: number }) => void progress.push(seen.progress)
    await manager.callTool("all", "trigger-long-running-operation", { duration: 0.5, steps: 3 }, { onProgress })
    expect(progress).toEqual([1, 2, 3])
  })

  test("a server that dies fails the call in flight, and the next one connects again", async () => {
    const port = freePort()
    const first = await startEverything("streamableHttp", port)
    await using manager = await startManager({ all: { type: "http", url: first.url } })
    const call = failureOf(manager.callTool("all", "trigger-long-running-operation", { duration: 30, steps: 2 }))
    await manager.callTool("all", "echo", { message: "1" })
    const started = performance.now()
    await first[Symbol.asyncDispose]()
    await using _second = await startEverything("streamableHttp", port)
    expect(await call).toMatchObject({ name: "ToolError", code: "E_SERVER_CLOSED" })
    expect(performance.now() - started).toBeLessThan(25_000)
    expect(await manager.callTool("all", "echo", { message: "2" })).toBe("Echo: 2")
  })

  test("a call in flight need not wait long where nobody listens any more", async () => {
    const server = await startEverything("streamableHttp")
    await using manager = await startManager({ all: { type: "http", url: server.url } })
    await manager.callTool("all", "echo", { message: "1" })
    const call = failureOf(manager.callTool("all", "trigger-long-running-operation", { duration: 30, steps: 2 }))
    await Bun.sleep(500)
    await server[Symbol.asyncDispose]()
    const started = performance.now()
    expect(await call).toMatchObject({ name: "ToolError", code: "E_SERVER_CLOSED" })
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test("a stream that breaks off is taken up again where it was", async () => {
    const event = (id: string, data: string) =>
      new Response(`id: ${id}\ndata: ${data}\n\n`, { headers: { "content-type": "text/event-stream" } })
    const resumed: (string | null)[] = []
    let call = 0
    using server = serveHttp(async (request) => {
      if (request.method === "GET") {
        const last = request.headers.get("last-event-id")
        if (last === null) return new Response(null, { status: 405 })
        resumed.push(last)
        const result = { content: [{ type: "text", text: "late" }] }
        return event("2", JSON.stringify({ jsonrpc: "2.0", id: call, result }))
      }
      const { id, method } = (await request.json()) as { id?: number; method: string }
      if (method === "server/discover") return new Response(null, { status: 400 })
      if (id === undefined) return new Response(null, { status: 202 })
      if (method !== "initialize") {
        call = id
        return event("1", "")
      }
      const serverInfo = { name: "resumes", version: "1" }
      const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo }
      return Response.json({ jsonrpc: "2.0", id, result })
    })
    await using manager = await startManager({ one: { type: "http", url: server.url } })
    expect(await manager.callTool("one", "x", {})).toBe("late")
    expect(resumed).toEqual(["1"])
  })

  test("a session that the server has forgotten is begun anew for the next call", async () => {
    const port = freePort()
    const first = await startEverything("streamableHttp", port)
    await using manager = await startManager({ all: { type: "http", url: first.url } })
    await manager.callTool("all", "echo", { message: "1" })
    await first[Symbol.asyncDispose]()
    await using _second = await startEverything("streamableHttp", port)
    expect(["E_SERVER_CLOSED", "E_SERVER_PROTOCOL"]).toContain(
      (await failureOf(manager.callTool("all", "echo", { message: "2" }))).code,
    )
    expect(await manager.callTool("all", "echo", { message: "3" })).toBe("Echo: 3")
  })

  test("headers are sent, with variables filled in", async () => {
    const seen: (string | null)[] = []
    using server = serveHttp((request) => {
      seen.push(request.headers.get("authorization"))
      return new Response("no", { status: 401 })
    })
    await using manager = await startManager(
      { remote: { type: "http", url: server.url, headers: { Authorization: `Bearer ${placeholder("TOKEN")}` } } },
      { env: { TOKEN: "s3cret" } },
    )
    const error = await failureOf(manager.callTool("remote", "x", {}))
    expect(seen[0]).toBe("Bearer s3cret")
    expect(error).toMatchObject({ name: "ToolError", code: "E_SERVER_AUTH", details: { status: 401 } })
    expect(error.hint).toContain("`headers`")
    expect(JSON.stringify([error.message, error.hint, error.details])).not.toContain("s3cret")
  })
})

describe.concurrent("SSE", () => {
  for (const type of ["sse", "http"] as const) {
    test(`a real server is listed and called as type ${type}`, async () => {
      await using manager = await startManager({ all: { type, url: shared.url } })
      expect(await manager.callTool("all", "get-sum", { a: 2, b: 3 })).toBe("The sum of 2 and 3 is 5.")
      expect(await manager.listTools("all")).not.toBeEmpty()
    })
  }

  test("a call in flight fails at once when the server dies, and the next one connects again", async () => {
    const port = freePort()
    const first = await startEverything("sse", port)
    await using manager = await startManager({ all: { type: "sse", url: first.url } })
    await manager.callTool("all", "echo", { message: "1" })
    const call = failureOf(manager.callTool("all", "trigger-long-running-operation", { duration: 30, steps: 2 }))
    await Bun.sleep(300)
    const started = performance.now()
    await first[Symbol.asyncDispose]()
    expect(await call).toMatchObject({ name: "ToolError", code: "E_SERVER_CLOSED" })
    expect(performance.now() - started).toBeLessThan(20_000)
    await using _second = await startEverything("sse", port)
    expect(await manager.callTool("all", "echo", { message: "2" })).toBe("Echo: 2")
  })
})
