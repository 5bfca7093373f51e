import { afterAll, describe, expect, test } from "bun:test"
import { createProject } from "../fixtures/project.ts"

const project = createProject({
  servers: { echo: { type: "builtin", name: "echo" } },
  files: {
    "throws.ts":
      'interface A { x: number }\n\nfunction boom(a: A): never {\n  throw new TypeError("boom " + a.x)\n}\n\nboom({ x: 1 })',
    "later.ts": 'setTimeout(() => { throw new Error("later") }, 5)',
    "rejects.ts": 'Promise.reject(new Error("nobody listens"))',
    "cause.ts": 'throw new Error("outer", { cause: new RangeError("inner") })',
    "text.ts": 'throw "just a text"',
    "syntax.ts": "const x: number = 1\nconst = 5\n",
    "missing.ts": 'import { x } from "./nowhere.ts"\nconsole.log(x)',
    "tool.ts":
      'import { callTool } from "mcp-exec"\n\nasync function work() {\n  await callTool("echo", "fail", { message: "no luck" })\n}\nawait work()',
    "caught.ts":
      'import { callTool, ToolError } from "mcp-exec"\ntry {\n  await callTool("echo", "fail", { message: "no luck" })\n} catch (error) {\n  if (!(error instanceof ToolError)) throw error\n  console.log(JSON.stringify([error.name, error.server, error.tool, error.code, error.message]))\n}',
    "data.json": "{}",
    "folder/x.ts": "",
    "folder.ts/x.ts": "",
  },
})
afterAll(() => project[Symbol.dispose]())

const ours = /src\/(guest|main|cli)|\$bunfs|node:internal/

describe("a script that fails", () => {
  test("shows its own file, line and code, and nothing of ours", async () => {
    const { code, stdout, stderr } = await project.run(["exec", "throws.ts"])
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toContain('4 |   throw new TypeError("boom " + a.x)\n')
    expect(stderr).toContain("TypeError: boom 1\n")
    expect(stderr).toContain(`at boom (${project.path("throws.ts")}:4:13)`)
    expect(stderr).toContain(`at ${project.path("throws.ts")}:7:1`)
    expect(stderr).not.toMatch(ours)
  })

  test("in a tool call shows the line of the call and the code of the error", async () => {
    const { code, stderr } = await project.run(["exec", "tool.ts"])
    expect(code).toBe(1)
    expect(stderr).toContain('4 |   await callTool("echo", "fail", { message: "no luck" })')
    expect(stderr).toContain("error[E_TOOL_FAILED]: no luck")
    expect(stderr).toContain(`${project.path("tool.ts")}:6:7`)
    expect(stderr).not.toMatch(ours)
  })

  test("in code without a file still names the place", async () => {
    const { code, stderr } = await project.run(["exec", "-e", 'throw new Error("here")'])
    expect(code).toBe(1)
    expect(stderr).toContain("error: here")
    expect(stderr).toMatch(/\[eval\]\.ts:1:/)
  })

  const cases = [
    { file: "later.ts", want: "error: later" },
    { file: "rejects.ts", want: "error: nobody listens" },
    { file: "cause.ts", want: "caused by RangeError: inner" },
    { file: "text.ts", want: "the script threw just a text" },
    { file: "missing.ts", want: "nowhere.ts" },
  ]
  for (const { file, want } of cases) {
    test(`${file} ends with exit code 1 and says why`, async () => {
      const { code, stderr } = await project.run(["exec", file])
      expect(code).toBe(1)
      expect(stderr).toContain(want)
      expect(stderr).not.toMatch(ours)
    })
  }

  test("to parse shows the place", async () => {
    const { code, stderr } = await project.run(["exec", "syntax.ts"])
    expect(code).toBe(1)
    expect(stderr).toContain('error[E_SCRIPT_SYNTAX]: Expected identifier but found "="')
    expect(stderr).toContain(`at ${project.path("syntax.ts")}:2:7`)
    expect(stderr).not.toMatch(ours)
  })

  test.each([
    ["that ends too soon", "const a = 1\nconsole.log(a", 'Expected ")" but found end of file', "2 | console.log(a"],
    ["with a mistake", "const a = 1\nconst = 2\na", 'Expected identifier but found "="', "2 | const = 2"],
    ["that throws", 'const a = 1\nthrow new Error("told")', "error: told", '2 | throw new Error("told")'],
  ])("shows the place in code %s", async (_, text, message, line) => {
    const ways = [
      await project.run(["exec", "-e", text]),
      await project.run(["exec", "--quiet", "-e", text]),
      await project.run(["exec", "-"], { stdin: text }),
    ]
    for (const { code, stderr } of ways) {
      expect(code).toBe(1)
      expect(stderr).toContain(message)
      expect(stderr).toContain(line)
      expect(stderr).toMatch(/\[(eval|stdin)\]\.ts:2:\d+/)
      expect(stderr).not.toContain("export")
    }
  })

  test("can catch a failed call as a ToolError with server, tool, code and message", async () => {
    const { code, stdout } = await project.run(["exec", "caught.ts"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(["ToolError", "echo", "fail", "E_TOOL_FAILED", "no luck"])
  })
})

describe("a call of exec that cannot work", () => {
  const cases = [
    { name: "a missing file", args: ["nope.ts"], exit: 2, code: "E_SCRIPT_NOT_FOUND", hint: "Looked for" },
    {
      name: "a directory called like a script",
      args: ["folder.ts"],
      exit: 2,
      code: "E_SCRIPT_NOT_FOUND",
      hint: "Name a file",
    },
    { name: "a directory", args: ["folder"], exit: 2, code: "E_SCRIPT_NOT_FOUND", hint: "Name a file in it" },
    { name: "a file that is no script", args: ["data.json"], exit: 2, code: "E_USAGE", hint: ".ts, .js" },
    { name: "no script", args: [], exit: 2, code: "E_USAGE", hint: "-e CODE" },
    { name: "an unknown option", args: ["--wat", "a.ts"], exit: 2, code: "E_USAGE", hint: "before the script" },
    { name: "an option without its value", args: ["--timeout"], exit: 2, code: "E_USAGE", hint: "exec --help" },
    {
      name: "a timeout that is no number",
      args: ["--timeout", "soon", "throws.ts"],
      exit: 2,
      code: "E_USAGE",
      hint: "30",
    },
    { name: "a switch with a value", args: ["--direct=1", "throws.ts"], exit: 2, code: "E_USAGE", hint: "exec --help" },
    {
      name: "a variable that is not set",
      args: ["--env", "NOPE", "throws.ts"],
      exit: 2,
      code: "E_USAGE",
      hint: "=VALUE",
    },
    {
      name: "a missing config",
      args: ["--config", "x.json", "throws.ts"],
      exit: 3,
      code: "E_CONFIG_NOT_FOUND",
      hint: "",
    },
    { name: "a missing --cwd", args: ["--cwd", "nowhere", "throws.ts"], exit: 2, code: "E_USAGE", hint: "--cwd" },
    { name: "a sandbox", args: ["--sandbox", "throws.ts"], exit: 5, code: "E_SANDBOX", hint: "SANDBOX_PROGRAM" },
  ]
  for (const { name, args, exit, code, hint } of cases) {
    test(`with ${name} says so with ${code}`, async () => {
      const text = await project.run(["exec", ...args])
      expect({ code: text.code, stdout: text.stdout }).toEqual({ code: exit, stdout: "" })
      expect(text.stderr).toStartWith(`error[${code}]: `)
      expect(text.stderr).toContain(hint)
      expect(text.stderr).not.toMatch(ours)
    })
  }

  test("gives the error as JSON when asked", async () => {
    const { code, stdout } = await project.run(["exec", "--json", "nope.ts"])
    expect(code).toBe(2)
    expect(JSON.parse(stdout).error).toMatchObject({ code: "E_SCRIPT_NOT_FOUND" })
  })

  test("with an invalid configuration starts nothing, also when the script needs no server", async () => {
    using broken = createProject({
      files: { "mcp_config.json": '{"mcpServers": {"a": {"command": 3}}}', "a.ts": "console.log(1)" },
    })
    const { code, stdout, stderr } = await broken.run(["exec", "a.ts"])
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" })
    expect(stderr).toStartWith("error[E_CONFIG_INVALID]: ")
    expect((await broken.run(["exec", "a.ts"])).code).toBe(3)
  })

  test("asked for a sandbox by the configuration is refused, unless --direct overrides it", async () => {
    using strict = createProject({ config: { sandbox: { enabled: true } }, files: { "a.ts": "console.log(1)" } })
    expect((await strict.run(["exec", "a.ts"])).code).toBe(5)
    expect(await strict.run(["exec", "--direct", "a.ts"])).toEqual({ code: 0, stdout: "1\n", stderr: "" })
  })

  test("prints the help of exec with --help, also after another option", async () => {
    const { code, stdout } = await project.run(["exec", "--json", "--help"])
    expect(code).toBe(0)
    expect(stdout).toContain("--timeout <seconds>")
    expect(stdout).toContain("Examples:")
  })
})
