import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createFolder, type Folder, type IoOptions, run } from "../captured-io.ts"
import { echo, fixture, official } from "../servers-config.ts"

let folder: Folder
beforeAll(async () => {
  folder = await createFolder({
    echo,
    files: official("filesystem", "."),
    everything: official("everything"),
    imperfect: fixture("imperfect"),
    limited: { ...echo, tools: { deny: ["f*"] } },
  })
  await folder.write("notes.txt", "one\ntwo\nthree\n")
  await folder.write("args.json", '{"a": 20, "b": 22}')
})
afterAll(() => folder[Symbol.asyncDispose]())

const call = (argv: string[], options: Partial<IoOptions> = {}) =>
  run(["call", ...argv], { cwd: folder.path, ...options })

describe("call prints", () => {
  test("data as JSON", async () => {
    expect(await call(["echo.add", "a=1", "b=2"])).toEqual({ exitCode: 0, stdout: '{\n  "sum": 3\n}\n', stderr: "" })
  })

  test("text as text, with one newline at its end", async () => {
    const { stdout } = await call(["everything.echo", "message=1.10"])
    expect(stdout).toBe("Echo: 1.10\n")
  })

  test("text as a JSON string with --json", async () => {
    const { stdout } = await call(["everything.echo", "message=hi", "--json"])
    expect(stdout).toBe('"Echo: hi"\n')
  })

  test("the MCP result untouched with --raw", async () => {
    const { stdout } = await call(["everything.echo", "message=hi", "--raw"])
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: "text", text: "Echo: hi" }] })
  })

  test("a failed result with --raw, and exits with 1", async () => {
    const { exitCode, stdout } = await call(["echo.fail", "message=no", "--raw"])
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ isError: true })
  })
})

describe("call accepts", () => {
  test("every way to name a tool", async () => {
    for (const target of [["echo.add"], ["echo__add"], ["echo/add"], ["echo", "add"]]) {
      expect((await call([...target, "a=1", "b=1"])).exitCode).toBe(0)
    }
  })

  test("all arguments as JSON, from a file and from standard input", async () => {
    for (const args of ['{"a": 20, "b": 22}', "@args.json", "-"]) {
      const { stdout } = await call(["echo.add", "--args", args], { stdin: '{"a": 20, "b": 22}' })
      expect(JSON.parse(stdout)).toEqual({ sum: 42 })
    }
  })

  test("single arguments on top of all", async () => {
    const { stdout } = await call(["echo.add", "--args", "@args.json", "b=-20"])
    expect(JSON.parse(stdout)).toEqual({ sum: 0 })
  })

  test("the content of a file and of standard input as values", async () => {
    const { stdout } = await call(["echo.echo", "file=@notes.txt", "input=@-", "at=@@home"], { stdin: "typed" })
    expect(JSON.parse(stdout)).toEqual({ file: "one\ntwo\nthree\n", input: "typed", at: "@home" })
  })

  test("arguments read as the schema of a real server says", async () => {
    const { stdout } = await call(["files.read_text_file", "path=notes.txt", "head=2", "--json"])
    expect(JSON.stringify(JSON.parse(stdout))).toContain("one\\ntwo")
    expect(stdout).not.toContain("three")
  })

  test("a repeated argument as an array", async () => {
    const { exitCode, stdout } = await call(["files.read_multiple_files", "paths=notes.txt", "paths=args.json"])
    expect(exitCode).toBe(0)
    expect(stdout).toContain("three")
    expect(stdout).toContain("22")
  })

  test("a tool without a schema", async () => {
    expect((await call(["imperfect.no-schema", "a=1"])).stdout).toBe("called\n")
  })
})

describe("call refuses", () => {
  const cases: { name: string; argv: string[]; code: string; exitCode: number; message: string; hint?: string }[] = [
    {
      name: "a wrong type",
      argv: ["echo.add", "a=one", "b=2"],
      code: "E_TOOL_ARGUMENTS",
      exitCode: 2,
      message: 'echo.add: a must be a number, found "one"',
      hint: "Usage: mcp-exec call echo.add a=<number> b=<number>",
    },
    {
      name: "a call without what is required",
      argv: ["files.read_text_file"],
      code: "E_TOOL_ARGUMENTS",
      exitCode: 2,
      message: "files.read_text_file: missing argument path",
      hint: "Usage: mcp-exec call files.read_text_file path=<string>",
    },
    {
      name: "an unknown server",
      argv: ["ecko.add"],
      code: "E_SERVER_UNKNOWN",
      exitCode: 2,
      message: "There is no server 'ecko'",
      hint: "Did you mean 'echo'? There are: echo, files",
    },
    {
      name: "an unknown tool",
      argv: ["echo.ad", "a=1"],
      code: "E_TOOL_UNKNOWN",
      exitCode: 2,
      message: "Server 'echo' has no tool 'ad'",
      hint: "Did you mean 'add'? It has: echo, add, fail, sleep",
    },
    {
      name: "an unknown tool of a real server",
      argv: ["files.read_text_fil", "path=a"],
      code: "E_TOOL_UNKNOWN",
      exitCode: 2,
      message: "Server 'files' has no tool 'read_text_fil'",
      hint: "Did you mean 'read_text_file'?",
    },
    {
      name: "a server alone",
      argv: ["echo"],
      code: "E_USAGE",
      exitCode: 2,
      message: "'echo' names a server",
      hint: "server.tool",
    },
    {
      name: "a denied tool",
      argv: ["limited.fail"],
      code: "E_TOOL_DENIED",
      exitCode: 5,
      message: "'fail'",
      hint: "tools.deny",
    },
    {
      name: "a word",
      argv: ["echo.add", "a=1", "b"],
      code: "E_USAGE",
      exitCode: 2,
      message: "key=value",
      hint: "--args",
    },
  ]
  for (const { name, argv, code, exitCode, message, hint } of cases) {
    test(name, async () => {
      const text = await call(argv)
      expect({ exitCode: text.exitCode, stdout: text.stdout }).toEqual({ exitCode, stdout: "" })
      expect(text.stderr).toStartWith(`error[${code}]: `)
      expect(text.stderr).toContain(message)
      if (hint !== undefined) expect(text.stderr).toContain(hint)
      const json = await call([...argv, "--json"])
      expect({ exitCode: json.exitCode, stderr: json.stderr }).toEqual({ exitCode, stderr: "" })
      expect(JSON.parse(json.stdout).error).toMatchObject({ code, message: expect.stringContaining(message) })
    })
  }
})

describe("call fails", () => {
  test("with what the tool said", async () => {
    const { exitCode, stdout, stderr } = await call(["echo.fail", "message=out of paper"])
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "error[E_TOOL_FAILED]: echo.fail: out of paper\n",
    })
  })

  test("with 124 when it takes longer than --timeout", async () => {
    const { exitCode, stderr } = await call(["echo.sleep", "ms=20000", "--timeout", "0.1"])
    expect(exitCode).toBe(124)
    expect(stderr).toStartWith("error[E_TOOL_TIMEOUT]: ")
  })
})
