import { describe, expect, test } from "bun:test"
import { errorOf, file, parse } from "./parse.ts"

const servers = (text: string) => Object.keys(parse(text).servers)

describe("JSON with comments", () => {
  const cases = [
    { name: "line comments", given: '{ // servers\n "mcpServers": {"a": {"command": "x"}} }' },
    { name: "block comments", given: '/* ours */ {"mcpServers": /* here */ {"a": {"command": "x"}}}' },
    { name: "trailing commas", given: '{"mcpServers": {"a": {"command": "x", "args": ["1",],},},}' },
    { name: "a byte order mark", given: '\uFEFF{"mcpServers": {"a": {"command": "x"}}}' },
    { name: "Windows line ends", given: '{\r\n"mcpServers": {\r\n"a": {"command": "x"}}}\r\n' },
  ]
  for (const { name, given } of cases) test(`may have ${name}`, () => expect(servers(given)).toEqual(["a"]))

  test("keeps what looks like a comment inside a string", () => {
    expect(parse('{"mcpServers": {"a": {"url": "https://x/*y*/"}}}').servers.a).toMatchObject({ url: "https://x/*y*/" })
  })

  test("with a key that is there twice counts the last one and warns", () => {
    const { servers, warnings } = parse('{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}')
    expect(servers.a).toMatchObject({ command: "y" })
    expect(warnings).toEqual(["mcp_config.json: mcpServers.a is there more than once; the last one counts"])
  })
})

describe("a syntax error says where it is, what was expected and what was found", () => {
  const value = "expected a value, found a word without quotes"
  const cases = [
    {
      name: "missing comma",
      given: '{\n  "a": 1\n  "b": 2\n}',
      want: '3:3: expected "," between two entries, found a string',
    },
    { name: "missing colon", given: '{"a" 1}', want: '1:6: expected ":" after the key, found a number' },
    { name: "missing value", given: '{"a": }', want: '1:7: expected a value, found "}"' },
    { name: "missing brace", given: '{\n  "a": {}\n\n', want: '2:10: expected "}", found the end of the file' },
    { name: "missing bracket", given: '{"a": [1', want: '1:9: expected "]", found the end of the file' },
    { name: "word instead of a value", given: '{"a": yes}', want: `1:7: ${value}` },
    { name: "single quotes", given: "{\"a\": 'b'}", want: "1:7: expected a value, found a single quote" },
    { name: "bare key", given: "{a: 1}", want: "1:2: expected a key in double quotes, found a word without quotes" },
    { name: "two commas", given: '{"a": 1,, "b": 2}', want: '1:9: expected a key in double quotes, found ","' },
    { name: "text after the end", given: '{"a": 1}}', want: '1:9: expected the end of the file, found "}"' },
    {
      name: "open string",
      given: '{"a": "b\n}',
      want: "1:7: expected a string that ends with a double quote on its line, found a string",
    },
    {
      name: "path of Windows",
      given: '{"a": "C:\\Users"}',
      want: "1:7: expected a string with known escapes only, found a string",
    },
    { name: "open comment", given: "{} /* x", want: "1:4: expected a comment that ends with */, found a comment" },
    { name: "no JSON", given: "hello", want: `1:1: ${value}` },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => {
      const error = errorOf(given)
      expect(error.code).toBe("E_CONFIG_SYNTAX")
      expect(error.message.split("\n")[0]).toBe(`${file}:${want}`)
      expect(error.hint).toBeString()
    })
  }

  test("and shows the line with a mark under the place", () => {
    const given = '{\n  "mcpServers": {\n    "a": { "command" "npx" }\n  }\n}'
    expect(errorOf(given).message.split("\n").slice(1)).toEqual([
      '  2 |   "mcpServers": {',
      '  3 |     "a": { "*******" "***" }',
      "    |                      ^",
    ])
  })

  test("with line and column as data", () => {
    expect(errorOf('{\n "a": ?}').details).toMatchObject({ file, line: 2, column: 7, expected: "a value" })
  })

  test("and only a part of a very long line", () => {
    const given = `{"mcpServers": {${Array.from({ length: 500 }, (_, i) => `"s${i}": {"command": "x"}`).join(", ")} ?}}`
    for (const line of errorOf(given).message.split("\n")) expect(line.length).toBeLessThan(140)
  })

  const secrets = [
    '{"env": {"TOKEN": "hunter2" "B": "hunter2"}}',
    '{"env": {"TOKEN": hunter2}}',
    "{\"env\": {'TOKEN': 'hunter2'}}",
    '{"env": {"TOKEN: "hunter2"}}',
    '{"env": {"TOKEN": "hunter2\n}}',
    '{"env": {"TOKEN": "hunter2"\n"B": 1}}',
    '{"args": ["--key", "hunter2" "x"] // "hunter2" hunter2\n}',
    '{"url": "https://a:hunter2@b" ?}',
  ]
  for (const given of secrets) {
    test(`and repeats no value of ${given.replaceAll("\n", "⏎")}`, () => {
      const { message, hint, details } = errorOf(given)
      expect(JSON.stringify({ message, hint, details })).not.toContain("hunter2")
    })
  }
})

describe("a file without a configuration is an error", () => {
  for (const given of ["", " \n\t", "// only a comment\n", "\uFEFF"]) {
    test(JSON.stringify(given), () => {
      const error = errorOf(given)
      expect(error.code).toBe("E_CONFIG_SYNTAX")
      expect(error.message).toBe(`${file} is empty; a configuration is a JSON object`)
    })
  }

  for (const [given, found] of [
    ["[]", "an array"],
    ["null", "null"],
    ['"x"', "a string"],
    ["3", "a number"],
  ] as const) {
    test(`that holds ${found}`, () => {
      const error = errorOf(given)
      expect(error.code).toBe("E_CONFIG_INVALID")
      expect(error.message).toContain(`line 1: found ${found}, allowed: an object, such as {"mcpServers": {}}`)
    })
  }

  test("that is UTF-16", () => expect(errorOf("\uFFFD\uFFFD{\0}\0").message).toBe(`${file} is not UTF-8 text`))

  for (const depth of [3_000, 200_000]) {
    test(`that is nested ${depth} deep ends in an error, not in a crash`, () => {
      expect(errorOf("[".repeat(depth) + "]".repeat(depth)).code).toStartWith("E_CONFIG_")
    })
  }
})
