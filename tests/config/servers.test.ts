// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders as a configuration has them
import { describe, expect, test } from "bun:test"
import { errorOf, parse, parseServer, problemsOf } from "./parse.ts"

describe("a valid server", () => {
  const stdio = { type: "stdio", command: "npx", args: [], env: {}, disabled: false }
  const http = { type: "http", url: "https://example.com/mcp", headers: {}, disabled: false }
  const url = http.url
  const cases = [
    { name: "with a command is stdio", given: { command: "npx" }, want: stdio },
    { name: "with a url is http", given: { url }, want: http },
    { name: "may say stdio", given: { type: "stdio", command: "npx" }, want: stdio },
    { name: "may say sse", given: { type: "sse", url }, want: { ...http, type: "sse" } },
    ...["http", "streamable-http", "streamableHttp", "streamable_http", "http-stream", "HTTP"].map((type) => ({
      name: `of type ${type} is http`,
      given: { type, url },
      want: http,
    })),
    { name: "of type local is stdio", given: { type: "local", command: "npx" }, want: stdio },
    { name: "may be disabled", given: { command: "npx", disabled: true }, want: { ...stdio, disabled: true } },
    { name: "with null for the other transport's field", given: { command: "npx", url: null }, want: stdio },
    { name: "may have a variable for a url", given: { url: "${BASE}/mcp" }, want: { ...http, url: "${BASE}/mcp" } },
    {
      name: "keeps every field of a program",
      given: {
        command: "node",
        args: ["server.js", "--port", "1"],
        env: { TOKEN: "${TOKEN}" },
        cwd: "./server",
        description: "a server",
        timeout: 5000,
        tools: { allow: ["read_*"], deny: ["read_secret"] },
        normalize: "camelCase",
        roots: ["./data"],
      },
      want: {
        type: "stdio",
        command: "node",
        args: ["server.js", "--port", "1"],
        env: { TOKEN: "${TOKEN}" },
        cwd: "./server",
        description: "a server",
        disabled: false,
        timeout: 5000,
        tools: { allow: ["read_*"], deny: ["read_secret"] },
        normalize: "camelCase",
        roots: ["./data"],
      },
    },
    {
      name: "may list its tools",
      given: { command: "npx", tools: ["*"] },
      want: { ...stdio, tools: { allow: ["*"] } },
    },
    {
      name: "may be a builtin",
      given: { type: "builtin", name: "filesystem", args: ["./workspace"] },
      want: { type: "builtin", name: "filesystem", args: ["./workspace"], env: {}, disabled: false },
    },
    { name: "loses keys that are not known", given: { command: "npx", _comments: "x", other: 1 }, want: stdio },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => expect<unknown>(parseServer(given)).toEqual(want))
  }
})

describe("an invalid server", () => {
  const needs = "mcpServers.one: needs `command` (stdio) or `url` (http)"
  const url = "https://example.com"
  const cases = [
    { name: "has neither command nor url", given: {}, want: [needs] },
    {
      name: "has only a url of another program",
      given: { serverUrl: url },
      want: [`${needs}; write \`serverUrl\` as \`url\``],
    },
    {
      name: "has both command and url",
      given: { command: "npx", url },
      want: [
        "mcpServers.one: has both; allowed: `command` (stdio) or `url` (http), or a `type` that says which one counts",
      ],
    },
    {
      name: "has an empty command",
      given: { command: "" },
      want: ["mcpServers.one.command: found an empty string, allowed: a program's name or path"],
    },
    {
      name: "has a command of blanks",
      given: { command: " \t" },
      want: ["mcpServers.one.command: found an empty string, allowed: a program's name or path"],
    },
    {
      name: "has a command that is a list",
      given: { command: ["npx", "x"] },
      want: ["mcpServers.one.command: found an array, allowed: a program's name or path"],
    },
    {
      name: "says stdio without a command",
      given: { type: "stdio" },
      want: ['mcpServers.one.command: type "stdio" requires `command`: a program\'s name or path'],
    },
    {
      name: "says stdio with a url",
      given: { type: "stdio", url },
      want: [
        'mcpServers.one.command: type "stdio" requires `command`: a program\'s name or path; `url` belongs to type "http" or "sse"',
      ],
    },
    {
      name: "says http without a url",
      given: { type: "http", command: "npx" },
      want: [
        'mcpServers.one.url: type "http" requires `url`: an http:// or https:// URL; `command` belongs to type "stdio"',
      ],
    },
    {
      name: "says sse without a url",
      given: { type: "sse" },
      want: ['mcpServers.one.url: type "sse" requires `url`: an http:// or https:// URL'],
    },
    {
      name: "has an empty url",
      given: { url: "" },
      want: ["mcpServers.one.url: found an empty string, allowed: an http:// or https:// URL"],
    },
    {
      name: "has a url that is none",
      given: { url: "example.com/mcp" },
      want: ["mcpServers.one.url: found a string, allowed: an http:// or https:// URL"],
    },
    {
      name: "has a url of another scheme",
      given: { url: "file:///etc/passwd" },
      want: ["mcpServers.one.url: found a string, allowed: an http:// or https:// URL"],
    },
    {
      name: "has an unknown type",
      given: { type: "websocket", url },
      want: ['mcpServers.one.type: found "websocket", allowed: "stdio", "http", "sse", "builtin"'],
    },
    {
      name: "has a type that is no string",
      given: { type: null, url },
      want: ['mcpServers.one.type: found null, allowed: "stdio", "http", "sse", "builtin"'],
    },
    {
      name: "has null for args",
      given: { command: "npx", args: null },
      want: ["mcpServers.one.args: found null, allowed: an array of strings"],
    },
    {
      name: "has a number in args",
      given: { command: "npx", args: ["--port", 8080] },
      want: ["mcpServers.one.args[1]: found a number, allowed: a string (put it in quotes)"],
    },
    {
      name: "has numbers and booleans in env",
      given: { command: "npx", env: { PORT: 8080, DEBUG: true, EMPTY: null } },
      want: [
        "mcpServers.one.env.PORT: found a number, allowed: a string (put it in quotes)",
        "mcpServers.one.env.DEBUG: found a boolean, allowed: a string (put it in quotes)",
        "mcpServers.one.env.EMPTY: found null, allowed: a string",
      ],
    },
    {
      name: "has a list of headers",
      given: { url, headers: ["Authorization: x"] },
      want: ["mcpServers.one.headers: found an array, allowed: an object of strings"],
    },
    {
      name: "has a timeout in words",
      given: { command: "npx", timeout: "30s" },
      want: ['mcpServers.one.timeout: found "30s", allowed: a number above 0'],
    },
    {
      name: "has no time at all",
      given: { command: "npx", timeout: 0 },
      want: ["mcpServers.one.timeout: found 0, allowed: a number above 0"],
    },
    {
      name: "has a word for disabled",
      given: { command: "npx", disabled: "yes" },
      want: ['mcpServers.one.disabled: found "yes", allowed: true or false'],
    },
    {
      name: "is an unknown builtin",
      given: { type: "builtin", name: "browser" },
      want: ['mcpServers.one.name: found "browser", allowed: "filesystem", "memory", "fetch", "echo"'],
    },
    {
      name: "is a builtin without a name",
      given: { type: "builtin" },
      want: ['mcpServers.one.name: type "builtin" requires `name`: "filesystem", "memory", "fetch", "echo"'],
    },
    { name: "is a string", given: "npx server", want: ["mcpServers.one: found a string, allowed: an object"] },
    { name: "is null", given: null, want: ["mcpServers.one: found null, allowed: an object"] },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => expect(problemsOf({ mcpServers: { one: given } })).toEqual(want))
  }

  test("names a misspelt key as the likely reason", () => {
    expect(errorOf({ mcpServers: { one: { comand: "npx" } } }).hint).toBe(
      'mcpServers.one.comand looks like a typo of "command".',
    )
  })

  test("stops the program even when it is disabled", () => {
    expect(problemsOf({ mcpServers: { one: { disabled: true } } })).toEqual([needs])
  })
})

describe("mcpServers", () => {
  test("may be missing", () => expect(Object.keys(parse({}).servers)).toEqual([]))
  test("may be empty", () => expect(Object.keys(parse({ mcpServers: {} }).servers)).toEqual([]))

  for (const [value, found] of [
    [null, "null"],
    [[], "an array"],
    ["x", "a string"],
  ]) {
    test(`may not be ${found}`, () =>
      expect(problemsOf({ mcpServers: value })).toEqual([
        `mcpServers: found ${found}, allowed: an object of servers by name`,
      ]))
  }

  test("may hold comments under keys that begin with an underscore", () => {
    const mcpServers = { _comment: "ours", _notes: { one: "text" }, _off: { command: "npx" }, one: { command: "npx" } }
    expect(Object.keys(parse({ mcpServers }).servers)).toEqual(["_off", "one"])
  })

  for (const name of ["a.b", "a b", "my__server", "日本", "constructor", "toString", "1"]) {
    test(`accepts the name ${name}`, () =>
      expect(Object.keys(parse({ mcpServers: { [name]: { command: "x" } } }).servers)).toEqual([name]))
  }

  test("accepts the name __proto__ without touching a prototype", () => {
    const { servers } = parse('{"mcpServers": {"__proto__": {"command": "x"}}}')
    expect(Object.keys(servers)).toEqual(["__proto__"])
    expect(Object.getPrototypeOf(servers)).toBeNull()
    expect(servers.command).toBeUndefined()
  })

  for (const name of ["", " a", "a ", "a/b", "a\nb", "a\u0000"]) {
    test(`refuses the name ${JSON.stringify(name)}`, () =>
      expect(errorOf({ mcpServers: { [name]: { command: "x" } } }).message).toContain(
        `found ${JSON.stringify(name)}, allowed: a name without "/", control characters, or spaces at its ends`,
      ))
  }
})
