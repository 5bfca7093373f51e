// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as they stand in configurations
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { toEntry } from "../../../src/config/import/entry.ts"
import { importServers } from "../../../src/config/import/import-servers.ts"
import { startsOurselves } from "../../../src/config/import/own-entry.ts"
import { placeOf } from "../../../src/config/import/program.ts"
import { programs } from "../../../src/config/import/programs.ts"
import { plainSecrets } from "../../../src/config/import/secrets.ts"
import { validateServers } from "../../../src/config/servers.ts"
import { json } from "./cases/case.ts"
import { createMachine } from "./machine.ts"

const servers = (entries: Record<string, unknown>) => json({ mcpServers: entries })

describe("importing from several programs", () => {
  test("takes the same server once, and gives different ones of a name a name of their own", async () => {
    using machine = createMachine({
      "./.mcp.json": servers({ a: { command: "x", args: ["1"] }, b: { command: "b" } }),
      "./.cursor/mcp.json": servers({ a: { args: ["1"], type: "stdio", command: "x" }, b: { command: "other" } }),
    })
    const result = await machine.import("cursor", "claude")
    expect(result.servers).toEqual({
      a: { command: "x", args: ["1"] },
      b: { command: "b" },
      "b-cursor": { command: "other" },
    })
    expect(result.notes).toEqual(["cursor: b: another program has a different 'b', so this one is called 'b-cursor'"])
    expect(result.files).toEqual(["./.mcp.json", "./.cursor/mcp.json"])
  })

  test("goes on after a broken file, which is named with line and column and without its text", async () => {
    using machine = createMachine({
      "~/.claude.json": '{ "mcpServers": { "a": { "env": { "TOKEN": hunter2 } } } }',
      "~/.cursor/mcp.json": "",
      "~/.gemini/settings.json": servers({ g: { command: "g" } }),
    })
    const result = await machine.import("all")
    expect(result.servers).toEqual({ g: { command: "g" } })
    expect(result.notes).toEqual([
      "claude: not read: ~/.claude.json:1:44: expected a value, found a word without quotes",
    ])
    expect(result.files).toEqual(["~/.cursor/mcp.json", "~/.gemini/settings.json"])
  })

  test("refuses a program it does not know", async () => {
    const place = placeOf({ HOME: "/nowhere" }, "/nowhere/project")
    const failure = await importServers(place, ["curser"]).catch((error) => error)
    expect([failure.code, failure.hint]).toEqual([
      "E_USAGE",
      "Did you mean cursor? There are claude, claude-desktop, cursor, vscode, codex, windsurf, gemini, opencode, zed, cline, goose, copilot, all.",
    ])
  })
})

describe("hostile and odd entries", () => {
  test("are skipped with a reason, and never the others with them", async () => {
    using machine = createMachine({
      "./.mcp.json": `{ "mcpServers": {
        "__proto__": { "command": "p" },
        "constructor": { "command": "c" },
        "a/../b\\u0007": { "command": "path" },
        " ": { "command": "blank" },
        "self": { "command": "mcp-exec", "args": ["serve"] },
        "none": {},
        "list": [],
        "numbers": { "command": 5, "args": "x" },
        "both": { "command": "x", "url": "https://x.example" },
        "ftp": { "url": "ftp://x.example" },
        "odd-type": { "type": "carrier-pigeon", "command": "x" },
        "secret": { "command": "x", "env": { "PASSWORD": ["hunter2"] } }
      } }`,
    })
    const result = await machine.import("claude")
    expect(Object.entries(result.servers)).toEqual([
      ["__proto__", { command: "p" }],
      ["constructor", { command: "c" }],
      ["a-..-b-", { command: "path" }],
      ["server", { command: "blank" }],
    ])
    expect(result.notes).toEqual([
      'claude: a-..-b-: was called "a/../b\\u0007"',
      'claude: server: was called " "',
      "claude: self: skipped: it starts mcp-exec itself",
      "claude: none: skipped: needs `command` (stdio) or `url` (http)",
      "claude: numbers: skipped: args: found a string, allowed: an array of strings",
      "claude: both: skipped: has both; allowed: `command` (stdio) or `url` (http), or a `type` that says which one counts",
      "claude: ftp: skipped: url: found a string, allowed: an http:// or https:// URL",
      'claude: odd-type: skipped: type: found "carrier-pigeon", allowed: "stdio", "http", "sse", "builtin"',
      "claude: secret: skipped: env.PASSWORD: found an array, allowed: a string",
    ])
  })

  test("with a home that is not there, nothing is found and nothing is thrown", async () => {
    const { servers: found, sources } = await importServers(placeOf({ HOME: "/nowhere" }, "/nowhere/p"), ["all"])
    expect([found.size, sources]).toEqual([0, []])
  })

  test("of any shape never break an importer", () => {
    const fields = [
      ...["type", "command", "args", "env", "cwd", "url", "headers", "timeout", "disabled", "tools", "transport"],
      ...["oauth", "serverUrl", "httpUrl", "tcp", "includeTools", "environment", "enabled", "envFile", "settings"],
    ]
    const entry = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 2 }))
    const entries = fc.dictionary(fc.string(), fc.oneof(entry, fc.jsonValue()))
    const place = placeOf({ HOME: "/nowhere" }, "/nowhere/p", "linux")
    // Read YAML too; TOML has no text for every value.
    const readers = programs.filter(({ name }) => name !== "codex")
    fc.assert(
      fc.property(entries, fc.constantFrom(...readers), (given, { read, dialect }) => {
        const file = { mcpServers: given, servers: given, mcp: given, context_servers: given, extensions: given }
        for (const { name, entry: found, notes } of read(json(file), { path: "/x.json", scope: "user" }, place)) {
          expect(Object.hasOwn(given, name) || Object.hasOwn(Object(given.servers), name)).toBe(true)
          // What cannot be started has a reason.
          expect(found !== undefined || notes.length > 0).toBe(true)
          const converted = toEntry(found ?? {}, { server: name, dialect, place, note: () => {} })
          validateServers({ [name]: converted }, [])
          expect([startsOurselves(converted), plainSecrets(converted)]).toBeArray()
        }
      }),
    )
  })

  test("survive a YAML file whose aliases multiply", async () => {
    const levels = Array.from({ length: 9 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`)
    using machine = createMachine({
      "~/.config/goose/config.yaml": `l0: &l0 [x]\n${levels.join("\n")}\nextensions: *l9\n`,
    })
    const { notes } = await machine.import("goose")
    expect(notes).toEqual(["goose: not read: ~/.config/goose/config.yaml cannot be read as YAML"])
  })
})
