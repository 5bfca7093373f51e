// What people type by mistake, and what they should be told.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createProject, repository } from "../fixtures/project.ts"
import { createFolder, type Folder, run } from "./captured-io.ts"
import { echo } from "./servers-config.ts"

let folder: Folder
beforeAll(async () => {
  folder = await createFolder({ echo, "dotted.name": echo })
  await folder.write("file.txt", "text")
})
afterAll(() => folder[Symbol.asyncDispose]())

describe("a mistake is recognised:", () => {
  const cases: { argv: string[]; message: string; hint: string }[] = [
    { argv: ["call", "echo.echo", "word"], message: 'written key=value, found "word"', hint: "path=README.md" },
    { argv: ["call", "dotted.name.echo", "word"], message: 'written key=value, found "word"', hint: "path=README.md" },
    {
      argv: ["call", "echo.echo", "--path=x"],
      message: "Unknown option '--path=x'",
      hint: "without dashes: key=value",
    },
    { argv: ["servers", "--cwd", "file.txt"], message: "something that is not a folder", hint: "path of a folder" },
    { argv: ["exec", ""], message: "The name of the script is empty", hint: "Is a variable not set?" },
  ]
  for (const { argv, message, hint } of cases) {
    test(argv.join(" ") || "nothing", async () => {
      const { exitCode, stdout, stderr } = await run(argv, { cwd: folder.path })
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
      const [first, second] = stderr.split("\n")
      expect(first).toStartWith("error[E_USAGE]: ")
      expect(first).toContain(message)
      expect(second).toStartWith("hint: ")
      expect(second).toContain(hint)
    })
  }

  test("call with a server and a tool as two words, also when the server has a dot", async () => {
    const { exitCode, stdout } = await run(["call", "dotted.name", "echo", "a=1"], { cwd: folder.path })
    expect({ exitCode, value: JSON.parse(stdout) }).toEqual({ exitCode: 0, value: { a: 1 } })
  })
})

describe("what is no file", () => {
  const project = createProject()
  afterAll(() => project[Symbol.dispose]())
  const shell = (script: string) =>
    project.run([], { program: ["/bin/bash", "-c", script, process.execPath, `${repository}/src/main.ts`] })

  test("is refused as a script, with the way that works", async () => {
    const { code, stderr } = await shell('"$0" "$1" exec <(echo "console.log(1)")')
    expect(code).toBe(2)
    expect(stderr).toStartWith("error[E_USAGE]: /dev/fd/")
    expect(stderr).toContain("is a pipe or a device, not a file\nhint: ")
    expect(stderr).toContain("mcp-exec exec - <")
  })

  test("can be read from stdin", async () => {
    expect(await shell('"$0" "$1" exec - < <(echo "console.log(1)")')).toEqual({ code: 0, stdout: "1\n", stderr: "" })
  })

  test("on stdin, stdout or stderr, because they are closed, stops no command", async () => {
    const code = `import { writeFileSync } from "node:fs"; writeFileSync("ran.txt", "yes")`
    expect((await shell(`"$0" "$1" exec -e '${code}' <&- >&- 2>&-`)).code).toBe(0)
    expect(await Bun.file(project.path("ran.txt")).text()).toBe("yes")
    expect((await shell('"$0" "$1" servers <&- >&- 2>&-')).code).toBe(0)
  })
})
