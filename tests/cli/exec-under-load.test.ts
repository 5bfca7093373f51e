// Scripts that run at the same time, inside each other, for long and with much to say.
import { afterAll, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { createProject, repository, waitForOutput } from "../fixtures/project.ts"

const project = createProject({
  servers: { echo: { type: "builtin", name: "echo" }, files: { type: "builtin", name: "filesystem", args: ["."] } },
  files: {
    "two.ts": `import { callTool } from "mcp-exec"
      const [{ sum }] = await Promise.all([
        callTool<{ sum: number }>("echo.add", { a: Number(process.argv[2]), b: 1 }),
        callTool("files.list_allowed_directories"),
      ])
      console.log(sum)`,
    "nested.ts": `import { callTool } from "mcp-exec"
      const depth = Number(process.argv[2])
      const { sum } = await callTool<{ sum: number }>("echo.add", { a: depth, b: 0 })
      console.log("depth", sum)
      if (depth < 2) {
        const inner = Bun.spawn([process.execPath, "${repository}/src/main.ts", "exec", import.meta.path, String(depth + 1)], { stdout: "inherit" })
        process.exitCode = await inner.exited
      } else process.exit(42)`,
    "slowly.ts": `console.log("one")
      console.error("two")
      await Bun.stdin.text()
      console.log("three")`,
    "partly.ts": `console.log("out")
      console.error("err")
      process.stdout.write("half a li")
      for (;;) {}`,
  },
})
afterAll(() => project[Symbol.dispose]())

describe("scripts at the same time", () => {
  test("each get their own answers, also when none has run here before", async () => {
    rmSync(project.path(".cache"), { recursive: true, force: true })
    const runs = Array.from({ length: 12 }, (_, index) => project.run(["exec", "two.ts", String(index)]))
    const results = await Promise.all(runs)
    expect(results).toEqual(results.map((_, index) => ({ code: 0, stdout: `${index + 1}\n`, stderr: "" })))
    const left = [...new Bun.Glob("**/*").scanSync({ cwd: project.path(".cache/run"), onlyFiles: false })]
    expect(left).toEqual([])
  })

  test("inside each other reach the servers and pass exit codes up", async () => {
    const { code, stdout, stderr } = await project.run(["exec", "nested.ts", "0"])
    expect({ code, stdout, stderr }).toEqual({ code: 42, stdout: "depth 0\ndepth 1\ndepth 2\n", stderr: "" })
  })
})

describe("what a script says", () => {
  test("arrives while it is still running", async () => {
    // Its stdin ends with this process' own pipe, which is closed only after the first line has come.
    const child = Bun.spawn([process.execPath, `${repository}/src/main.ts`, "exec", "slowly.ts"], {
      cwd: project.directory,
      env: project.envFor(["exec"]),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    })
    const decoder = new TextDecoder()
    const [out, err] = [child.stdout.getReader(), child.stderr.getReader()]
    expect(decoder.decode((await out.read()).value)).toBe("one\n")
    expect(decoder.decode((await err.read()).value)).toBe("two\n")
    expect(child.exitCode).toBeNull()
    child.stdin.end()
    expect(decoder.decode((await out.read()).value)).toBe("three\n")
    expect(await child.exited).toBe(0)
  })

  test("is kept to the last letter when it is ended by its timeout", async () => {
    // Long enough for it to have started.
    const text = await project.run(["exec", "--timeout", "5", "partly.ts"])
    expect(text).toMatchObject({ code: 124, stdout: "out\nhalf a li" })
    expect(text.stderr).toStartWith("err\nerror[E_SCRIPT_TIMEOUT]: ")
    const { stdout } = await project.run(["exec", "--json", "--timeout", "5", "partly.ts"])
    expect(JSON.parse(stdout)).toMatchObject({ exitCode: 124, stdout: "out\nhalf a li", stderr: "err\n" })
  })

  test("may be much, with and without --json", async () => {
    const code = 'for (let n = 0; n < 30; n++) process.stdout.write("x".repeat(1_000_000))'
    expect((await project.run(["exec", "-e", code])).stdout.length).toBe(30_000_000)
    const { stdout } = await project.run(["exec", "--json", "-e", code])
    expect(JSON.parse(stdout).stdout.length).toBe(30_000_000)
  })

  test("may be cut off by a reader that has seen enough", async () => {
    const script = 'setInterval(() => process.stdout.write("line\\n"), 1)'
    const program = project.start(["exec", "-e", script])
    await waitForOutput(program, "line")
    program.kill("SIGTERM")
    expect((await program.finished).code).toBe(143)
    const shell = `"${process.execPath}" "${repository}/src/main.ts" exec -e '${script}' 2>/dev/null | head -1`
    expect(await project.run([], { program: ["/bin/sh", "-c", shell] })).toMatchObject({ code: 0, stdout: "line\n" })
  })
})

test("arguments of 50 MB reach a tool and come back", async () => {
  const code = `import { callTool } from "mcp-exec"
    const text = "ü".repeat(25_000_000)
    const result = await callTool<{ text: string }>("echo.echo", { text })
    console.log(result.text === text)`
  expect(await project.run(["exec", "-e", code])).toEqual({ code: 0, stdout: "true\n", stderr: "" })
})
