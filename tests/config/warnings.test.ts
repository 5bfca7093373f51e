import { describe, expect, test } from "bun:test"
import { parse } from "./parse.ts"

const server = { command: "npx" }

describe("a key that looks like a typo is tolerated with a warning", () => {
  const cases = [
    {
      given: { mcpServers: { github: { ...server, comand: "npx" } } },
      path: "mcpServers.github.comand",
      key: "command",
    },
    { given: { mcpServers: { github: { ...server, arg: [] } } }, path: "mcpServers.github.arg", key: "args" },
    {
      given: { mcpServers: { github: { ...server, Disabled: true } } },
      path: "mcpServers.github.Disabled",
      key: "disabled",
    },
    { given: { mcpServers: { "a b": { ...server, timout: 1 } } }, path: 'mcpServers["a b"].timout', key: "timeout" },
    { given: { mcpServers: { a: { ...server, tools: { alow: [] } } } }, path: "mcpServers.a.tools.alow", key: "allow" },
    { given: { mcpserver: {} }, path: "mcpserver", key: "mcpServers" },
    { given: { sandbx: {} }, path: "sandbx", key: "sandbox" },
    { given: { sandbox: { max_timeuot: 1 } }, path: "sandbox.max_timeuot", key: "max_timeout" },
    { given: { exec: { timeuot: 1 } }, path: "exec.timeuot", key: "timeout" },
  ]
  for (const { given, path, key } of cases) {
    test(path, () => expect(parse(given).warnings).toEqual([`mcp_config.json: ${path} looks like a typo of "${key}"`]))
  }
})

describe("a key that is known elsewhere is silent", () => {
  const cases = [
    { name: "comments and schemas", given: { $schema: "x", _comments: {}, _mcpServer: {}, mcpServers: {} } },
    { name: "parts still to come", given: { policy: {}, daemon: false, serve: {} } },
    { name: "what a server may have one day", given: { mcpServers: { a: { ...server, cache: {}, retry: 3 } } } },
    {
      name: "fields of other programs",
      given: {
        mcpServers: {
          a: {
            ...server,
            alwaysAllow: [],
            autoApprove: [],
            disabledTools: [],
            envFile: ".env",
            trust: true,
            oauth: {},
          },
        },
      },
    },
    { name: "what resembles nothing", given: { mcpServers: { a: { ...server, "x-vendor": 1 } }, telemetry: false } },
    { name: "comments inside a server", given: { mcpServers: { a: { ...server, _comand: "x", $comand: "x" } } } },
    { name: "comments between servers", given: { mcpServers: { _notes: { comand: "x" }, a: server } } },
    { name: "the older spellings", given: { sandbox: { memory_limit: "1g", pids_limit: 16 } } },
  ]
  for (const { name, given } of cases) test(name, () => expect(parse(given).warnings).toEqual([]))
})

describe("a key that does not do what it seems to is worth a warning", () => {
  const cases = [
    {
      name: "servers under the name of another program",
      given: { servers: { a: server } },
      want: 'servers is not read; mcp-exec reads "mcpServers"',
    },
    {
      name: "a server that is to be warm, said in its entry",
      given: { mcpServers: { a: { ...server, warm: true } } },
      want: 'mcpServers.a.warm is not read; name the server in "warm" beside "mcpServers"',
    },
    {
      name: "a server that is to be warm and not to be kept",
      given: { mcpServers: { b: server, a: { ...server, keepAlive: false } }, warm: ["b", "a"] },
      want: 'warm[1] is not used: "a" has "keepAlive": false',
    },
    {
      name: "a server that is to be signed in to",
      given: { mcpServers: { a: { url: "https://example.com", auth: { type: "oauth" } } } },
      want: 'mcpServers.a.auth is not read; write credentials into "headers"',
    },
    {
      name: "a server at the top",
      given: { github: server },
      want: 'github looks like a server; mcp-exec reads servers from "mcpServers"',
    },
    {
      name: "a server that is not enabled",
      given: { mcpServers: { a: { ...server, enabled: false } } },
      want: 'mcpServers.a.enabled is not read; write "disabled": true',
    },
    {
      name: "a command beside the url that counts",
      given: { mcpServers: { a: { ...server, type: "http", url: "https://example.com" } } },
      want: 'mcpServers.a.command is not used by a server of type "http"',
    },
    {
      name: "a url beside the command that counts",
      given: { mcpServers: { a: { ...server, type: "stdio", url: "https://example.com" } } },
      want: 'mcpServers.a.url is not used by a server of type "stdio"',
    },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => expect(parse(given).warnings).toEqual([`mcp_config.json: ${want}`]))
  }

  test("but not servers beside mcpServers", () => {
    expect(parse({ mcpServers: {}, servers: {} }).warnings).toEqual([])
  })
})
