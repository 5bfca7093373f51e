import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import type { LogEntry } from "../../src/mcp/manager.ts"
import { type Verdict, VerdictStore } from "../../src/mcp/verdicts.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { failureOf, startManager, temporaryDirectory } from "./manager-fixture.ts"
import { type RemoteServer, serveHttp, startEverything, startModern } from "./remote-fixture.ts"

setDefaultTimeout(120_000)

const modern = "2026-07-28"

let remote: RemoteServer
beforeAll(async () => {
  remote = await startModern()
})
afterAll(() => remote[Symbol.asyncDispose]())

const entryFor = (transport: string) =>
  transport === "stdio" ? fixtureServer("modern") : { type: "http" as const, url: remote.url }

describe.concurrent("negotiation", () => {
  test("asks a process nothing that it may ignore, and stall us with", async () => {
    await using manager = await startManager({ silent: fixtureServer("silent-discover") })
    expect(await manager.callTool("silent", "ignored", {})).toBe(0)
  })

  test("goes on with the older handshake when an HTTP server does not answer the question", async () => {
    const methods: string[] = []
    using server = serveHttp(async (request) => {
      if (request.method !== "POST") return new Response(null, { status: 405 })
      const { id, method } = (await request.json()) as { id?: number; method: string }
      methods.push(method)
      if (method === "server/discover") return new Promise<Response>(() => {})
      if (id === undefined) return new Response(null, { status: 202 })
      const serverInfo = { name: "old", version: "1" }
      const introduction = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo }
      const result = method === "initialize" ? introduction : { content: [{ type: "text", text: "called" }] }
      return Response.json({ jsonrpc: "2.0", id, result })
    })
    using cache = temporaryDirectory()
    const connect = async () => {
      await using manager = await startManager(
        { old: { type: "http", url: server.url } },
        { cacheDirectory: cache.path },
      )
      return await manager.callTool("old", "x", {})
    }
    expect(await connect()).toBe("called")
    expect(methods).toEqual(["server/discover", "initialize", "notifications/initialized", "tools/call"])
    methods.length = 0
    expect(await connect()).toBe("called")
    expect(methods).toEqual(["initialize", "notifications/initialized", "tools/call"])
  })
})

describe.concurrent("a server that speaks the modern revision only", () => {
  test("is understood over stdio", async () => {
    await using manager = await startManager({ modern: fixtureServer("modern") })
    expect(await manager.callTool("modern", "add", { a: 1, b: 2 })).toBe(3)
    expect(await manager.callTool("modern", "zero", {})).toBe(0)
    expect(await failureOf(manager.callTool("modern", "fail", {}))).toMatchObject({
      code: "E_TOOL_FAILED",
      message: "no luck",
    })
    expect(await failureOf(manager.callTool("modern", "ad", {}))).toMatchObject({ code: "E_TOOL_UNKNOWN" })
    expect((await manager.listTools("modern")).map(({ name }) => name)).toContain("region")
    expect(await manager.describeServer("modern")).toMatchObject({
      title: "modern",
      version: "2",
      protocolVersion: modern,
    })
  })

  test("is understood over HTTP, where headers repeat arguments when a tool asks for it", async () => {
    await using manager = await startManager({ modern: entryFor("http") })
    expect(await manager.callTool("modern", "add", { a: 1, b: 2 })).toBe(3)
    // Once without knowing that headers are needed, once knowing it.
    expect(await manager.callTool("modern", "region", { region: "eu" })).toBe("in eu")
    expect(await manager.callTool("modern", "region", { region: "münchen" })).toBe("in münchen")
    expect(await manager.callTool("modern", "zero", {}, { raw: true })).toMatchObject({ structuredContent: 0 })
    // These come with HTTP status 404, which is not the end of a session here.
    expect([await manager.listPrompts("modern"), await manager.listResources("modern")]).toEqual([[], []])
    expect(await failureOf(manager.readResource("modern", "memo://x"))).toMatchObject({
      code: "E_SERVER_PROTOCOL",
      message: "Server 'modern' refused reading 'memo://x': Method not found (-32601)",
    })
    expect((await manager.describeServer("modern")).protocolVersion).toBe(modern)
  })

  for (const transport of ["stdio", "http"]) {
    test(`reports progress, logs and questions over ${transport}`, async () => {
      const log: LogEntry[] = []
      const elicit = async () => ({ action: "accept" as const, content: { name: "you" } })
      const options = { onLog: (line: LogEntry) => log.push(line), elicit }
      await using manager = await startManager({ modern: entryFor(transport) }, options)
      const progress: object[] = []
      await manager.callTool("modern", "work", {}, { onProgress: (seen) => void progress.push(seen) })
      expect(progress).toEqual([{ progress: 1, total: 2 }])
      await eventually(() => log.some(({ message }) => message === "working"))
      expect(await manager.callTool("modern", "greet", {})).toBe("hello you")
    })
  }

  for (const transport of ["stdio", "http"]) {
    test(`tells of changes in its lists over ${transport}`, async () => {
      await using manager = await startManager({ modern: entryFor(transport) })
      const before = await manager.listTools("modern")
      expect(await manager.listTools("modern")).toEqual(before)
      await manager.callTool("modern", "grow", {})
      await eventually(async () => (await manager.listTools("modern")).length === before.length + 1)
    })
  }

  test("gets a decline when there is nobody to ask", async () => {
    await using manager = await startManager({ modern: fixtureServer("modern") })
    expect(await manager.callTool("modern", "greet", {})).toBe("hello stranger")
  })

  test("may leave out what the revision requires", async () => {
    await using manager = await startManager({ odd: fixtureServer("modern-odd") })
    expect(await manager.callTool("odd", "bare", {})).toBe(`bare ${modern}`)
    expect((await manager.listTools("odd")).map(({ name }) => name)).toEqual(["bare", "null-description"])
    expect(await manager.callTool("odd", "bare", {}, { raw: true })).toEqual({
      content: [{ type: "text", text: `bare ${modern}` }],
      extra: [1],
    })
  })
})

describe.concurrent("what negotiation found out", () => {
  const verdictFile = (cache: string) => `${cache}/negotiation/${readdirSync(`${cache}/negotiation`)[0]}`

  test("is remembered, privately and without secrets", async () => {
    using cache = temporaryDirectory()
    const server = { ...fixtureServer("modern", "--token=s3cret"), env: { KEY: "s3cret" } }
    await using manager = await startManager({ modern: server }, { cacheDirectory: cache.path })
    await manager.callTool("modern", "zero", {})
    const file = verdictFile(cache.path)
    expect(file).toMatch(/\/[0-9a-f]{64}\.json$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(`${cache.path}/negotiation`).mode & 0o777).toBe(0o700)
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      era: "modern",
      transport: "stdio",
      date: expect.any(String),
    })
  })

  test("saves a server from being started twice", async () => {
    using cache = temporaryDirectory()
    const starts = `${cache.path}/starts`
    const server = { ...fixtureServer("modern"), env: { STARTS_FILE: starts } }
    const counts: number[] = []
    for (const _ of [1, 2]) {
      await using manager = await startManager({ modern: server }, { cacheDirectory: cache.path })
      await manager.callTool("modern", "zero", {})
      counts.push(readFileSync(starts, "utf8").length)
    }
    expect(counts).toEqual([2, 3])
  })

  for (const fixture of ["echo", "silent-discover", "exits"]) {
    test(`is dropped when it is no longer true (${fixture})`, async () => {
      using cache = temporaryDirectory()
      const server = { ...fixtureServer(fixture), timeout: 8000 }
      const identity = JSON.stringify(["process", [server.command, ...(server.args ?? [])], "/tmp"])
      const verdicts = new VerdictStore(cache.path)
      await verdicts.write(identity, { era: "modern", transport: "stdio" })
      await using manager = await startManager({ server }, { cacheDirectory: cache.path })
      const answer = await manager.callTool("server", "pid", {}).catch((error) => error.code)
      if (fixture === "exits") expect(answer).toBe("E_SERVER_CONNECT")
      else expect(answer).toBeNumber()
      expect(await verdicts.read(identity)).toBeUndefined()
    })
  }

  test("includes that an http server is one of the older kind", async () => {
    using cache = temporaryDirectory()
    await using server = await startEverything("sse")
    const entry = { type: "http" as const, url: server.url }
    for (const _ of [1, 2]) {
      await using manager = await startManager({ all: entry }, { cacheDirectory: cache.path })
      expect(await manager.callTool("all", "echo", { message: "hi" })).toBe("Echo: hi")
      expect(JSON.parse(readFileSync(verdictFile(cache.path), "utf8"))).toMatchObject({
        era: "legacy",
        transport: "sse",
      })
    }
  })

  test("is forgotten after a week, and ignored when it makes no sense", async () => {
    using cache = temporaryDirectory()
    const verdicts = new VerdictStore(cache.path)
    const verdict: Verdict = { era: "modern", transport: "http" }
    await verdicts.write("x", verdict)
    expect(await verdicts.read("x")).toEqual(verdict)
    expect(await verdicts.read("y")).toBeUndefined()
    const day = 24 * 60 * 60 * 1000
    const dated = (age: number) => JSON.stringify({ ...verdict, date: new Date(Date.now() - age) })
    const texts: [string, Verdict | undefined][] = [
      [dated(6 * day), verdict],
      [dated(8 * day), undefined],
      [dated(-day), undefined],
      ["{", undefined],
      ["null", undefined],
      ['{"era":"future","transport":"http","date":"2026-01-01"}', undefined],
      ['{"era":"modern","transport":"http"}', undefined],
    ]
    for (const [text, want] of texts) {
      writeFileSync(verdictFile(cache.path), text)
      expect(await verdicts.read("x")).toEqual(want as Verdict)
    }
    await verdicts.forget("x")
    await verdicts.forget("x")
    expect(readdirSync(`${cache.path}/negotiation`)).toEqual([])
  })

  test("is not missed when it cannot be written", async () => {
    await using manager = await startManager(
      { modern: fixtureServer("modern") },
      { cacheDirectory: "/dev/null/nowhere" },
    )
    expect(await manager.callTool("modern", "zero", {})).toBe(0)
  })
})
