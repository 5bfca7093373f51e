import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createFolder, type Folder, run } from "../captured-io.ts"
import { echo, fixture, official } from "../servers-config.ts"

let folder: Folder
beforeAll(async () => {
  folder = await createFolder({
    echo,
    files: official("filesystem", "."),
    "dotted.name": echo,
    imperfect: fixture("imperfect"),
    none: { ...echo, tools: { allow: ["nothing"] } },
  })
})
afterAll(() => folder[Symbol.asyncDispose]())

const tools = (...argv: string[]) => run(["tools", ...argv], { cwd: folder.path })

describe("tools", () => {
  test("lists names and the first line of each description", async () => {
    expect(await tools("echo")).toEqual({
      exitCode: 0,
      stdout:
        "echo   Returns its arguments\nadd    Adds two numbers\n" +
        "fail   Fails with the given message\nsleep  Answers after some milliseconds\n",
      stderr: "",
    })
  })

  test("lists the tools of a server whose tools are not quite right", async () => {
    const { exitCode, stdout } = await tools("imperfect")
    expect(exitCode).toBe(0)
    expect(stdout).toContain("null-description\n")
  })

  test("lists the tools of a server with a dot in its name", async () => {
    expect((await tools("dotted.name")).stdout).toStartWith("echo ")
    expect((await tools("dotted.name.add")).stdout).toStartWith("dotted.name.add\n")
  })

  test("gives full schemas with --json", async () => {
    const { stdout } = await tools("files", "--json")
    const { server, tools: list } = JSON.parse(stdout)
    expect(server).toBe("files")
    const tool = list.find(({ name }: { name: string }) => name === "read_text_file")
    expect(tool.inputSchema).toMatchObject({ required: ["path"], properties: { path: { type: "string" } } })
  })

  test("says so when a server has none", async () => {
    expect(await tools("none")).toEqual({ exitCode: 0, stdout: "", stderr: "Server 'none' has no tools.\n" })
  })

  test("describes one tool, named either way", async () => {
    for (const argv of [["echo", "add"], ["echo.add"], ["echo__add"]]) {
      const { exitCode, stdout } = await tools(...argv)
      expect(exitCode).toBe(0)
      expect(stdout).toBe(
        [
          "echo.add",
          "",
          "  Adds two numbers",
          "",
          "Arguments:",
          "  a  number  required",
          "  b  number  required",
          "",
          "Usage:",
          "  mcp-exec call echo.add a=<number> b=<number>",
          "",
        ].join("\n"),
      )
    }
  })

  test("gives one tool as data with --json", async () => {
    const { stdout } = await tools("echo.add", "--json")
    expect(JSON.parse(stdout)).toMatchObject({ server: "echo", tool: { name: "add", inputSchema: { type: "object" } } })
  })
})

describe("tools refuses", () => {
  test("an unknown server", async () => {
    const { exitCode, stderr } = await tools("file")
    expect(exitCode).toBe(2)
    expect(stderr).toContain("error[E_SERVER_UNKNOWN]: There is no server 'file'")
    expect(stderr).toContain("hint: Did you mean 'files'?")
  })

  test("an unknown tool", async () => {
    const { exitCode, stderr } = await tools("echo", "slep")
    expect(exitCode).toBe(2)
    expect(stderr).toBe(
      "error[E_TOOL_UNKNOWN]: Server 'echo' has no tool 'slep'\nhint: Did you mean 'sleep'? It has: echo, add, fail, sleep\n",
    )
  })
})
