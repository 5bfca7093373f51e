// What every harness must do, whether the script is a process beside us or alone in a container.
// Run as a user runs it: the compiled program in a folder.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject, type StartOptions, waitForOutput } from "../fixtures/project.ts"
import { builtProgram, sandboxEnv } from "../sandbox/program.ts"

export interface Contract {
  /** Options of `exec` that choose the harness. */
  flags: string[]
  /** A command that makes it ready: what the first run would say does not belong to the script. */
  prepare?: string[]
  config?: Record<string, unknown>
  env?: Record<string, string>
  /** Commands that take away what it leaves between runs. */
  cleanUp?: string[][]
}

const slow = 120_000

/** Describes a harness by what scripts and their users can see of it. */
export function describeHarness(name: string, { flags, prepare, config = {}, env = {}, cleanUp = [] }: Contract): void {
  const program = [builtProgram()]
  const project = createProject({
    servers: { echo: { type: "builtin", name: "echo" }, big: fixtureServer("big") },
    config,
    files: {
      "lib/greeting.ts": 'export { name } from "./name.js"\nexport const greeting = "hello"',
      "lib/name.ts": 'export const name: string = "you"',
      "skills/greet.ts": 'import { greeting } from "../lib/greeting.ts"\nconsole.log(greeting, process.argv[2])',
      "node_modules/left/package.json": '{"name": "left", "main": "index.js"}',
      "node_modules/left/index.js": "exports.left = 1",
      "imports.ts":
        'import { greeting, name } from "./lib/greeting"\nimport { left } from "left"\nconsole.log(greeting, name, left, import.meta.main)',
      "arguments.ts": "console.log(JSON.stringify(process.argv.slice(2)))",
      "deep/down/.keep": "",
      "throws.ts": 'console.log("before")\n\nthrow new RangeError("too far")',
    },
  })
  beforeAll(async () => {
    if (prepare !== undefined) expect(await project.run(prepare, options())).toMatchObject({ code: 0 })
  }, slow)
  afterAll(async () => {
    // What the last run has left to be done comes first.
    if (cleanUp.length > 0) await Bun.sleep(2000)
    for (const command of cleanUp) expect(await project.run(command, options())).toMatchObject({ code: 0 })
    project[Symbol.dispose]()
  }, slow)
  const options = (given: StartOptions = {}): StartOptions => ({
    program,
    ...given,
    env: { ...sandboxEnv(), ...env, ...given.env },
  })
  const exec = (args: string[], given?: StartOptions) => project.run(["exec", ...flags, ...args], options(given))
  const code = (text: string, given?: StartOptions) => exec(["-e", text], given)

  describe(name, () => {
    test(
      "passes output on as it is",
      async () => {
        const bytes = "const all = Uint8Array.from({ length: 256 }, (_, index) => index)"
        const {
          code: exitCode,
          stdout,
          stderr,
        } = await code(
          `${bytes}; process.stdout.write("ä€😀\\r\\n\\0"); process.stderr.write("aside\\x1b[0m"); process.stdout.write(all.slice(0, 128))`,
        )
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "aside\u001b[0m" })
        expect(stdout).toBe(`ä€😀\r\n\0${String.fromCharCode(...Array(128).keys())}`)
      },
      slow,
    )

    test(
      "shows output while the script is running",
      async () => {
        const text = 'console.log("early"); await Bun.sleep(60_000)'
        const running = project.start(["exec", ...flags, "-e", text], options())
        await waitForOutput(running, "early")
        running.kill("SIGTERM")
        expect((await running.finished).code).toBe(143)
      },
      slow,
    )

    const ends = [
      { name: "its own", text: "process.exit(7)", want: 7 },
      { name: "0", text: "void 0", want: 0 },
      { name: "1 for an error", text: 'throw new Error("x")', want: 1 },
      { name: "137 when it is killed", text: 'process.kill(process.pid, "SIGKILL")', want: 137 },
      {
        name: "143 when it is terminated",
        text: 'process.kill(process.pid, "SIGTERM"); await Bun.sleep(90_000)',
        want: 143,
      },
    ]
    for (const { name: what, text, want } of ends) {
      test(`ends a script with the exit code ${what}`, async () => expect((await code(text)).code).toBe(want), slow)
    }

    test(
      "shows where a script failed",
      async () => {
        const { code: exitCode, stdout, stderr } = await exec(["throws.ts"])
        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "before\n" })
        expect(stderr).toContain('3 | throw new RangeError("too far")')
        expect(stderr).toContain(`${project.path("throws.ts")}:3:`)
      },
      slow,
    )

    test(
      "hands arguments over untouched",
      async () => {
        const args = ["--help", "--sandbox", "", "two words", "-e", "--", "ä€😀", 'quote"', "line\nbreak", "$HOME", "*"]
        expect(JSON.parse((await exec(["arguments.ts", ...args])).stdout)).toEqual(args)
      },
      slow,
    )

    test(
      "passes input on, also a large one, and its end",
      async () => {
        const input = "0123456789".repeat(300_000)
        const { stdout } = await code("console.log((await Bun.stdin.text()).length)", { stdin: input })
        expect(stdout).toBe("3000000\n")
        const unread = await code('console.log("no thanks")', { stdin: input })
        expect(unread).toMatchObject({ code: 0, stdout: "no thanks\n" })
      },
      slow,
    )

    const waysToRead = [
      "await Bun.stdin.text()",
      'require("node:fs").readFileSync(0, "utf8")',
      'require("node:fs").readFileSync("/dev/stdin", "utf8")',
      "(await Array.fromAsync(process.stdin)).join('')",
      "(await Array.fromAsync(console)).join('\\n')",
      "await new Response(Bun.spawn([process.execPath, '__run', process.argv[2]], { stdin: 'inherit' }).stdout).text()",
    ]
    test(
      "passes input on whatever it is read with, also late",
      async () => {
        project.write({ "skills/reads.ts": "process.stdout.write(await Bun.stdin.text())" })
        for (const [index, way] of waysToRead.entries()) {
          const text = `await Bun.sleep(${index * 100}); process.stdout.write(${way})`
          const given = await exec(["-e", text, project.path("skills/reads.ts")], { stdin: "one\ntwo\n" })
          expect({ way, ...given }).toEqual({ way, code: 0, stdout: "one\ntwo\n", stderr: "" })
        }
      },
      2 * slow,
    )

    test(
      "leaves input that the script does not read to whoever reads next",
      async () => {
        const [executable = ""] = program
        const first = `"$@" -e 'await Bun.sleep(300)'`
        const script = `printf 'for the second\\n' | { ${first}; "$@" -e 'console.log(await Bun.stdin.text())'; cat; }`
        const words = ["sh", "-c", script, "sh", executable, "exec", ...flags]
        const shell = project.run(words.slice(1), {
          ...options(),
          program: words.slice(0, 1),
        })
        expect(await shell).toEqual({ code: 0, stdout: "for the second\n\n", stderr: "" })
      },
      slow,
    )

    test(
      "lets a script import what lies beside it, packages and skills",
      async () => {
        expect(await exec(["imports.ts"])).toEqual({ code: 0, stdout: "hello you 1 true\n", stderr: "" })
        expect((await exec(["skills/greet.ts", "world"])).stdout).toBe("hello world\n")
      },
      slow,
    )

    test(
      "runs a script in the folder in which it was called",
      async () => {
        for (const folder of [project.directory, project.path("deep/down"), project.path("lib")]) {
          const { stdout } = await exec(["-e", "console.log(process.cwd())"], { cwd: folder })
          expect(stdout).toBe(`${folder}\n`)
        }
      },
      slow,
    )

    test(
      "lets a script call tools, and catch their failures",
      async () => {
        const text = `import { callTool, ToolError } from "mcp-exec"
          console.log(JSON.stringify(await callTool("echo", "add", { a: 1, b: 2 })))
          await callTool("echo.fail", { message: "no" }).catch((error) => console.log(error instanceof ToolError, error.message))`
        expect(await code(text)).toEqual({ code: 0, stdout: '{"sum":3}\ntrue no\n', stderr: "" })
      },
      slow,
    )

    test(
      "reports calls and streams as data",
      async () => {
        const text = `import { callTool } from "mcp-exec"; console.log(1); await callTool("echo.fail", { message: "no" })`
        const { code: exitCode, stdout } = await exec(["--json", "-e", text])
        expect(exitCode).toBe(1)
        expect(JSON.parse(stdout)).toMatchObject({
          ok: false,
          stdout: "1\n",
          toolCalls: [{ server: "echo", tool: "fail", ok: false }],
          error: { code: "E_TOOL_FAILED", message: "no" },
        })
      },
      slow,
    )

    test(
      "carries a result of 50 MB",
      async () => {
        const text = `import { callTool } from "mcp-exec"
          console.log((await callTool("big.big", { bytes: 50_000_000 })).length)`
        expect(await code(text)).toEqual({ code: 0, stdout: "50000000\n", stderr: "" })
      },
      slow,
    )

    test(
      "runs twenty scripts at once, each with its own",
      async () => {
        const text = `import { callTool } from "mcp-exec"
          console.log((await callTool("echo.echo", { mine: process.argv[2] })).mine)`
        const runs = await Promise.all(Array.from({ length: 20 }, (_, index) => exec(["-e", text, String(index)])))
        expect(runs).toEqual(runs.map((_, index) => ({ code: 0, stdout: `${index}\n`, stderr: "" })))
      },
      2 * slow,
    )

    test(
      "ends a script at its timeout, and keeps what it has printed",
      async () => {
        const startedAt = performance.now()
        const finished = await exec(["--timeout", "5", "-e", 'console.log("so far"); while (true) {}'])
        expect(finished).toMatchObject({ code: 124, stdout: "so far\n" })
        expect(finished.stderr).toContain("error[E_SCRIPT_TIMEOUT]: The script was stopped after 5 s")
        expect(performance.now() - startedAt).toBeLessThan(30_000)
      },
      slow,
    )

    test(
      "passes signals on to the script",
      async () => {
        const text = `process.on("SIGINT", () => { console.log("asked to stop"); process.exit(9) })
          console.log("ready"); await Bun.sleep(60_000)`
        const running = project.start(["exec", ...flags, "-e", text], options())
        await waitForOutput(running, "ready")
        running.kill("SIGINT")
        expect(await running.finished).toMatchObject({ code: 9, stdout: "ready\nasked to stop\n" })
      },
      slow,
    )

    test(
      "keeps state for the next run",
      async () => {
        const text = `import { state } from "mcp-exec"
          console.log(await state.get("runs"), await state.list())
          await state.set("runs", { count: 1 }); console.log((await state.get("runs")).count, await state.delete("x"))`
        project.write({ "counts.ts": text })
        expect((await exec(["counts.ts"])).stdout).toBe("undefined []\n1 false\n")
        expect((await exec(["counts.ts"])).stdout).toBe('{\n  count: 1,\n} [ "runs" ]\n1 false\n')
      },
      slow,
    )

    test(
      "keeps a file when the script ends well, and only then",
      async () => {
        const text = `import { keep, scratch } from "mcp-exec"
          await Bun.write(scratch + "/draft.txt", "kept")
          await keep(scratch + "/draft.txt", process.argv[2])
          process.exit(Number(process.argv[3]))`
        expect((await exec(["-e", text, `${name}/good.txt`, "0"])).code).toBe(0)
        expect((await exec(["-e", text, `${name}/bad.txt`, "3"])).code).toBe(3)
        expect(await Bun.file(project.path(`workspace/${name}/good.txt`)).text()).toBe("kept")
        expect(await Bun.file(project.path(`workspace/${name}/bad.txt`)).exists()).toBe(false)
      },
      slow,
    )
  })
}
