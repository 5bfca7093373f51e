import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { addServers, defaultConfigText, newConfig } from "../../../src/operations/init/config-file.ts"
import { repository } from "../../fixtures/project.ts"

const file = "/project/mcp_config.json"
const servers = (entries: Record<string, Record<string, unknown>>) => new Map(Object.entries(entries))

describe("a new configuration", () => {
  test("has the servers that need nothing installed, as this repository's own", () => {
    expect(newConfig(new Map(), file)).toEqual({
      text: defaultConfigText,
      added: ["filesystem", "memory", "fetch"],
      differing: [],
    })
    expect(readFileSync(join(repository, "mcp_config.json"), "utf8")).toBe(defaultConfigText)
  })

  test("has the imported servers instead, when there are any", () => {
    const { text, added } = newConfig(servers({ a: { command: "a" } }), file)
    expect(JSON.parse(text)).toEqual({ mcpServers: { a: { command: "a" } } })
    expect(added).toEqual(["a"])
  })
})

describe("servers that are added", () => {
  test("leave comments and other servers as they are", () => {
    const existing = '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "a" }, // first\n  },\n}\n'
    const edit = addServers(existing, servers({ b: { url: "https://b.example/mcp" } }), { file, replace: false })
    expect(edit.text).toBe(
      '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "a" }, // first\n    "b": {\n      "url": "https://b.example/mcp"\n    },\n  },\n}\n',
    )
    expect(addServers(edit.text, servers({ b: { url: "https://b.example/mcp" } }), { file, replace: false })).toEqual({
      text: edit.text,
      added: [],
      differing: [],
    })
  })

  test("do not replace one of the same name that differs, unless they may", () => {
    const existing = '{"mcpServers":{"a":{"command":"mine"}}}'
    const other = servers({ a: { command: "theirs" } })
    expect(addServers(existing, other, { file, replace: false })).toEqual({
      text: existing,
      added: [],
      differing: ["a"],
    })
    const replaced = addServers(existing, other, { file, replace: true })
    expect(JSON.parse(replaced.text)).toEqual({ mcpServers: { a: { command: "theirs" } } })
  })

  test("may have any name", () => {
    const { text } = addServers("{}", servers({ "a b": { command: "x" }, constructor: { command: "y" } }), {
      file,
      replace: false,
    })
    expect(Object.keys(JSON.parse(text).mcpServers)).toEqual(["a b", "constructor"])
  })
})
