import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { createProject } from "../fixtures/project.ts"

const project = createProject({
  servers: { echo: { type: "builtin", name: "echo" } },
  files: {
    "add.ts": `#!/usr/bin/env mcp-exec
// Adds two numbers.
import { add } from "./servers/echo/index.ts"
const a = Number(process.argv[2])
const b = Number(process.argv[3] ?? 2)
const { sum } = await add({ a, b })
console.log(\`sum
  \${sum}\`)
`,
    "deep/main.ts": `import { callTool } from "mcp-exec"
import { twice } from "./twice.ts"
export async function main(text: string, times = "2") {
  const result = await callTool("echo.echo", { text })
  console.log(JSON.stringify(result), twice(times))
}
`,
    "deep/twice.ts": 'export const twice = (text: string) => text + text + (process.env.NONE ?? "")\n',
    "old/sum.cjs": `// Adds, in the old way.
const { add } = require("../servers/echo/index.ts")
const { twice } = require("./twice.cjs")
add({ a: Number(process.argv[2]), b: 1 }).then(({ sum }) => console.log(twice(sum)))
`,
    "old/module.cjs": `const { twice } = require("./twice.cjs")
module.exports = async (word) => console.log(twice(word))
`,
    "old/twice.cjs": "module.exports = { twice: (x) => x + x }\n",
    "broken.ts": "const = 1",
    "empty.ts": " \n",
    "parses.ts": `import { parseArgs } from "node:util"
const { values } = parseArgs({ options: { name: { type: "string" } } })
console.log("own", values.name)
`,
  },
})
beforeAll(async () => {
  expect((await project.run(["generate"])).code).toBe(0)
})
afterAll(() => project[Symbol.dispose]())
beforeEach(() => rmSync(project.path(".cache/runs"), { recursive: true, force: true }))
const run = (...args: string[]) => project.run(args)
const skill = (name: string) => readFileSync(project.path(`skills/${name}.ts`), "utf8")
const lock = () => JSON.parse(readFileSync(project.path("skills/skills.lock.json"), "utf8"))

describe("skills save", () => {
  test("makes the last run that used a tool a skill, with its arguments", async () => {
    expect((await run("exec", "add.ts", "3", "4")).stdout).toBe("sum\n  7\n")
    // Neither a script without tools nor one that fails takes its place.
    await run("exec", "-e", "console.log(1)")
    await run(
      "exec",
      "-e",
      'import { callTool } from "mcp-exec"; await callTool("echo.add", { a: 1, b: 1 }); process.exit(1)',
    )
    const saved = await run("skills", "save", "adder")
    expect(saved).toMatchObject({ code: 0, stderr: "" })
    expect(saved.stdout).toContain("Arguments: a (number), b (number)\nTools: echo.add\n")
    expect(saved.stdout).toMatch(/^Run it: mcp-exec exec adder .*--a <number>/m)
    expect(await run("exec", "adder", "--a", "5")).toEqual({ code: 0, stdout: "sum\n  7\n", stderr: "" })
    expect(await run("exec", "adder")).toMatchObject({ code: 2, stderr: expect.stringContaining("--a") })
    expect((await run("skills", "show", "adder")).stdout).toStartWith("adder: Adds two numbers.\n")
    // A skill that ran is a skill already.
    expect(JSON.parse((await run("skills", "save", "adder-too", "--json")).stdout)).toMatchObject({ form: "skill" })
    expect(lock().skills.adder).toEqual({ tools: { "echo.add": expect.stringMatching(/^[0-9a-f]{8,}$/) } })
  })

  test("takes CommonJS, as a skill or as it is", async () => {
    const saved = await run("skills", "save", "old-sum", "--from", "old/sum.cjs", "--json")
    expect(JSON.parse(saved.stdout)).toMatchObject({ form: "skill", tools: ["echo.add"] })
    expect((await run("exec", "old-sum", "--a", "2")).stdout).toBe("6\n")
    const kept = await run("skills", "save", "old-module", "--from", "old/module.cjs")
    expect(kept).toMatchObject({ code: 0, stderr: expect.stringContaining("kept as it is, with a header comment") })
    expect((await run("exec", "old-module", "hey")).stdout).toBe("heyhey\n")
  })

  test("takes code from stdin and the command line, and one-line imports", async () => {
    const code = 'import { callTool } from "mcp-exec"; console.log((await callTool("echo.add", { a: 1, b: 1 })).sum)'
    expect((await run("exec", "-e", code)).stdout).toBe("2\n")
    expect((await run("skills", "save", "one-liner", "--description", "Two.")).code).toBe(0)
    expect((await run("exec", "one-liner")).stdout).toBe("2\n")
    expect(skill("one-liner")).toContain('servers: ["echo"]')
    const again = await project.run(["exec", "-"], { stdin: code.replace("b: 1", "b: 2") })
    expect(again.stdout).toBe("3\n")
    expect((await run("skills", "save", "from-stdin")).code).toBe(0)
    expect((await run("exec", "from-stdin")).stdout).toBe("3\n")
  })

  test("saves a file from another folder: imports still lead there, and main is called with what it takes", async () => {
    expect((await run("skills", "save", "greeter", "--from", "deep/main.ts")).code).toBe(0)
    expect(skill("greeter")).toContain('import { twice } from "../deep/twice.ts"')
    expect((await run("exec", "greeter", "--text", "hi", "--times", "3")).stdout).toContain("33")
    expect((await run("exec", "greeter", "--text", "hi")).stdout).toContain("22")
    expect(lock().skills.greeter).toEqual({ tools: { "echo.echo": expect.any(String) } })
  })

  test("declares arguments as told", async () => {
    const args = ["--arg", "first:integer", "--arg", "second-number:number=10"]
    expect((await run("skills", "save", "told", "--from", "add.ts", ...args)).code).toBe(0)
    expect(skill("told")).toContain("secondNumber: arg.number({ default: 10 })")
    expect((await run("exec", "told", "--first", "1")).stdout).toBe("sum\n  11\n")
    expect(await run("exec", "told", "--first", "1.5")).toMatchObject({ code: 2 })
  })

  test("keeps a script that reads its own options as it is, with a header", async () => {
    expect(
      (await run("skills", "save", "own-parser", "--from", "parses.ts", "--description", "Own.")).stderr,
    ).toContain("own way")
    expect(skill("own-parser")).toStartWith("// SKILL: own-parser\n// DESCRIPTION: Own.\n")
    expect((await run("exec", "own-parser", "--name", "x")).stdout).toBe("own x\n")
  })

  test("saves a skill under another name", async () => {
    expect((await run("skills", "save", "renamed", "--from", "skills/own-parser.ts")).code).toBe(0)
    await run("skills", "new", "source-skill")
    expect((await run("skills", "save", "copy", "--from", "skills/source-skill.ts")).code).toBe(0)
    expect(await run("exec", "copy")).toMatchObject({ code: 0, stdout: "Hello, world\n" })
    expect(skill("copy")).toContain('name: "copy"')
  })

  test("does not write over a skill, unless told to", async () => {
    const before = skill("told")
    expect(await run("skills", "save", "told", "--from", "parses.ts")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--force"),
    })
    expect(skill("told")).toBe(before)
    expect((await run("skills", "save", "told", "--from", "parses.ts", "--force")).code).toBe(0)
    expect(lock().skills.told).toBeUndefined()
  })

  const misuse: [string[], string][] = [
    [["no-run"], "No run is remembered"],
    [["x", "--from", "missing.ts"], "cannot be read"],
    [["x", "--from", "deep"], "cannot be read"],
    [["x", "--from", "broken.ts"], "is not valid TypeScript"],
    [["x", "--from", "empty.ts"], "is empty"],
    [["Bad Name", "--from", "add.ts"], "is not a name for a skill"],
    [["x", "--from", "add.ts", "--arg", "a:strnig"], "there is no kind 'strnig'"],
    [["x", "--from", "add.ts", "--arg", "1a"], "is not a name for an argument"],
    [["x", "--from", "add.ts", "--arg", "n:integer=1.5"], "is not a whole number"],
    [["x", "--from", "add.ts", "--arg", "j:json={"], "is not JSON"],
    [["x", "--from", "add.ts", "--description", "d".repeat(1025)], "1025 characters"],
    [["x", "--from", "add.ts", "--description", " "], "description is missing"],
  ]
  for (const [args, says] of misuse) {
    test(`says what is wrong with ${args.join(" ").slice(0, 60)}`, async () => {
      expect(await run("skills", "save", ...args)).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining(says),
      })
      expect(existsSync(project.path("skills/x.ts"))).toBe(false)
    })
  }

  test("survives a record of the last run that is broken", async () => {
    await run("exec", "add.ts", "1")
    for (const file of new Bun.Glob("*.json").scanSync(project.path(".cache/runs"))) {
      await Bun.write(project.path(`.cache/runs/${file}`), "{")
    }
    expect(await run("skills", "save", "x")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("No run is remembered"),
    })
  })
})
