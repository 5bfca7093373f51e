import { describe, expect, test } from "bun:test"
import { chmodSync, writeFileSync } from "node:fs"
import { exitCodeFor } from "../../src/errors.ts"
import { fixtureServer, placeholder } from "../fixtures/config.ts"
import { failureOf, startManager, temporaryDirectory } from "./manager-fixture.ts"

describe("a server that cannot be connected", () => {
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

  test("because it stays silent, with the server's own limit", async () => {
    await using manager = await startManager({ silent: { ...fixtureServer("silent"), timeout: 400 } })
    const error = await failureOf(manager.callTool("silent", "x", {}))
    expect(error).toMatchObject({ code: "E_SERVER_TIMEOUT", message: "Server 'silent' did not answer within 400 ms" })
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
