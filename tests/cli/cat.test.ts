import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { createFolder, type Folder, run } from "./captured-io.ts"
import { echo } from "./servers-config.ts"

const files = { type: "builtin", name: "filesystem", args: ["."] }

let folder: Folder
beforeAll(async () => {
  folder = await createFolder({ echo, files, "dotted.name": echo })
  expect((await run(["generate"], { cwd: folder.path })).exitCode).toBe(0)
})
afterAll(() => folder[Symbol.asyncDispose]())

const cat = (...argv: string[]) => run(["cat", ...argv], { cwd: folder.path })
const fileText = (path: string) => readFileSync(join(folder.path, path), "utf8")

describe("cat", () => {
  test("prints what is needed to call a tool", async () => {
    expect(await cat("echo.add")).toEqual({
      exitCode: 0,
      stdout: `import { add } from "#servers/echo"
type AddParams = {
  a: number
  b: number
}
type AddResult = { sum: number }
/**
 * Adds two numbers
 * @readonly
 */
function add(params: AddParams): Promise<AddResult>
`,
      stderr: "",
    })
  })

  test("knows a tool by all its names", async () => {
    const { stdout } = await cat("files.edit_file")
    expect(stdout).toContain("function editFile(params: EditFileParams)")
    for (const name of ["files__edit_file", "files/edit_file", "files.editFile", "files/editfile", "files.edit-file"]) {
      expect((await cat(name)).stdout).toBe(stdout)
    }
    expect((await cat("dotted.name.add")).stdout).toContain("function add(")
  })

  test("prints the list of a server", async () => {
    expect((await cat("echo")).stdout).toBe(fileText("servers/echo/README.md"))
    expect((await cat("dotted.name")).stdout).toStartWith("# dotted.name\n")
  })

  test("prints the file itself with --source", async () => {
    expect((await cat("files.move_file", "--source")).stdout).toBe(fileText("servers/files/moveFile.ts"))
    expect((await cat("echo", "--source")).stdout).toBe(fileText("servers/echo/index.ts"))
  })

  test("gives data with --json", async () => {
    expect(JSON.parse((await cat("files.moveFile", "--json")).stdout)).toEqual({
      server: "files",
      tool: "move_file",
      export: "moveFile",
      import: 'import { moveFile } from "#servers/files"',
      file: "servers/files/moveFile.ts",
      text: expect.stringContaining("function moveFile("),
    })
    expect(JSON.parse((await cat("echo", "--json")).stdout)).toMatchObject({
      server: "echo",
      file: "servers/echo/README.md",
    })
  })

  test("costs few tokens", async () => {
    const { tools } = JSON.parse((await run(["ls", "files", "--json"], { cwd: folder.path })).stdout)
    const costs: number[] = []
    for (const { name } of tools) costs.push(countTokens((await cat(`files.${name}`)).stdout))
    costs.sort((a, b) => a - b)
    expect(costs).toHaveLength(14)
    expect(costs[7]).toBeLessThanOrEqual(150)
  })
})

describe("cat refuses", () => {
  const cases = [
    {
      target: "files.edit_fil",
      error: "E_TOOL_UNKNOWN]: Server 'files' has no generated tool 'edit_fil'",
      hint: "Did you mean 'editFile'? It has: createDirectory, ",
    },
    { target: "fles.editFile", error: "E_SERVER_UNKNOWN]: There is no server 'fles'", hint: "Did you mean 'files'?" },
    { target: "ecko", error: "E_SERVER_UNKNOWN]: There is no server 'ecko'", hint: "Did you mean 'echo'?" },
    { target: "readFile", error: "E_SERVER_UNKNOWN]", hint: "Did you mean the tool files.readFile?" },
    { target: "echo.", error: "E_USAGE]", hint: "Write server.tool" },
    { target: "echo.__proto__", error: "E_TOOL_UNKNOWN]", hint: "It has: add, echo, fail, sleep" },
  ]
  for (const { target, error, hint } of cases) {
    test(target, async () => {
      const { exitCode, stdout, stderr } = await cat(target)
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
      expect(stderr).toContain(`error[${error}`)
      expect(stderr).toContain(`hint: ${hint}`)
    })
  }

  test("a tool of many: at most ten are listed", async () => {
    expect((await cat("files.zzz")).stderr).toContain(", and 4 more\n")
  })

  test("when nothing has been generated, or a file is gone", async () => {
    await using own = await createFolder({ echo })
    expect((await run(["cat", "echo.add"], { cwd: own.path })).stderr).toContain("hint: Run mcp-exec generate first.")
    await run(["generate"], { cwd: own.path })
    rmSync(join(own.path, "servers/echo/add.ts"))
    const { exitCode, stderr } = await run(["cat", "echo.add"], { cwd: own.path })
    expect(exitCode).toBe(1)
    expect(stderr).toContain("error[E_STATE]")
    expect(stderr).toContain("hint: Run mcp-exec generate to write it again.")
  })
})
