import { describe, expect, test } from "bun:test"
import { placeholder } from "../fixtures/config.ts"
import { failureOf, startManager } from "./manager-fixture.ts"
import { serveHttp, serveSessions } from "./remote-fixture.ts"

describe.concurrent("a call that fails over HTTP", () => {
  const refusals: [kind: string, response: () => Response, code: string][] = [
    ["is refused", () => new Response("too many requests", { status: 429 }), "E_SERVER_PROTOCOL"],
    ["is not authorized", () => new Response("not you", { status: 403 }), "E_SERVER_AUTH"],
    ["gets no reply", () => new Response("", { headers: { "content-type": "text/event-stream" } }), "E_SERVER_CLOSED"],
  ]
  for (const [kind, response, code] of refusals) {
    test(`because it ${kind} leaves the others in flight alone`, async () => {
      using server = serveSessions(async (tool, reply) => {
        if (tool === "bad") return response()
        await Bun.sleep(300)
        return reply("done")
      })
      await using manager = await startManager({ remote: { type: "http", url: server.url } })
      const other = manager.callTool("remote", "good", {})
      expect((await failureOf(manager.callTool("remote", "bad", {}))).code).toBe(code)
      expect(await other).toBe("done")
      expect(server.sessions.size).toBe(1)
    })
  }

  test("because the session is gone says so, and the next one begins another", async () => {
    using server = serveSessions((_tool, reply) => reply("called"))
    await using manager = await startManager({ remote: { type: "http", url: server.url } })
    expect(await manager.callTool("remote", "x", {})).toBe("called")
    server.sessions.clear()
    expect(await failureOf(manager.callTool("remote", "x", {}))).toMatchObject({
      name: "ToolError",
      code: "E_SERVER_CLOSED",
      message: "Server 'remote' answered the call of 'x' with HTTP 404: Session not found",
      details: { status: 404 },
    })
    expect(await manager.callTool("remote", "x", {})).toBe("called")
  })

  test("because the server is gone says why, and the next one tries again", async () => {
    const server = serveSessions((_tool, reply) => reply("called"))
    await using manager = await startManager({ remote: { type: "http", url: server.url } })
    await manager.callTool("remote", "x", {})
    server[Symbol.dispose]()
    const error = await failureOf(manager.callTool("remote", "x", {}))
    expect(error.code).toBe("E_SERVER_CLOSED")
    expect(error.message).toMatch(/^Server 'remote' closed the connection during the call of 'x': .*ECONN/)
    expect((await failureOf(manager.callTool("remote", "x", {}))).code).toBe("E_SERVER_CONNECT")
  })

  test("and was the only one has the next one connect again", async () => {
    using server = serveSessions((tool, reply) =>
      tool === "bad" ? new Response("oops", { status: 500 }) : reply("called"),
    )
    await using manager = await startManager({ remote: { type: "http", url: server.url } })
    await failureOf(manager.callTool("remote", "bad", {}))
    expect(await manager.callTool("remote", "good", {})).toBe("called")
    expect(server.sessions.size).toBe(2)
  })
})

describe("secrets in a URL", () => {
  test("reach the server, and no error", async () => {
    const seen: string[] = []
    using server = serveHttp((request) => {
      seen.push(request.headers.get("authorization") ?? "", new URL(request.url).pathname)
      return new Response("oops", { status: 500 })
    })
    const address = server.url.replace("http://", "http://me%40here:100%25-s3cret@")
    const url = address.replace("/mcp", `/${placeholder("KEY")}/mcp?token=s3cret`)
    await using manager = await startManager({ remote: { type: "http", url } }, { env: { KEY: "path-s3cret" } })
    const error = await failureOf(manager.callTool("remote", "x", {}))
    expect(seen.slice(0, 2)).toEqual([`Basic ${btoa("me@here:100%-s3cret")}`, "/path-s3cret/mcp"])
    expect(error.message).toBe(`Server 'remote' at ${new URL(server.url).origin}/… answered with HTTP 500`)
    expect(JSON.stringify([error.message, error.hint, error.details, String(error.cause)])).not.toContain("s3cret")
  })
})

describe("a redirect to elsewhere", () => {
  test("is not followed with our headers, and said to be one", async () => {
    const seen: string[] = []
    using elsewhere = serveHttp((request) => {
      seen.push(request.url)
      return new Response(null, { status: 500 })
    })
    using server = serveHttp(() => Response.redirect(elsewhere.url, 307))
    const headers = { "x-api-key": "s3cret" }
    await using manager = await startManager({ remote: { type: "http", url: server.url, headers } })
    const error = await failureOf(manager.callTool("remote", "x", {}))
    expect(error).toMatchObject({ code: "E_SERVER_CONNECT", details: { status: 307 } })
    expect(error.hint).toStartWith("It redirects to another address")
    expect(seen).toEqual([])
  })
})
