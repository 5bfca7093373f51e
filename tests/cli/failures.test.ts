import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createFolder, type Folder, run } from "./captured-io.ts"
import { echo, exits, fixture, missing, unreachable } from "./servers-config.ts"

let folder: Folder
beforeAll(async () => {
  folder = await createFolder({
    echo,
    exits,
    missing,
    unreachable,
    silent: { ...fixture("silent"), timeout: 300 },
    crash: fixture("crash"),
    keyed: { command: "x", env: { KEY: `\${NOT_SET_HERE}` } },
    off: { ...echo, disabled: true },
  })
  await folder.write("syntax.json", '{\n  "mcpServers": {\n    "a": oops\n  }\n}')
  await folder.write("invalid.json", { mcpServers: { a: { command: 5 } } })
})
afterAll(() => folder[Symbol.asyncDispose]())

interface Case {
  name: string
  argv: string[]
  code: string
  exitCode: number
  says: string[]
}

const cases: Case[] = [
  {
    name: "a command that is not found",
    argv: ["call", "missing.tool"],
    code: "E_SERVER_CONNECT",
    exitCode: 4,
    says: ["no-such-program-anywhere", "hint: Install it, or correct `command` of server 'missing'"],
  },
  {
    name: "a server that exits at start",
    argv: ["tools", "exits"],
    code: "E_SERVER_CONNECT",
    exitCode: 4,
    says: ["exited with code 7", "hint: It wrote to stderr:", "fatal: API_KEY is not set"],
  },
  {
    name: "an address where nobody answers",
    argv: ["call", "unreachable.tool"],
    code: "E_SERVER_CONNECT",
    exitCode: 4,
    says: ["http://127.0.0.1:9/mcp", "hint: Is it running?"],
  },
  {
    name: "a server that stays silent",
    argv: ["tools", "silent"],
    code: "E_SERVER_TIMEOUT",
    exitCode: 4,
    says: ["did not answer within", "hint: "],
  },
  {
    name: "a disabled server",
    argv: ["call", "off.echo"],
    code: "E_SERVER_DISABLED",
    exitCode: 3,
    says: ["hint: Remove `disabled`"],
  },
  {
    name: "a variable that is not set",
    argv: ["call", "keyed.tool"],
    code: "E_CONFIG_VARIABLE",
    exitCode: 3,
    says: ["NOT_SET_HERE", "mcpServers.keyed.env.KEY", "hint: Export NOT_SET_HERE"],
  },
  {
    name: "a configuration that is not JSON",
    argv: ["servers", "--config", "syntax.json"],
    code: "E_CONFIG_SYNTAX",
    exitCode: 3,
    says: ["syntax.json", "3:10"],
  },
  {
    name: "a configuration that does not validate",
    argv: ["servers", "--config", "invalid.json"],
    code: "E_CONFIG_INVALID",
    exitCode: 3,
    says: ["invalid.json", "mcpServers.a.command", "hint: "],
  },
  {
    name: "a configuration that is not there",
    argv: ["call", "echo.echo", "--config", "none.json"],
    code: "E_CONFIG_NOT_FOUND",
    exitCode: 3,
    says: ["none.json", "hint: Give --config"],
  },
]

describe("what is wrong has a code, an exit code and says what to do:", () => {
  for (const { name, argv, code, exitCode, says } of cases) {
    test(name, async () => {
      const text = await run(argv, { cwd: folder.path })
      expect({ exitCode: text.exitCode, stdout: text.stdout }).toEqual({ exitCode, stdout: "" })
      expect(text.stderr).toStartWith(`error[${code}]: `)
      for (const part of says) expect(text.stderr).toContain(part)
      // No stack of ours, and no credential of theirs.
      expect(text.stderr).not.toMatch(/^\s+at /m)
      expect(text.stderr).not.toContain("hunter2")
    })

    test(`${name}, as JSON`, async () => {
      const json = await run(["--json", ...argv], { cwd: folder.path })
      expect({ exitCode: json.exitCode, stderr: json.stderr }).toEqual({ exitCode, stderr: "" })
      expect(JSON.parse(json.stdout)).toMatchObject({ error: { code, message: expect.any(String) } })
    })
  }
})

test("--verbose shows stack and cause on stderr", async () => {
  const { stdout, stderr } = await run(["call", "missing.tool", "--verbose", "--json"], { cwd: folder.path })
  expect(JSON.parse(stdout).error.code).toBe("E_SERVER_CONNECT")
  expect(stderr).toMatch(/^\s+at /m)
  expect(stderr).toContain("caused by: ")
})
