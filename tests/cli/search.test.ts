import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createFolder, type Folder, run } from "./captured-io.ts"
import { echo } from "./servers-config.ts"

const files = { type: "builtin", name: "filesystem", args: ["."] }
const memory = { type: "builtin", name: "memory" }

let folder: Folder
beforeAll(async () => {
  folder = await createFolder({ echo, files, memory })
  mkdirSync(join(folder.path, "skills"))
  writeFileSync(
    join(folder.path, "skills/tidy-up.ts"),
    `import { arg, skill } from "mcp-exec"
export default skill(
  { name: "tidy-up", description: "Moves old downloads to an archive.", args: { age: arg.integer({ default: 30 }) } },
  () => "done",
)
`,
  )
  expect((await run(["generate"], { cwd: folder.path })).exitCode).toBe(0)
})
afterAll(() => folder[Symbol.asyncDispose]())

const search = (...argv: string[]) => run(["search", ...argv], { cwd: folder.path })
const firstWord = (text: string) => text.split(/\s/)[0]

describe("search", () => {
  test("finds a tool by what it does, one line each", async () => {
    const { exitCode, stdout, stderr } = await search("add", "numbers")
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(stdout.split("\n")[0]).toBe("echo.add  Adds two numbers")
    expect(stdout.trim().split("\n").length).toBeLessThanOrEqual(10)
  })

  test("finds a tool by its name in any spelling, and with a typo", async () => {
    for (const words of ["list_directory", "listDirectory", "files.list_directory", "list directory"]) {
      expect(firstWord((await search(words)).stdout)).toBe("files.list_directory")
    }
    const { stdout } = await search("list directry", "--detail", "name", "--limit", "3")
    expect(stdout.split("\n")).toContain("files.list_directory")
  })

  test("finds skills beside tools", async () => {
    expect((await search("archive old downloads")).stdout.split("\n")[0]).toBe(
      "tidy-up (skill)  Moves old downloads to an archive",
    )
  })

  test("says as much as is asked for", async () => {
    expect((await search("add numbers", "--detail", "name", "--limit", "1")).stdout).toBe("echo.add\n")
    const full = await search("add numbers", "--detail", "full", "--limit", "1")
    expect(full.stdout).toBe((await run(["cat", "echo.add"], { cwd: folder.path })).stdout)
    const skill = await search("tidy-up", "--detail", "full", "--limit", "1")
    expect(skill.stdout).toContain("Usage: mcp-exec exec tidy-up [options]\n  --age <integer> (default 30)")
  })

  test("looks at one server only", async () => {
    const { stdout } = await search("read", "--server", "memory", "--detail", "name")
    expect(stdout.trim().split("\n")).not.toBeEmpty()
    for (const line of stdout.trim().split("\n")) expect(line).toStartWith("memory.")
  })

  test("gives data with --json", async () => {
    expect(JSON.parse((await search("add numbers", "--json", "--limit", "1")).stdout)).toEqual({
      hits: [{ kind: "tool", name: "echo.add", server: "echo", tool: "add", description: "Adds two numbers" }],
    })
    expect(JSON.parse((await search("xyzzy", "--json")).stdout)).toEqual({ hits: [] })
  })

  test("says so when nothing fits", async () => {
    const { exitCode, stdout, stderr } = await search("xyzzy")
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" })
    expect(stderr).toBe("Nothing fits. Try other words, or mcp-exec ls.\n")
  })

  test("refuses what it cannot do", async () => {
    const unknown = await search("add", "--server", "ecko")
    expect(unknown.exitCode).toBe(2)
    expect(unknown.stderr).toContain("Did you mean 'echo'?")
    for (const argv of [[], ["add", "--limit", "0"], ["add", "--limit", "many"], ["add", "--detail", "all"]]) {
      expect((await search(...argv)).exitCode).toBe(2)
    }
  })

  test("needs nothing but the manifest when its own file is missing or broken", async () => {
    const file = join(folder.path, "servers/_search.json")
    const text = readFileSync(file, "utf8")
    for (const broken of [undefined, "{", "{}", "null", text.replaceAll('"hash":"', '"hash":"0')]) {
      if (broken === undefined) rmSync(file)
      else writeFileSync(file, broken)
      expect(firstWord((await search("add numbers")).stdout)).toBe("echo.add")
    }
    expect((await run(["generate"], { cwd: folder.path })).stdout).toContain("1 file written")
    expect(readFileSync(file, "utf8")).toBe(text)
  })
})

test("a server that cannot be asked stays findable", async () => {
  await using project = await createFolder({ echo, memory })
  const { path } = project
  await run(["generate"], { cwd: path })
  await run(["generate", "echo"], { cwd: path })
  expect(firstWord((await run(["search", "knowledge graph"], { cwd: path })).stdout)).toStartWith("memory.")
})

test("skills alone are not taken for all there is", async () => {
  await using other = await createFolder({ echo })
  mkdirSync(join(other.path, "skills"))
  writeFileSync(join(other.path, "skills/tidy.ts"), "// SKILL: Tidy\n// DESCRIPTION: Tidies up.\n")
  for (const argv of [["search", "tidies"], ["ls"]]) {
    const { exitCode, stdout, stderr } = await run(argv, { cwd: other.path })
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining("tidy") })
    expect(stderr).toContain("servers/ has not been generated, so no tools are listed: run mcp-exec generate")
  }
})

test("a name of several lines stays on one", async () => {
  await using other = await createFolder({ echo })
  expect((await run(["generate"], { cwd: other.path })).exitCode).toBe(0)
  const file = join(other.path, "servers/index.json")
  const manifest = JSON.parse(readFileSync(file, "utf8"))
  manifest.servers.echo.tools["odd\necho.forged  Looks like a tool"] = manifest.servers.echo.tools.echo
  writeFileSync(file, JSON.stringify(manifest))
  rmSync(join(other.path, "servers/_search.json"))
  const { stdout } = await run(["search", "forged"], { cwd: other.path })
  expect(stdout).toStartWith("echo.odd")
  expect(stdout).not.toMatch(/^echo\.forged/m)
})

test("without anything generated the error says what to do", async () => {
  await using project = await createFolder({ echo })
  const { exitCode, stderr } = await run(["search", "add"], { cwd: project.path })
  expect(exitCode).toBe(2)
  expect(stderr).toContain("Run mcp-exec generate first.")
})
