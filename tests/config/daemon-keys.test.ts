import { describe, expect, test } from "bun:test"
import { parseConfig } from "../../src/config/load.ts"
import { ConfigError } from "../../src/errors.ts"

const server = { command: "run" }
const parse = (config: object) => parseConfig(JSON.stringify(config), { file: "/project/mcp_config.json" })

describe("the keys for a daemon", () => {
  test("are read", () => {
    const config = parse({
      mcpServers: { a: { ...server, idleTimeout: 1000, keepAlive: false } },
      daemon: true,
      warm: ["a"],
    })
    expect(config).toMatchObject({ daemon: true, warm: ["a"], servers: { a: { idleTimeout: 1000, keepAlive: false } } })
  })

  test("may be absent: then nothing is decided", () => {
    const config = parse({ mcpServers: { a: server } })
    expect([config.daemon, config.warm, config.servers.a?.idleTimeout, config.servers.a?.keepAlive]).toEqual(
      Array(4).fill(undefined),
    )
  })

  test.each([
    [{ daemon: "yes" }, "daemon: found a string, allowed: true or false"],
    [{ warm: "a" }, "warm: found a string, allowed: an array of strings"],
    [{ warm: ["a", "b"] }, 'warm[1]: found "b", allowed: the name of a server in mcpServers'],
    [
      { mcpServers: { a: { ...server, idleTimeout: 0 } } },
      "mcpServers.a.idleTimeout: found a number, allowed: a number above 0",
    ],
    [
      { mcpServers: { a: { ...server, keepAlive: "no" } } },
      "mcpServers.a.keepAlive: found a string, allowed: true or false",
    ],
  ])("are checked: %j", (config, want) => {
    const read = () => parse({ mcpServers: { a: server }, ...config })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(want)
  })
})
