import { describe, expect, test } from "bun:test"
import { tmpdir } from "node:os"
import { version } from "../../src/version.ts"
import { createFolder, run } from "./captured-io.ts"

const cwd = tmpdir()
const commands = ["exec", "generate", "ls", "cat", "call", "servers", "tools", "doctor"]

describe("help", () => {
  test("is printed when no command is given", async () => {
    const { exitCode, stdout, stderr } = await run([], { cwd })
    expect(stdout).toStartWith("Usage: mcp-exec <command> [options]")
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    for (const command of commands) expect(stdout).toContain(`\n  ${command} `)
  })

  for (const command of commands) {
    test(`of ${command} has examples`, async () => {
      const { exitCode, stdout } = await run([command, "--help"], { cwd })
      expect(exitCode).toBe(0)
      expect(stdout).toContain(`Usage: mcp-exec ${command}`)
      expect(stdout.split("Examples:")[1]).toContain(`mcp-exec ${command}`)
    })
  }
})

describe("the version", () => {
  for (const argv of [["--version"], ["-V"], ["servers", "--version"]]) {
    test(`is printed by ${argv.join(" ")}`, async () => {
      expect(await run(argv, { cwd })).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" })
    })
  }

  test("is one JSON value with --json", async () => {
    const { stdout } = await run(["--version", "--json"], { cwd })
    expect(JSON.parse(stdout)).toEqual({ version })
  })
})

describe("wrong usage exits with 2 and", () => {
  const cases: { argv: string[]; message: string; hint: string }[] = [
    { argv: ["server"], message: "Unknown command 'server'", hint: "Did you mean one of serve, servers?" },
    {
      argv: ["frobnicate"],
      message: "Unknown command 'frobnicate'",
      hint: "The commands are init, exec, generate, ls, cat",
    },
    { argv: ["report.ts"], message: "Unknown command 'report.ts'", hint: "To run a script: mcp-exec exec report.ts" },
    { argv: ["servers", "--chek"], message: "Unknown option '--chek'", hint: "Did you mean --check?" },
    { argv: ["--jsno", "servers"], message: "Unknown option '--jsno'", hint: "Did you mean --json?" },
    { argv: ["servers", "extra"], message: "Too many arguments for 'servers'", hint: "--help" },
    { argv: ["call"], message: "Missing required argument 'server.tool'", hint: "--help" },
    { argv: ["tools"], message: "Missing required argument 'server'", hint: "--help" },
    { argv: ["servers", "--config"], message: "Option '--config <file>' argument missing", hint: "--help" },
    { argv: ["call", "a.b", "--timeout", "soon"], message: "It must be a number of seconds above 0", hint: "--help" },
    { argv: ["call", "a.b", "--timeout", "0"], message: "It must be a number of seconds above 0", hint: "--help" },
    { argv: ["servers", "--cwd", "nowhere"], message: "--cwd names a folder that does not exist", hint: "a folder" },
  ]
  for (const { argv, message, hint } of cases) {
    test(`says why: ${argv.join(" ")}`, async () => {
      const { exitCode, stdout, stderr } = await run(argv, { cwd })
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
      const [first, second, ...rest] = stderr.trimEnd().split("\n")
      expect(first).toStartWith("error[E_USAGE]: ")
      expect(first).toContain(message)
      expect(second).toStartWith("hint: ")
      expect(second).toContain(hint)
      expect(rest).toEqual([])
    })
  }

  test("is one JSON value with --json, wherever that stands", async () => {
    for (const argv of [
      ["--json", "bogus"],
      ["servers", "--json", "--bogus"],
      ["servers", "--bogus", "--json"],
    ]) {
      const { exitCode, stdout, stderr } = await run(argv, { cwd })
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "" })
      expect(JSON.parse(stdout).error.code).toBe("E_USAGE")
    }
  })
})

describe("options that work everywhere", () => {
  test("count before and after the command", async () => {
    await using folder = await createFolder({ here: { type: "builtin", name: "echo" } })
    for (const argv of [
      ["--json", "--cwd", folder.path, "servers"],
      ["servers", "--json", "--cwd", folder.path],
      ["--json", "servers", `--cwd=${folder.path}`],
      ["--config", `${folder.path}/mcp_config.json`, "servers", "--json"],
    ]) {
      const { exitCode, stdout } = await run(argv, { cwd })
      expect(exitCode).toBe(0)
      expect(JSON.parse(stdout).servers.map((server: { name: string }) => server.name)).toEqual(["here"])
    }
  })

  test("--config is relative to --cwd", async () => {
    await using folder = await createFolder()
    await folder.write("other.json", { mcpServers: { there: { type: "builtin", name: "echo" } } })
    const { stdout } = await run(["servers", "--json", "--config", "other.json", "--cwd", folder.path], { cwd })
    expect(JSON.parse(stdout).configFile).toBe(`${folder.path}/other.json`)
  })
})
