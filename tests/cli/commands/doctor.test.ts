import { describe, expect, test } from "bun:test"
import { chmod, mkdir } from "node:fs/promises"
import { join } from "node:path"
import { createFolder, type IoOptions, run } from "../captured-io.ts"
import { echo, exits, missing } from "../servers-config.ts"

interface Check {
  area: string
  name: string
  status: string
  message: string
  hint?: string
  code?: string
}

async function doctor(options: IoOptions, ...argv: string[]) {
  const { exitCode, stdout } = await run(["doctor", "--json", ...argv], options)
  const result = JSON.parse(stdout)
  expect(result.exitCode).toBe(exitCode)
  const find = (name: string) => (result.checks as Check[]).find((check) => check.name === name)
  return { exitCode, ok: result.ok, find }
}

describe("doctor", () => {
  test("is content when nothing is wrong", async () => {
    await using folder = await createFolder({ echo, off: { ...missing, disabled: true } })
    const { exitCode, stdout } = await run(["doctor"], { cwd: folder.path })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^ok {4}configuration +\S+mcp_config.json is valid: 2 servers$/m)
    expect(stdout).toMatch(/^ok {4}server echo +4 tools, version \S+ \(\d+ ms\)$/m)
    expect(stdout).toMatch(/^note {2}server off +disabled$/m)
    expect(stdout).toMatch(/^ok {4}runtime +mcp-exec \S+, from source, /m)
    expect(stdout).toEndWith("\nNothing failed.\n")
  })

  test("exits with 4 and a hint when a server fails", async () => {
    await using folder = await createFolder({ echo, missing, exits })
    const { exitCode, ok, find } = await doctor({ cwd: folder.path })
    expect({ exitCode, ok }).toEqual({ exitCode: 4, ok: false })
    expect(find("missing")).toMatchObject({ status: "fail", code: "E_SERVER_CONNECT", hint: expect.any(String) })
    expect(find("exits")).toMatchObject({ status: "fail", hint: expect.stringContaining("API_KEY is not set") })
  })

  test("exits with 3 when a variable is not set", async () => {
    await using folder = await createFolder({
      echo,
      missing,
      keyed: { command: "x", env: { KEY: `\${NOT_SET_HERE}` } },
    })
    const { exitCode, find } = await doctor({ cwd: folder.path })
    expect(exitCode).toBe(3)
    expect(find("keyed")).toMatchObject({ code: "E_CONFIG_VARIABLE", message: expect.stringContaining("NOT_SET_HERE") })
  })

  test("exits with 3 when the configuration is wrong", async () => {
    await using folder = await createFolder()
    for (const [content, code] of [
      ["{", "E_CONFIG_SYNTAX"],
      ['{"mcpServers": {"a": {"command": 5}}}', "E_CONFIG_INVALID"],
    ] as const) {
      await folder.write("mcp_config.json", content)
      const { exitCode, find } = await doctor({ cwd: folder.path })
      expect(exitCode).toBe(3)
      expect(find("configuration")).toMatchObject({ status: "fail", code })
    }
  })

  test("exits with 3 when the named configuration is not there", async () => {
    await using folder = await createFolder()
    const { exitCode, find } = await doctor({ cwd: folder.path }, "--config", "none.json")
    expect(exitCode).toBe(3)
    expect(find("configuration")).toMatchObject({ code: "E_CONFIG_NOT_FOUND", hint: expect.any(String) })
  })

  test("warns when there is no configuration, and says how to start", async () => {
    await using folder = await createFolder()
    const { exitCode, find } = await doctor({ cwd: folder.path })
    expect(exitCode).toBe(0)
    expect(find("configuration")).toMatchObject({ status: "warn", hint: expect.stringContaining("mcp-exec init") })
  })

  test("shows the typos of a configuration", async () => {
    await using folder = await createFolder({ echo: { ...echo, descripton: "typo" } })
    const { exitCode, find } = await doctor({ cwd: folder.path })
    expect(exitCode).toBe(0)
    expect(find("configuration")).toMatchObject({ status: "warn", message: expect.stringContaining("descripton") })
  })
})

describe("doctor looks at container engines", () => {
  test("and notes that there is none", async () => {
    await using folder = await createFolder({ echo })
    const { exitCode, find } = await doctor({ cwd: folder.path, env: { PATH: folder.path } })
    expect(exitCode).toBe(0)
    expect(find("engine")).toMatchObject({ status: "note", hint: expect.stringContaining("podman or docker") })
  })

  test("and tells one that answers from one that does not", async () => {
    await using folder = await createFolder({ echo })
    await mkdir(join(folder.path, "bin"))
    await chmod(await folder.write("bin/podman", "#!/bin/sh\necho 5.6.0\n"), 0o755)
    await chmod(await folder.write("bin/docker", "#!/bin/sh\necho 'no daemon' >&2\nexit 1\n"), 0o755)
    const { exitCode, find } = await doctor({ cwd: folder.path, env: { PATH: `${folder.path}/bin:/usr/bin:/bin` } })
    expect(exitCode).toBe(0)
    expect(find("podman")).toMatchObject({ status: "ok", message: "version 5.6.0 answers" })
    expect(find("docker")).toMatchObject({ status: "note", message: expect.stringContaining("no daemon") })
  })
})

describe("doctor looks at the terminal", () => {
  test("and knows a pipe from a terminal", async () => {
    await using folder = await createFolder({ echo })
    const pipe = await doctor({ cwd: folder.path })
    expect(pipe.find("terminal")?.message).toContain("plain text, no colour, UTF-8, questions of servers are declined")
    const terminal = await doctor({ cwd: folder.path, tty: true })
    expect(terminal.find("terminal")?.message).toBe("output to a terminal, colour, UTF-8, servers may ask questions")
  })

  test("and warns about a locale without UTF-8", async () => {
    await using folder = await createFolder({ echo })
    const { exitCode, find } = await doctor({ cwd: folder.path, env: { LANG: "C" } })
    expect(exitCode).toBe(0)
    expect(find("terminal")).toMatchObject({ status: "warn", hint: expect.stringContaining("LANG=C.UTF-8") })
  })
})

test("doctor warns about a cache that cannot be written", async () => {
  await using folder = await createFolder({ echo })
  const file = await folder.write("file", "")
  const { exitCode, find } = await doctor({ cwd: folder.path, env: { MCP_EXEC_CACHE_DIR: join(file, "cache") } })
  expect(exitCode).toBe(0)
  expect(find("cache")).toMatchObject({ status: "warn", hint: expect.stringContaining("MCP_EXEC_CACHE_DIR") })
})
