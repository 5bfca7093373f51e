import { describe, expect, test } from "bun:test"
import { parseDiscoveryConfig } from "../../src/discovery/config.ts"
import { ConfigError } from "../../src/errors.ts"

const servers = ["files", "my__db", "my", "git.hub"]
const parse = (value: unknown) => {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2)
  return parseDiscoveryConfig(text, "/project/discovery_config.json", servers)
}
const tool = (server: string, name: string, ...given: object[]) => ({ server, tool: name, arguments: given })

describe("discovery_config.json", () => {
  const forms: { name: string; given: unknown; want: unknown }[] = [
    {
      name: "with arguments by tool",
      given: { servers: { files: { safeTools: { list: { path: "." }, roots: {} } } } },
      want: { form: "nested", tools: [tool("files", "list", { path: "." }), tool("files", "roots", {})] },
    },
    {
      name: "with a description and sampleParams",
      given: {
        servers: {
          files: { description: "d", safeTools: { list: { description: "d", sampleParams: { path: "." } } } },
        },
        options: { makeFieldsOptional: true },
      },
      want: { form: "nested", tools: [tool("files", "list", { path: "." })], allOptional: true },
    },
    {
      name: "as the program before this one wrote it",
      given: { servers: { files: { safeTools: { list: {} } } }, metadata: { generated: true, generated_count: 1 } },
      want: { form: "nested", tools: [tool("files", "list", {})] },
    },
    {
      name: "flat",
      given: { files__list: { path: "." }, my__query: { sql: "select 1" } },
      want: { form: "flat", tools: [tool("files", "list", { path: "." }), tool("my", "query", { sql: "select 1" })] },
    },
    {
      name: "flat, with names that contain the sign",
      given: { my__db__run__it: {}, "git.hub.issues": {}, other__tool: {} },
      want: {
        form: "flat",
        tools: [tool("my__db", "run__it", {}), tool("git.hub", "issues", {}), tool("other", "tool", {})],
      },
    },
    {
      name: "with several calls",
      given: { servers: { files: { safeTools: { a: [{ n: 1 }, { n: 2 }], b: { sampleParams: [{ n: 3 }] } } } } },
      want: { tools: [tool("files", "a", { n: 1 }, { n: 2 }), tool("files", "b", { n: 3 })] },
    },
    { name: "with a server that has nothing to call", given: { servers: { files: {} } }, want: { tools: [] } },
    { name: "with nothing", given: {}, want: { form: "nested", tools: [] } },
    {
      name: "with comments",
      given: '{\n// why\n"$schema": "x", "//": "y", "files__list": {},\n}',
      want: { form: "flat", tools: [tool("files", "list", {})] },
    },
  ]
  for (const { name, given, want } of forms)
    test(`is read ${name}`, () => expect<unknown>(parse(given)).toMatchObject(want as object))

  const wrong: { name: string; given: unknown; want: string }[] = [
    { name: "a list", given: [], want: "line 1: found an array, allowed: an object" },
    {
      name: "servers that are a list",
      given: { servers: [] },
      want: "line 2: servers: found an array, allowed: an object of servers by name",
    },
    {
      name: "a server that is a list",
      given: { servers: { files: [] } },
      want: 'line 3: servers.files: found an array, allowed: an object with "safeTools"',
    },
    {
      name: "a misspelt key",
      given: { servers: { files: { safe_tools: {} } } },
      want: 'line 4: servers.files.safe_tools: found an object, allowed: "safeTools" as the key',
    },
    {
      name: "tools that are a list",
      given: { servers: { files: { safeTools: ["list"] } } },
      want: "line 4: servers.files.safeTools: found an array, allowed: an object of arguments by tool",
    },
    {
      name: "arguments that are a text",
      given: { servers: { files: { safeTools: { "read it": "hunter2" } } } },
      want: 'line 5: servers.files.safeTools["read it"]: found a string, allowed: an object of arguments',
    },
    {
      name: "sampleParams that are nothing",
      given: { servers: { files: { safeTools: { list: { sampleParams: null } } } } },
      want: "line 6: servers.files.safeTools.list.sampleParams: found null, allowed: an object of arguments",
    },
    {
      name: "a call that is none",
      given: { files__list: [{}, 3] },
      want: "line 4: files__list[1]: found a number, allowed: an object of arguments",
    },
    {
      name: "a key without a tool",
      given: { files: {} },
      want: 'line 2: files: found an object, allowed: a key such as "server__tool"',
    },
    {
      name: "an option that is none",
      given: { servers: {}, options: { makeFieldsOptional: 1 } },
      want: "options.makeFieldsOptional: found a number, allowed: true or false",
    },
  ]
  for (const { name, given, want } of wrong) {
    test(`with ${name} is refused: ${want}`, () => {
      const error = errorOf(given)
      expect(error.code).toBe("E_CONFIG_INVALID")
      expect(error.message).toContain("/project/discovery_config.json")
      expect(error.message).toContain(want)
      expect(error.message).not.toContain("hunter2")
      expect(error.hint).toContain("safeTools")
    })
  }

  test("tells all that is wrong at once", () => {
    expect(errorOf({ servers: { a: [], b: { safeTools: { t: 1 } } } }).message.split("\n")).toHaveLength(3)
  })

  test("that is not JSON says where", () => {
    const error = errorOf('{\n  "servers": {')
    expect(error.code).toBe("E_CONFIG_SYNTAX")
    expect(error.message).toContain("discovery_config.json:2")
  })
})

function errorOf(given: unknown): ConfigError {
  try {
    parse(given)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error("it was accepted")
}
