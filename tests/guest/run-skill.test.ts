// Skills as a user runs them: `exec`, in another process.
import { afterAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { createProject, repository } from "../fixtures/project.ts"

const declared = (run: string, args = "") =>
  `import { arg, callTool, skill } from "mcp-exec"
   export default skill({ name: "demo", description: "Shows how.", servers: ["echo"], args: {${args}} }, ${run})`

const project = createProject({
  servers: { echo: { type: "builtin", name: "echo" } },
  files: {
    "sum.ts": declared(
      'async ({ a, b }, { log }) => { log("adding"); return callTool("echo", "add", { a, b }) }',
      "a: arg.number({ required: true }), b: arg.number({ default: 1 })",
    ),
    "text.ts": declared('() => "plain text"'),
    "lines.ts": declared('() => "ends by itself\\n"'),
    "muffled.ts": declared('() => { console.log = console.error; return "still here" }'),
    "empty.ts": declared('() => ""'),
    "nothing.ts": declared("() => {}"),
    "null.ts": declared("() => null"),
    "collections.ts": declared("() => ({ map: new Map([['a', 1n]]), set: new Set([1]) })"),
    "function.ts": declared("() => () => 1"),
    "circle.ts": declared("() => { const a = []; a.push(a); return a }"),
    "throws.ts": declared('() => { throw new TypeError("did not work") }'),
    "large.ts": declared('() => "x".repeat(20_000_000)'),
    "lingers.ts": declared('() => { setInterval(() => {}, 1000); return "done" }'),
    "touches.ts": declared('() => { throw new Error("was run") }', "a: arg.string({ required: true })"),
    "counts.ts": declared(
      'async (_, { state }) => { const n = 1 + (await state.get("n") ?? 0); await state.set("n", n); return n }',
    ),
    "script.ts": 'import { state } from "mcp-exec"\nawait state.set("k", 1)\nconsole.log(await state.list())',
    "composed.ts": 'import text from "./text.ts"\nconsole.log("other:", await text.run({}))',
  },
})
afterAll(() => project[Symbol.dispose]())

const run = (...args: string[]) => project.run(["exec", ...args])

describe("a skill's value", () => {
  const cases = [
    { name: "that is data is printed as JSON", file: "sum.ts", args: ["2"], stdout: '{\n  "sum": 3\n}\n' },
    { name: "that is text is printed as text", file: "text.ts", stdout: "plain text\n" },
    { name: "that ends with a line break gets no second one", file: "lines.ts", stdout: "ends by itself\n" },
    { name: "is printed whatever the skill did to the console", file: "muffled.ts", stdout: "still here\n" },
    { name: "that is an empty text prints nothing", file: "empty.ts", stdout: "" },
    { name: "that is undefined prints nothing", file: "nothing.ts", stdout: "" },
    { name: "that is null is printed", file: "null.ts", stdout: "null\n" },
    {
      name: "may hold maps, sets and large integers",
      file: "collections.ts",
      stdout: '{\n  "map": {\n    "a": "1"\n  },\n  "set": [\n    1\n  ]\n}\n',
    },
  ]
  for (const { name, file, args = [], stdout } of cases) {
    test(name, async () => expect(await run(file, ...args)).toMatchObject({ code: 0, stdout }))
  }

  test("is not mixed with progress, which goes to stderr", async () => {
    expect((await run("sum.ts", "2")).stderr).toBe("[INFO] adding\n")
  })

  test("of 20 MB arrives whole", async () => {
    expect((await run("large.ts")).stdout.length).toBe(20_000_001)
  })

  test("is printed when something would keep the process", async () => {
    expect(await run("lingers.ts")).toMatchObject({ code: 0, stdout: "done\n" })
  })

  test("stands in stdout with --json too", async () => {
    const { stdout } = await project.run(["exec", "--json", "sum.ts", "--a=2", "--b=3"])
    const result = JSON.parse(stdout)
    expect({ ...result, value: JSON.parse(result.stdout) }).toMatchObject({ ok: true, exitCode: 0, value: { sum: 5 } })
  })

  for (const file of ["function.ts", "circle.ts"]) {
    test(`that cannot be printed is an error (${file})`, async () => {
      const { code, stdout, stderr } = await run(file)
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
      expect(stderr).toContain("error[E_SCRIPT_FAILED]: What the skill returned cannot be printed")
    })
  }
})

describe("a skill", () => {
  test("that throws exits 1 and shows its own line", async () => {
    const { code, stdout, stderr } = await run("throws.ts")
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toContain("TypeError: did not work")
    expect(stderr).toContain("throws.ts:2:")
  })

  test("shows its help without being run", async () => {
    for (const word of ["--help", "-h"]) {
      const { code, stdout, stderr } = await run("touches.ts", word)
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout).toStartWith("Usage: mcp-exec exec demo --a <string>\n\nShows how.\n")
    }
  })

  test("with wrong arguments is not run: exit 2, all problems, the usage line", async () => {
    expect(await run("touches.ts", "--aa", "x", "--b")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'error[E_USAGE]: demo:\n  "--aa" is not an option; did you mean --a?\n  "--b" is not an option\n  --a is required\n' +
        "hint: Usage: mcp-exec exec demo --a <string>\n",
    })
  })

  test("with wrong arguments tells so as data with --json", async () => {
    const { code, stdout } = await project.run(["exec", "--json", "touches.ts"])
    expect(code).toBe(2)
    expect(JSON.parse(stdout).error).toMatchObject({
      code: "E_USAGE",
      message: "demo: --a is required",
      hint: "Usage: mcp-exec exec demo --a <string>",
    })
  })

  test("gets --sandbox and other options of exec as words of its own", async () => {
    expect((await run("touches.ts", "--sandbox")).stderr).toContain('"--sandbox" is not an option')
  })

  test("keeps its state from run to run; a script has its own", async () => {
    expect([(await run("counts.ts")).stdout, (await run("counts.ts")).stdout]).toEqual(["1\n", "2\n"])
    expect((await run("script.ts")).stdout).toBe('[ "k" ]\n')
  })

  test("can be imported by another script, and is not run by that", async () => {
    expect(await run("composed.ts")).toEqual({ code: 0, stdout: "other: plain text\n", stderr: "" })
  })

  test("may come from stdin", async () => {
    const stdin = 'import { skill } from "mcp-exec"\nexport default skill({ name: "x", description: "" }, () => [1])'
    expect(await project.run(["exec", "-"], { stdin })).toMatchObject({ code: 0, stdout: "[\n  1\n]\n" })
  })

  test("runs under Deno as well", async () => {
    const program = [join(repository, "node_modules/.bin/deno"), "run", "-A", join(repository, "src/main.ts")]
    await project.run(["generate"])
    expect(await project.run(["exec", "sum.ts", "--a=2"], { program })).toMatchObject({
      code: 0,
      stdout: '{\n  "sum": 3\n}\n',
    })
    expect((await project.run(["exec", "touches.ts"], { program })).code).toBe(2)
  })
})
