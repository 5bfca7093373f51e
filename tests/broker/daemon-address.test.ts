import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { daemonAddress, isDaemonWanted, isSuccessor, variablesFor } from "../../src/broker/daemon-address.ts"
import type { ExecSettings } from "../../src/config/receipt.ts"

const directory = mkdtempSync(join(tmpdir(), "mcp-exec-address-"))
afterAll(() => rmSync(directory, { recursive: true }))
const file = join(directory, "mcp_config.json")
writeFileSync(file, "{}")
const addressWith = (env: Record<string, string>, of = file) => daemonAddress("/run", of, env)

describe("a daemon's address", () => {
  test("is the same for the same user, program, file and network, whatever else is in the environment", async () => {
    const one = await addressWith({ PATH: "/bin", HTTPS_PROXY: "http://p:1", no_proxy: "x" })
    expect(await addressWith({ no_proxy: "x", TERM: "dumb", HTTPS_PROXY: "http://p:1", SECRET: "s" })).toBe(one)
    expect(one).toMatch(/^\/run\/d-[0-9a-f]{6}-[0-9a-f]{9}$/)
  })

  test.each([
    { HTTPS_PROXY: "http://elsewhere:1" },
    { all_proxy: "socks://x" },
    { NODE_EXTRA_CA_CERTS: "/ca.pem" },
    { NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    { SSL_CERT_FILE: "/ca.pem" },
  ])("is another where the network is reached in another way: %j", async (env) => {
    const [one, other] = [await addressWith({}), await addressWith(env as Record<string, string>)]
    expect(other).not.toBe(one)
    // They live side by side.
    expect(isSuccessor(other, one)).toBe(false)
  })

  test("is another for another file, and for another state of the file", async () => {
    const one = await addressWith({})
    expect(await addressWith({}, join(directory, "other.json"))).not.toBe(one)
    writeFileSync(file, '{ "mcpServers": {} }')
    const other = await addressWith({})
    expect(other).not.toBe(one)
    expect(isSuccessor(other, one)).toBe(true)
    expect(isSuccessor(one, one)).toBe(false)
  })
})

describe("a daemon is wanted", () => {
  const some: ExecSettings = {
    file,
    directory,
    workspace: directory,
    exec: { env: [] },
    sandboxEnabled: false,
    observe: false,
    serverNames: ["echo"],
    fingerprints: {},
    warnings: [],
  }
  const { file: _, ...nowhere } = some
  test.each([
    ["by default", {}, some, true],
    ["not when the configuration says so", {}, { ...some, daemon: false }, false],
    [
      "when the environment says so, whatever the configuration says",
      { MCP_EXEC_DAEMON: "1" },
      { ...some, daemon: false },
      true,
    ],
    ["not when the environment says so", { MCP_EXEC_DAEMON: "0" }, { ...some, daemon: true }, false],
    ["as by default when the environment says something else", { MCP_EXEC_DAEMON: "" }, some, true],
    ["not without servers", {}, { ...some, serverNames: [] }, false],
    ["not without a file", {}, nowhere, false],
  ])("%s", (_, env, settings, want) => {
    expect(isDaemonWanted(env as Record<string, string>, settings)).toBe(want && process.platform !== "win32")
  })
})

test("of the caller's environment a daemon gets what servers inherit and what they are configured with", () => {
  const env = { PATH: "/bin", HOME: "/me", HTTP_PROXY: "http://p", TOKEN: "t", OTHER_TOKEN: "o" }
  const settings = { variables: ["TOKEN", "UNSET"] } as unknown as ExecSettings
  expect(variablesFor(env, settings)).toEqual({ PATH: "/bin", HOME: "/me", HTTP_PROXY: "http://p", TOKEN: "t" })
})
