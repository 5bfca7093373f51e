import { describe, expect, test } from "bun:test"
import { parseConfig } from "../../src/config/load.ts"
import { plainServer } from "../../src/config/plain-server.ts"

const textOf = (entry: unknown) => JSON.stringify({ mcpServers: { it: entry } })

describe("a server is known without validation", () => {
  const entries = {
    "with a command alone": { command: "program" },
    "with all that says how it is started": { command: "a", args: ["b", ""], env: { C: "d" }, cwd: "sub" },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the forms as a user writes them
    "with variables": { command: "${A}", args: ["${B:-c}"], env: { D: "${env:D}" } },
    "with its type": { type: "stdio", command: "program" },
    "with what concerns others": {
      command: "a",
      description: "b",
      timeout: 5,
      tools: { allow: ["x"] },
      keepAlive: true,
    },
  }
  for (const [name, entry] of Object.entries(entries)) {
    test(`${name}, as validation knows it`, () => {
      const text = textOf(entry)
      const { command, args, env, cwd } = plainServer(text, "it") ?? {}
      expect(parseConfig(text, { file: "/project/mcp_config.json" }).servers.it).toMatchObject({
        type: "stdio",
        disabled: false,
        command: command as string,
        args: args as string[],
        env: env as Record<string, string>,
        ...(cwd !== undefined && { cwd }),
      })
    })
  }
})

describe("a server is left to the validation", () => {
  const texts = {
    "in a file with comments": '{ // mine\n "mcpServers": { "it": { "command": "a" } } }',
    "in a file that is none": "",
    "that is not there": '{ "mcpServers": {} }',
    "whose name is every object's": '{ "mcpServers": { "other": {} } }',
    "that is disabled": textOf({ command: "a", disabled: true }),
    "on the network": textOf({ url: "http://127.0.0.1/" }),
    "that has an address, too": textOf({ command: "a", url: "http://127.0.0.1/" }),
    "of a type that has other spellings": textOf({ type: "local", command: "a" }),
    "that is part of the program": textOf({ type: "builtin", name: "echo" }),
    "on another runtime": textOf({ command: "node", args: ["a.js"], runtime: "bun" }),
    "with wrong arguments": textOf({ command: "a", args: [1] }),
    "with a wrong environment": textOf({ command: "a", env: { A: 1 } }),
    "with a wrong folder": textOf({ command: "a", cwd: 1 }),
    "that is no object": textOf("a"),
  }
  for (const [name, text] of Object.entries(texts)) {
    const server = name.startsWith("whose name") ? "constructor" : "it"
    test(name, () => expect(plainServer(text, server)).toBeUndefined())
  }
})
