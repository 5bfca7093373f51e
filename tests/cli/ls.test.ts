import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { createFolder, type Folder, run } from "./captured-io.ts"
import { echo, fixture } from "./servers-config.ts"

const files = { type: "builtin", name: "filesystem", args: ["."], description: "Files of this project. All of them." }
const disabled = { ...echo, disabled: true }

let folder: Folder
beforeAll(async () => {
  folder = await createFolder({ echo, files, odd: fixture("imperfect"), disabled })
  expect((await run(["generate"], { cwd: folder.path })).exitCode).toBe(0)
})
afterAll(() => folder[Symbol.asyncDispose]())

const ls = (...argv: string[]) => run(["ls", ...argv], { cwd: folder.path })

describe("ls", () => {
  test("lists the generated servers", async () => {
    const { exitCode, stdout, stderr } = await ls()
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(stdout).toMatch(/^echo {2}4 tools\nfiles {2}14 tools {2}Files of this project\nodd {2}\d+ tools\n$/)
    expect((await ls("servers")).stdout).toBe(stdout)
  })

  test("lists the tools of a server", async () => {
    expect(await ls("echo")).toEqual({
      exitCode: 0,
      stdout:
        "add(readonly)  Adds two numbers\necho(readonly)  Returns its arguments\n" +
        "fail(readonly)  Fails with the given message\nsleep(readonly)  Answers after some milliseconds\n",
      stderr: "",
    })
  })

  test("names a tool as its server does, where that is not its function's name", async () => {
    expect((await ls("files")).stdout).toContain(
      "\neditFile(edit_file, destructive)  Make line-based edits to a text file\n",
    )
  })

  test("costs few tokens", async () => {
    const { stdout } = await ls("files")
    expect(stdout.split("\n")).toHaveLength(15)
    expect(countTokens(stdout)).toBeLessThanOrEqual(350)
    expect(countTokens((await ls()).stdout)).toBeLessThanOrEqual(50)
  })

  test("gives data with --json", async () => {
    const directory = join(folder.path, "servers")
    expect(JSON.parse((await ls("--json")).stdout)).toMatchObject({
      directory,
      servers: [{ name: "echo", tools: 4 }, { name: "files", description: files.description }, { name: "odd" }],
    })
    const { server, tools } = JSON.parse((await ls("files", "--json")).stdout)
    expect(server).toBe("files")
    expect(tools.find(({ name }: { name: string }) => name === "move_file")).toMatchObject({
      export: "moveFile",
      file: "files/moveFile.ts",
      result: "declared",
      tags: ["destructive"],
    })
  })

  test("starts no server and needs no connection", async () => {
    await using own = await createFolder({ echo })
    await run(["generate"], { cwd: own.path })
    await own.write("mcp_config.json", { mcpServers: { echo: { command: "no-such-program-anywhere" } } })
    const { exitCode, stdout, stderr } = await run(["ls", "echo"], { cwd: own.path })
    expect(exitCode).toBe(0)
    expect(stdout).toContain("add(")
    expect(stderr).toContain("the configuration of echo has changed")
  })

  test("warns when servers/ is not what is configured", async () => {
    await using own = await createFolder({ echo, old: echo })
    await run(["generate"], { cwd: own.path })
    await own.write("mcp_config.json", { mcpServers: { echo, disabled, fresh: echo } })
    const { exitCode, stdout, stderr } = await run(["ls"], { cwd: own.path })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: "[WARNING] servers/ is stale: it lacks fresh; old is no longer configured. Run mcp-exec generate.\n",
    })
    expect(stdout).toContain("old  4 tools\n")
    const { stderr: hint } = await run(["ls", "fresh"], { cwd: own.path })
    expect(hint).toContain("hint: It is configured: run mcp-exec generate fresh.")
  })
})

describe("ls refuses", () => {
  test("an unknown server", async () => {
    const { exitCode, stdout, stderr } = await ls("fiels")
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toBe(
      "error[E_SERVER_UNKNOWN]: There is no server 'fiels' among the generated ones\n" +
        "hint: Did you mean 'files'? There are: echo, files, odd\n",
    )
    for (const name of ["__proto__", "constructor", ""]) {
      expect((await ls(name)).stderr).toStartWith("error[E_SERVER_UNKNOWN]")
    }
  })

  test("when nothing has been generated", async () => {
    await using own = await createFolder({ echo })
    const { exitCode, stderr } = await run(["ls"], { cwd: own.path })
    expect(exitCode).toBe(2)
    expect(stderr).toStartWith("error[E_USAGE]: Nothing has been generated in ")
    expect(stderr).toContain("hint: Run mcp-exec generate first.")
  })

  test("when there is no project at all", async () => {
    await using own = await createFolder()
    const { exitCode, stderr } = await run(["ls"], { cwd: own.path })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("hint: No mcp_config.json was found")
  })
})
