import { describe, expect, test } from "bun:test"
import { placeholder } from "../fixtures/config.ts"
import { failureOf, startManager } from "./manager-fixture.ts"
import { freePort, serveHttp, startEverything } from "./remote-fixture.ts"

describe("streamable HTTP", () => {
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

  test("a call in flight fails at once when the server dies, and the next one connects again", async () => {
    const port = freePort()
    const first = await startEverything("streamableHttp", port)
    await using manager = await startManager({ all: { type: "http", url: first.url } })
    await manager.callTool("all", "echo", { message: "1" })
    const call = failureOf(manager.callTool("all", "trigger-long-running-operation", { duration: 30, steps: 2 }))
    await Bun.sleep(300)
    const started = performance.now()
    await first[Symbol.asyncDispose]()
    expect(await call).toMatchObject({ name: "ToolError", code: "E_SERVER_CLOSED" })
    expect(performance.now() - started).toBeLessThan(8000)
    await using second = await startEverything("streamableHttp", port)
    expect(second.url).toBe(first.url)
    expect(await manager.callTool("all", "echo", { message: "2" })).toBe("Echo: 2")
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

describe("SSE", () => {
  test("lists and calls the tools of a real server", async () => {
    await using server = await startEverything("sse")
    await using manager = await startManager({ all: { type: "sse", url: server.url } })
    expect(await manager.callTool("all", "get-sum", { a: 2, b: 3 })).toBe("The sum of 2 and 3 is 5.")
    expect(await manager.listTools("all")).not.toBeEmpty()
  })

  test("is what an http server falls back to", async () => {
    await using server = await startEverything("sse")
    await using manager = await startManager({ all: { type: "http", url: server.url } })
    expect(await manager.callTool("all", "echo", { message: "hi" })).toBe("Echo: hi")
  })

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
    expect(performance.now() - started).toBeLessThan(8000)
    await using _second = await startEverything("sse", port)
    expect(await manager.callTool("all", "echo", { message: "2" })).toBe("Echo: 2")
  })
})

describe("a remote server that cannot be connected", () => {
  for (const type of ["http", "sse"] as const) {
    test(`because nobody listens (${type})`, async () => {
      const url = `http://127.0.0.1:${freePort()}/mcp?key=s3cret`
      await using manager = await startManager({ remote: { type, url } })
      const error = await failureOf(manager.callTool("remote", "x", {}))
      expect(error).toMatchObject({ name: "ToolError", code: "E_SERVER_CONNECT", server: "remote" })
      expect(error.message).toStartWith(`Server 'remote' cannot be reached at ${url.split("?")[0]}`)
      expect(error.hint).toContain("`url`")
      expect(`${error.message} ${error.hint}`).not.toContain("s3cret")
    })

    for (const status of [401, 403]) {
      test(`because it answers ${status} (${type})`, async () => {
        using server = serveHttp(() => new Response("go away", { status }))
        await using manager = await startManager({ remote: { type, url: server.url } })
        expect(await failureOf(manager.listTools("remote"))).toMatchObject({
          name: "ServerError",
          code: "E_SERVER_AUTH",
        })
      })
    }

    test(`because it answers 500 (${type})`, async () => {
      using server = serveHttp(() => new Response("oops", { status: 500 }))
      await using manager = await startManager({ remote: { type, url: server.url } })
      expect(await failureOf(manager.callTool("remote", "x", {}))).toMatchObject({
        code: "E_SERVER_CONNECT",
        message: `Server 'remote' at ${server.url} answered with HTTP 500`,
      })
    })

    test(`because it stays silent (${type})`, async () => {
      using server = serveHttp(() => new Promise<Response>(() => {}))
      await using manager = await startManager({ remote: { type, url: server.url, timeout: 2500 } })
      const started = performance.now()
      expect((await failureOf(manager.callTool("remote", "x", {}))).code).toBe("E_SERVER_TIMEOUT")
      expect(performance.now() - started).toBeLessThan(5000)
    })
  }

  test("because neither transport is there reports the first error", async () => {
    using server = serveHttp(() => new Response("nothing here", { status: 404 }))
    await using manager = await startManager({ remote: { type: "http", url: server.url } })
    const error = await failureOf(manager.callTool("remote", "x", {}))
    expect(error).toMatchObject({ code: "E_SERVER_CONNECT", details: { status: 404 } })
  })

  test("because it is a web page", async () => {
    using server = serveHttp(() => new Response("<html></html>", { headers: { "content-type": "text/html" } }))
    await using manager = await startManager({ remote: { type: "http", url: server.url } })
    expect((await failureOf(manager.callTool("remote", "x", {}))).code).toBe("E_SERVER_PROTOCOL")
  })
})
