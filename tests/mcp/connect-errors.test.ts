import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { chmodSync, writeFileSync } from "node:fs"
import { exitCodeFor } from "../../src/errors.ts"
import { fixtureServer, placeholder } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { failureOf, startManager, temporaryDirectory } from "./manager-fixture.ts"
import { serveHttp } from "./remote-fixture.ts"

setDefaultTimeout(120_000)

describe.concurrent("a server that cannot be connected", () => {
  test("because its command is not found", async () => {
    const server = { type: "stdio" as const, command: "no-such-command-anywhere", args: ["--x"] }
    await using manager = await startManager({ missing: server }, { file: "/home/me/mcp_config.json" })
    const error = await failureOf(manager.callTool("missing", "x", {}))
    expect(error).toMatchObject({
      name: "ToolError",
      code: "E_SERVER_CONNECT",
      server: "missing",
      message: "The command of server 'missing' was not found: no-such-command-anywhere",
      hint: "Install it, or correct `command` of server 'missing' in /home/me/mcp_config.json.",
    })
    expect(exitCodeFor(error)).toBe(4)
    expect(await failureOf(manager.listTools("missing"))).toMatchObject({
      name: "ServerError",
      code: "E_SERVER_CONNECT",
    })
  })

  test("because its working directory does not exist", async () => {
    await using manager = await startManager(
      { lost: { ...fixtureServer("echo"), cwd: "not/here" } },
      { directory: "/tmp" },
    )
    const error = await failureOf(manager.callTool("lost", "x", {}))
    expect(error.code).toBe("E_SERVER_CONNECT")
    expect(error.message).toBe("The working directory of server 'lost' does not exist: /tmp/not/here")
    expect(error.hint).toContain("`cwd`")
  })

  test("because its command may not be run", async () => {
    using directory = temporaryDirectory()
    const command = `${directory.path}/server.sh`
    writeFileSync(command, "#!/bin/sh\n")
    chmodSync(command, 0o644)
    await using manager = await startManager({ locked: { type: "stdio", command } })
    const error = await failureOf(manager.callTool("locked", "x", {}))
    expect(error.code).toBe("E_SERVER_CONNECT")
    expect(error.hint).toBe(`Make it executable: chmod +x ${command}`)
  })

  test("because it exits at the start shows its last words", async () => {
    await using manager = await startManager({ exits: fixtureServer("exits") })
    expect(await failureOf(manager.callTool("exits", "x", {}))).toMatchObject({
      code: "E_SERVER_CONNECT",
      message: "Server 'exits' exited with code 7 before it answered",
      hint: "It wrote to stderr:\n  Loading settings\n  fatal: API_KEY is not set",
      details: { exitCode: 7, signal: null, stderr: "Loading settings\nfatal: API_KEY is not set\n" },
    })
  })

  test("because it exits at the start without a word", async () => {
    await using manager = await startManager({ quiet: { type: "stdio", command: "true" } })
    const error = await failureOf(manager.callTool("quiet", "x", {}))
    expect(error.message).toBe("Server 'quiet' exited with code 0 before it answered")
    expect(error.hint).toContain("by hand")
  })

  const closedInputs = [
    { and: "exits later", script: "sleep 0.8; exit 7", end: "exited with code 7" },
    { and: "stays", script: "sleep 60", end: "closed the connection" },
  ]
  for (const { and, script, end } of closedInputs) {
    test(`because it closes its input and ${and} shows its last words too`, async () => {
      using directory = temporaryDirectory()
      const args = ["-c", `exec 0<&-; echo 'fatal: no licence' >&2; touch closed; ${script}`]
      const server = { type: "stdio" as const, command: "sh", args }
      await using manager = await startManager({ sh: server }, { directory: directory.path })
      manager.prespawn("sh")
      await eventually(() => Bun.file(`${directory.path}/closed`).exists())
      expect(await failureOf(manager.callTool("sh", "x", {}))).toMatchObject({
        code: "E_SERVER_CONNECT",
        message: `Server 'sh' ${end} before it answered`,
        hint: "It wrote to stderr:\n  fatal: no licence",
      })
    })
  }

  test("because it refuses, and then exits", async () => {
    const program = `for await (const line of console) {
      const { id } = JSON.parse(line)
      console.error("leaving")
      console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message: "your licence has expired" } }))
      process.exit(1)
    }`
    await using manager = await startManager({
      strict: { type: "stdio", command: process.execPath, args: ["-e", program] },
    })
    expect(await failureOf(manager.callTool("strict", "x", {}))).toMatchObject({
      code: "E_SERVER_PROTOCOL",
      message: "Server 'strict' refused to connect: your licence has expired (-32000)",
      hint: "It wrote to stderr:\n  leaving",
    })
  })

  test("because its environment cannot be, without repeating it", async () => {
    await using manager = await startManager({ odd: { type: "stdio", command: "true", env: { KEY: "s3cret\0" } } })
    const error = await failureOf(manager.callTool("odd", "x", {}))
    expect(error.code).toBe("E_SERVER_CONNECT")
    expect(JSON.stringify([error.message, error.hint, error.details])).not.toContain("s3cret")
  })

  test("because it stays silent, with the server's own limit", async () => {
    await using manager = await startManager({ silent: { ...fixtureServer("silent"), timeout: 5000 } })
    const error = await failureOf(manager.callTool("silent", "x", {}))
    expect(error).toMatchObject({ code: "E_SERVER_TIMEOUT", message: "Server 'silent' did not answer within 5 s" })
    expect(error.hint).toContain("`timeout`")
    expect(error.hint).toContain("still loading the index")
    expect(exitCodeFor(error)).toBe(4)
  })

  test("because it stays silent, with the manager's limit", async () => {
    await using manager = await startManager({ silent: fixtureServer("silent") }, { connectTimeoutMs: 300 })
    expect((await failureOf(manager.describeServer("silent"))).message).toContain("within 300 ms")
  })

  test("because what it prints is not MCP", async () => {
    await using manager = await startManager({ cat: { type: "stdio", command: "cat", timeout: 1000 } })
    // `cat` sends our own requests back to us.
    const error = await failureOf(manager.callTool("cat", "x", {}))
    expect(["E_SERVER_PROTOCOL", "E_SERVER_TIMEOUT"]).toContain(error.code)
  })

  test("because a variable is not set names the variable", async () => {
    const server = { ...fixtureServer("echo"), env: { KEY: placeholder("SURELY_NOT_SET") } }
    await using manager = await startManager({ echo: server }, { env: {} })
    const called = await failureOf(manager.callTool("echo", "x", {}))
    expect(called).toMatchObject({ name: "ToolError", code: "E_CONFIG_VARIABLE", server: "echo", tool: "x" })
    expect(called.message).toContain("SURELY_NOT_SET")
    expect((await failureOf(manager.listTools("echo"))).code).toBe("E_CONFIG_VARIABLE")
  })

  test("because its answer to initialize makes no sense", async () => {
    const program = `for await (const line of console) {
      const { id } = JSON.parse(line)
      console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: 7 } }))
    }`
    await using manager = await startManager({
      odd: { type: "stdio", command: process.execPath, args: ["-e", program] },
    })
    const error = await failureOf(manager.callTool("odd", "x", {}))
    expect(error).toMatchObject({
      code: "E_SERVER_PROTOCOL",
      message: "Server 'odd' answered with something that is not MCP",
    })
  })
})

describe.concurrent("a remote server that cannot be connected", () => {
  for (const type of ["http", "sse"] as const) {
    test(`because nobody listens (${type})`, async () => {
      // No program is given a port this low when it asks for a free one.
      const url = "http://127.0.0.1:2/mcp?key=s3cret"
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
      await using manager = await startManager({
        remote: { type, url: server.url, timeout: type === "http" ? 2200 : 500 },
      })
      const started = performance.now()
      expect((await failureOf(manager.callTool("remote", "x", {}))).code).toBe("E_SERVER_TIMEOUT")
      // Without a limit of its own it would be thirty seconds.
      expect(performance.now() - started).toBeLessThan(15_000)
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
