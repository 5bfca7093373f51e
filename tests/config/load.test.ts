import { afterAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadConfig } from "../../src/config/load.ts"
import { exitCodeFor } from "../../src/errors.ts"
import { errorOf, file, parse } from "./parse.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-exec-load-"))
afterAll(() => rmSync(folder, { recursive: true }))

describe("loadConfig", () => {
  test("without a file gives the defaults and no servers", async () => {
    const config = await loadConfig({ cwd: folder })
    expect<unknown>(config).toEqual({
      directory: folder,
      servers: {},
      workspace: folder,
      exec: { env: [] },
      discovery: "off",
      sandbox: {
        enabled: false,
        runtime: "auto",
        memory: "512m",
        cpus: 1,
        pids: 128,
        timeout: 30,
        maxTimeout: 120,
        maxOutput: "10m",
        network: "none",
        pool: 0,
      },
      serve: { maxOutputTokens: 25_000, maxRuns: 4, maxWaiting: 32, callsPerMinute: 1200 },
      warnings: [],
    })
  })

  test("reads a file, relative to the working directory", async () => {
    mkdirSync(join(folder, "sub"))
    writeFileSync(join(folder, "sub", "mine.json"), '{"mcpServers": {"a": {"command": "x"}}, "workspace": "../w"}')
    const config = await loadConfig({ file: "sub/mine.json", cwd: folder })
    expect(config).toMatchObject({
      file: join(folder, "sub", "mine.json"),
      directory: join(folder, "sub"),
      workspace: join(folder, "w"),
    })
    expect(Object.keys(config.servers)).toEqual(["a"])
  })

  const unreadable = [
    { name: "a missing file", given: "missing.json", want: "it does not exist" },
    { name: "a directory", given: ".", want: "it is a directory" },
  ]
  for (const { name, given, want } of unreadable) {
    test(`of ${name} is an error that says so`, async () => {
      const error = await loadConfig({ file: given, cwd: folder }).catch((error: unknown) => error)
      expect(error).toMatchObject({ code: "E_CONFIG_NOT_FOUND", message: expect.stringContaining(want) })
    })
  }
})

describe("the other sections", () => {
  test("keep an absolute workspace", () => expect(parse({ workspace: "/data" }).workspace).toBe("/data"))

  test("give scripts variables and a timeout", () => {
    expect(parse({ exec: { env: ["AWS_*", "HOME"], timeout: 1.5 } }).exec).toEqual({
      env: ["AWS_*", "HOME"],
      timeout: 1.5,
    })
  })

  const cases = [
    { given: { discovery: "on" }, want: 'discovery: found "on", allowed: "off", "observe"' },
    { given: { workspace: 3 }, want: "workspace: found 3, allowed: a string that is not empty" },
    { given: { workspace: " " }, want: "workspace: found an empty string, allowed: a string that is not empty" },
    { given: { exec: [] }, want: "exec: found an array, allowed: an object" },
    { given: { exec: { timeout: -1 } }, want: "exec.timeout: found -1, allowed: a number above 0" },
    { given: { exec: { env: "HOME" } }, want: "exec.env: found a string, allowed: an array of strings" },
    {
      given: { exec: { env: ["TOKEN=hunter2"] } },
      want: 'exec.env[0]: found a string, allowed: the name of a variable, or a glob such as "AWS_*"',
    },
  ]
  for (const { given, want } of cases) {
    test(`refuse ${JSON.stringify(given)}`, () => expect(errorOf(given).message).toEndWith(`: ${want}`))
  }
})

describe("an invalid configuration", () => {
  const text = `{
  // two servers
  "mcpServers": {
    "a": { "command": 1 },
    "b": {
      "url": "https://user:hunter2@",
      "headers": { "Authorization": ["hunter2"], "X": 7 }
    }
  },
  "sandbox": { "timeout": 500 }
}`

  test("lists every problem with its line, and what was found and is allowed", () => {
    expect(errorOf(text).message.split("\n")).toEqual([
      `${file} is not a valid configuration:`,
      "  line 4: mcpServers.a.command: found a number, allowed: a program's name or path",
      "  line 6: mcpServers.b.url: found a string, allowed: an http:// or https:// URL",
      "  line 7: mcpServers.b.headers.Authorization: found an array, allowed: a string",
      "  line 7: mcpServers.b.headers.X: found a number, allowed: a string (put it in quotes)",
      "  line 10: sandbox.timeout: timeout 500 exceeds maxTimeout 120",
    ])
  })

  test("has its problems as data", () => {
    expect((errorOf(text).details as unknown[])[0]).toEqual({
      path: "mcpServers.a.command",
      found: "a number",
      allowed: "a program's name or path",
      message: "found a number, allowed: a program's name or path",
      line: 4,
    })
  })

  test("ends in the exit code of configuration, with a hint", () => {
    const error = errorOf(text)
    expect(error.code).toBe("E_CONFIG_INVALID")
    expect(exitCodeFor(error)).toBe(3)
    expect(error.hint).toBe("Correct the file; `mcp-exec doctor` checks it again.")
  })

  test("repeats no value that may be a secret", () => {
    const { message, hint, details } = errorOf(text)
    expect(JSON.stringify({ message, hint, details })).not.toContain("hunter2")
  })

  test("is blamed on the line that counts when a key is there twice", () => {
    expect(errorOf('{\n"sandbox": {},\n"sandbox": {"cpus": 0}}').message).toContain("line 3: sandbox.cpus: found 0")
  })
})
