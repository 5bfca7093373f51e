import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { createProject, repository } from "../fixtures/project.ts"
import { captureIo, createFolder, type Folder, run } from "./captured-io.ts"
import { echo, missing, official } from "./servers-config.ts"

describe("generate", () => {
  let folder: Folder
  beforeAll(async () => {
    folder = await createFolder({ echo })
  })
  afterAll(() => folder[Symbol.asyncDispose]())
  const generate = (...argv: string[]) => run(["generate", ...argv], { cwd: folder.path })
  const configure = (mcpServers: unknown) => folder.write("mcp_config.json", { mcpServers })

  test("with --check exits with 1 when something is stale", async () => {
    const { exitCode, stdout } = await generate("--check")
    expect(exitCode).toBe(1)
    expect(stdout).toBe(
      "1 server, 4 tools (3 with typed results): servers/ is stale, 10 to write, 0 to remove: _runtime.ts, _search.json, echo/README.md, " +
        "echo/add.ts, echo/echo.ts, echo/fail.ts, echo/index.ts, echo/sleep.ts, echo/utils.ts, index.json\n",
    )
  })

  test("prints a summary", async () => {
    expect(await generate()).toEqual({
      exitCode: 0,
      stdout: "1 server, 4 tools (3 with typed results): 10 files written, 0 unchanged, 0 removed in servers/\n",
      stderr: "",
    })
    const { stdout } = await generate("echo", "--concurrency", "1")
    expect(stdout).toContain(": 0 files written, ")
    expect(await generate("--check")).toMatchObject({
      exitCode: 0,
      stdout: "1 server, 4 tools (3 with typed results): servers/ is up to date\n",
    })
  })

  test("says why a server failed, and exits with 4", async () => {
    await configure({ echo, gone: missing })
    for (const argv of [[], ["--check"]]) {
      const { exitCode, stdout } = await generate(...argv)
      const [failure, summary] = stdout.split("\n")
      expect(failure).toBe(
        "gone: error[E_SERVER_CONNECT]: The command of server 'gone' was not found: no-such-program-anywhere",
      )
      expect(summary).toStartWith("1 server, 4 tools")
      expect(exitCode).toBe(4)
    }
  })

  test("gives everything as data with --json", async () => {
    const { exitCode, stdout } = await generate("--json")
    expect(exitCode).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({
      directory: join(folder.path, "servers"),
      servers: [
        { name: "echo", ok: true, tools: 4, typedResults: 3 },
        { name: "gone", ok: false, error: { code: "E_SERVER_CONNECT" } },
      ],
      written: 0,
      removed: 0,
    })
  })

  test("shows on a terminal how far it is", async () => {
    const io = captureIo({ cwd: folder.path, tty: true, columns: 80 })
    const { runCli } = await import("../../src/cli/program.ts")
    await runCli(["generate"], io)
    expect(io.written.stderr).toContain("0/2 connecting")
    expect(io.written.stderr).toMatch(/2\/2 (echo|gone)/)
  })

  test("writes beside the configuration, wherever it is called", async () => {
    await configure({ echo })
    const { stdout } = await run(["generate", "--json", "--config", join(folder.path, "mcp_config.json")], { cwd: "/" })
    expect(JSON.parse(stdout).directory).toBe(join(folder.path, "servers"))
  })
})

describe("generate refuses", () => {
  test("to work without a configuration, and says how to begin", async () => {
    await using folder = await createFolder()
    const { exitCode, stderr } = await run(["generate"], { cwd: folder.path })
    expect(exitCode).toBe(3)
    expect(stderr).toStartWith("error[E_CONFIG_NOT_FOUND]: No mcp_config.json was found")
    expect(stderr).toContain("hint: Run mcp-exec init")
  })

  test("unknown servers and odd numbers", async () => {
    await using folder = await createFolder({ echo })
    const unknown = await run(["generate", "ecco"], { cwd: folder.path })
    expect(unknown.exitCode).toBe(2)
    expect(unknown.stderr).toContain("error[E_SERVER_UNKNOWN]")
    for (const number of ["0", "two", "1.5", ""]) {
      const { exitCode, stderr } = await run(["generate", "--concurrency", number], { cwd: folder.path })
      expect(exitCode).toBe(2)
      expect(stderr).toContain("It must be a whole number above 0.")
    }
  })
})

describe("what is generated", () => {
  const everything = official("everything")
  const project = createProject({ servers: { echo, everything, files: { ...official("filesystem", ".") } } })
  beforeAll(async () => {
    const { code, stdout } = await project.run(["generate"])
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("3 servers, ") })
  })
  afterAll(() => project[Symbol.dispose]())

  test("type-checks strictly, together with its runtime", async () => {
    const strict = ["strict", "noUncheckedIndexedAccess", "exactOptionalPropertyTypes", "verbatimModuleSyntax"]
    const switches = [...strict, "erasableSyntaxOnly", "noUnusedLocals", "noEmit", "allowImportingTsExtensions"]
    const compilerOptions = { target: "ESNext", module: "Preserve", types: [], ...fromNames(switches) }
    project.write({ "tsconfig.json": JSON.stringify({ compilerOptions, include: ["servers", "use.ts"] }) })
    const use = (params: string) =>
      `import { add } from "./servers/echo/index.ts"\nexport const sum: number = (await add(${params})).sum\n`
    project.write({ "use.ts": use("{ a: 1, b: 2 }") })
    expect(await typeCheck(project.directory)).toBe("")
    project.write({ "use.ts": use('{ a: "1", b: 2 }') })
    expect(await typeCheck(project.directory)).toStartWith("use.ts(2,")
  })

  test("runs in a script", async () => {
    project.write({
      "script.ts": `import { add, echo } from "./servers/echo/index.ts"
import { getSum } from "./servers/everything/index.ts"
import { listDirectory } from "./servers/files/listDirectory.ts"
const { content } = await listDirectory({ path: "." })
console.log(JSON.stringify([await add({ a: 1, b: 2 }), await getSum({ a: 3, b: 4 }), content.includes("mcp_config.json")]))
await echo({ unset: undefined })
`,
    })
    const { code, stdout, stderr } = await project.run(["exec", "script.ts"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(JSON.parse(stdout)).toEqual([{ sum: 3 }, "The sum of 3 and 4 is 7.", true])
  })
})

function fromNames(names: string[]): Record<string, true> {
  return Object.fromEntries(names.map((name) => [name, true] as const))
}

/** What tsc has to say about a folder. */
async function typeCheck(directory: string): Promise<string> {
  const tsc = join(repository, "node_modules/.bin/tsc")
  const child = Bun.spawn([tsc, "-p", "."], { cwd: directory, stdout: "pipe", stderr: "inherit" })
  return await new Response(child.stdout).text()
}
