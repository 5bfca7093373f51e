import { describe, expect, test } from "bun:test"
import { createFolder, run } from "../captured-io.ts"
import { echo, exits, missing, official, unreachable } from "../servers-config.ts"

describe("servers", () => {
  test("lists what is configured without starting anything", async () => {
    await using folder = await createFolder({
      echo: { ...echo, description: "Says it again\nand again" },
      far: { ...unreachable, headers: { Authorization: "Bearer hunter2" } },
      local: { command: "server", args: ["--api-key", "hunter2"], env: { TOKEN: "hunter2" } },
      off: { command: "never", disabled: true },
    })
    const { exitCode, stdout, stderr } = await run(["servers"], { cwd: folder.path })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(stdout).toBe(
      [
        "NAME   TRANSPORT        ENDPOINT",
        "echo   builtin          echo  Says it again",
        "far    http             http://127.0.0.1:9/mcp",
        "local  stdio            server --api-key ***",
        "off    stdio, disabled  never",
        "",
      ].join("\n"),
    )
    const json = await run(["servers", "--json"], { cwd: folder.path })
    expect(json.stdout).not.toContain("hunter2")
    expect(JSON.parse(json.stdout)).toEqual({
      configFile: `${folder.path}/mcp_config.json`,
      servers: [
        {
          name: "echo",
          transport: "builtin",
          endpoint: "echo",
          description: "Says it again\nand again",
          disabled: false,
        },
        { name: "far", transport: "http", endpoint: "http://127.0.0.1:9/mcp", disabled: false },
        { name: "local", transport: "stdio", endpoint: "server --api-key ***", disabled: false },
        { name: "off", transport: "stdio", endpoint: "never", disabled: true },
      ],
    })
  })

  test("says how to start when nothing is configured", async () => {
    await using folder = await createFolder()
    const text = await run(["servers"], { cwd: folder.path, env: { MCP_EXEC_CONFIG: "" } })
    expect({ exitCode: text.exitCode, stdout: text.stdout }).toEqual({ exitCode: 0, stdout: "" })
    expect(text.stderr).toStartWith("No mcp_config.json was found.\nhint: Run mcp-exec init")
    const json = await run(["servers", "--json"], { cwd: folder.path })
    expect(JSON.parse(json.stdout)).toEqual({ servers: [] })
  })

  test("prints the warnings of the configuration once", async () => {
    await using folder = await createFolder()
    await folder.write("mcp_config.json", { mcpServers: { echo: { ...echo, descripton: "typo" } } })
    const { exitCode, stderr } = await run(["servers", "--check"], { cwd: folder.path })
    expect(exitCode).toBe(0)
    expect(stderr.match(/^\[WARNING\] .*descripton.*$/gm)).toHaveLength(1)
    const quiet = await run(["servers", "--quiet"], { cwd: folder.path })
    expect(quiet.stderr).toBe("")
  })
})

describe("servers --check", () => {
  test("connects to every enabled server", async () => {
    await using folder = await createFolder({
      echo,
      files: official("filesystem", "."),
      off: { ...missing, disabled: true },
    })
    const { exitCode, stdout } = await run(["servers", "--check"], { cwd: folder.path })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^echo +builtin +ok +4 +\S+ +\d+ ms$/m)
    expect(stdout).toMatch(/^files +stdio +ok +\d+ +\S+ +\d+ ms$/m)
    expect(stdout).toMatch(/^off +stdio +disabled +- +- +-$/m)
  })

  test("shows why a server cannot be reached, and exits with 4", async () => {
    await using folder = await createFolder({ echo, missing, unreachable, exits })
    const { exitCode, stdout } = await run(["servers", "--check"], { cwd: folder.path })
    expect(exitCode).toBe(4)
    expect(stdout).toMatch(/^echo +builtin +ok /m)
    for (const name of ["missing", "unreachable", "exits"]) {
      expect(stdout).toMatch(new RegExp(`^${name} +\\w+ +failed +- +- `, "m"))
      expect(stdout).toContain(`\n${name}: error[E_SERVER_CONNECT]: `)
    }
    expect(stdout).toContain("  hint: Install it, or correct `command`")
    expect(stdout).not.toContain("hunter2")
  })

  test("gives errors as data with --json", async () => {
    await using folder = await createFolder({ echo, missing })
    const { exitCode, stdout } = await run(["servers", "--check", "--json"], { cwd: folder.path })
    expect(exitCode).toBe(4)
    const [first, second] = JSON.parse(stdout).servers
    expect(first.check).toMatchObject({ ok: true, tools: 4 })
    expect(second.check).toMatchObject({ ok: false, exitCode: 4, error: { code: "E_SERVER_CONNECT" } })
  })
})
