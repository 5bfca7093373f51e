import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createProject, repository } from "../fixtures/project.ts"

const project = createProject({
  servers: { echo: { type: "builtin", name: "echo" }, files: { type: "builtin", name: "filesystem", args: ["."] } },
  files: {
    "skills/good.ts": `import { arg, skill } from "mcp-exec"
import { add } from "../servers/echo/index.ts"
import { readTextFile } from "#servers/files"
import { readFileSync } from "node:fs"
export default skill(
  { name: "good", description: "Adds.", args: { a: arg.number({ required: true }), path: arg.string() }, servers: ["echo", "files"] },
  async ({ a, path }, { log, state }) => {
    log.info(String(process.argv.length), readFileSync)
    await state.set("last", a)
    const { sum } = await add({ a, b: 1 })
    return path === undefined ? sum : await readTextFile({ path })
  },
)
`,
  },
})
const env = { PATH: `${join(repository, "node_modules/.bin")}:${process.env.PATH}` }
beforeAll(async () => {
  expect((await project.run(["generate"])).code).toBe(0)
})
afterAll(() => project[Symbol.dispose]())
const run = (...args: string[]) => project.run(args, { env })
const body = (statement: string, imports = "") =>
  `import { skill } from "mcp-exec"\n${imports}\nexport default skill({ name: "bad", description: "d" }, async () => {\n${statement}\n})\n`

describe("skills check", () => {
  test("finds nothing wrong with what is right", async () => {
    expect(await run("skills", "check", "good")).toEqual({ code: 0, stdout: "ok  good\n", stderr: "" })
  })

  const add = 'import { add } from "../servers/echo/index.ts"'
  const files = 'import * as files from "#servers/files"'
  const cases: [string, string, string][] = [
    ['await add({ a: "1", b: 2 })', add, "echo.add: argument 'a' must be number, found string"],
    ["await add({ a: 1, c: 2 })", add, "echo.add has no argument 'c'. It takes a, b"],
    ["await add({ a: 1 })", add, "echo.add needs the argument 'b'"],
    ["await add()", add, "echo.add needs an object with its arguments: a, b"],
    ['const p = { a: 1, b: "x" }; await add(p)', add, "echo.add: argument 'b' must be number, found string"],
    [
      "const { sun } = await add({ a: 1, b: 1 }); return sun",
      add,
      "the result of echo.add has no 'sun'. Did you mean 'sum'?",
    ],
    [
      'await files.readTextFile({ pth: "x" })',
      files,
      "files.read_text_file has no argument 'pth'. Did you mean 'path'?",
    ],
    ["await files.moveFile({})", files, "files.move_file needs the arguments 'source', 'destination'"],
    [
      'await files.editFile({ path: "x", edits: [{ oldText: 1, newText: "b" }] })',
      files,
      "files.edit_file: argument 'oldText' must be string, found number",
    ],
    [
      "await ad({ a: 1 })",
      'import { ad } from "../servers/echo/index.ts"',
      "server 'echo' has no tool 'ad'. Did you mean 'add'?",
    ],
    [
      "await x()",
      'import { x } from "../servers/ecko/index.ts"',
      "servers/ has no server 'ecko'. Did you mean 'echo'?",
    ],
    [
      'await callTool("echo.ecko", {})',
      'import { callTool } from "mcp-exec"',
      "server 'echo' has no tool 'ecko'. Did you mean 'echo'?",
    ],
    [
      'await callTool("git", "status")',
      'import { callTool } from "mcp-exec"',
      "server 'git' is not configured. There are: echo, files",
    ],
    ["const s: string = 5; return s", "", "Type 'number' is not assignable to type 'string'."],
  ]
  test("says in the tool's terms what is wrong, and where", async () => {
    const names = cases.map(([statement, imports], index) => {
      const name = `bad-${index}`
      project.write({ [`skills/${name}.ts`]: body(statement, imports).replace('"bad"', `"${name}"`) })
      return name
    })
    const { code, stdout } = await run("skills", "check", "--json", ...names)
    expect(code).toBe(1)
    const { skills } = JSON.parse(stdout)
    const first = skills.map((skill: { problems: { message: string }[] }) => skill.problems[0]?.message)
    expect(first).toEqual(cases.map(([, , message]) => message))
    expect(skills[0].problems[0]).toMatchObject({
      line: 4,
      tool: "echo.add",
      argument: "a",
      expected: "number",
      found: "string",
    })
    expect((await run("skills", "check", "bad-0")).stdout).toBe(
      "wrong  bad-0\n  skills/bad-0.ts:4:13 echo.add: argument 'a' must be number, found string\n",
    )
  })

  test("gives a file whose name has two lines no second one", async () => {
    using other = createProject({ files: { "skills/a\nok  b.ts": "console.log(1)" } })
    const { stdout } = await other.run(["skills", "check"], { env })
    expect(stdout).toMatch(/ {2}a$/m)
    expect(stdout).not.toMatch(/^ok {2}b$/m)
  })

  test("names a server that is missing, and what cannot be read of a declaration", async () => {
    project.write({
      "skills/lacks.ts":
        'import { skill } from "mcp-exec"\nexport default skill({ name: "lacks", description: String(1), servers: ["ekko"] }, async () => 1)\n',
    })
    expect((await run("skills", "check", "lacks")).stdout).toBe(
      "wrong  lacks\n  cannot be read without running: description\n  server 'ekko' is not configured. There are: echo, files\n",
    )
  })

  test("says which tool has changed since the skill was saved", async () => {
    project.write({
      "use.ts": 'import { add } from "./servers/echo/index.ts"\nconsole.log((await add({ a: 1, b: 2 })).sum)\n',
    })
    expect((await run("skills", "save", "uses-add", "--from", "use.ts")).code).toBe(0)
    expect((await run("skills", "check", "uses-add")).code).toBe(0)
    const lock = project.path("skills/skills.lock.json")
    project.write({ "skills/skills.lock.json": readFileSync(lock, "utf8").replace(/("echo.add": ")[^"]*/, "$10000") })
    const { code, stdout } = await run("skills", "check", "uses-add")
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining("echo.add has changed since this skill was saved"),
    })
    project.write({ "skills/skills.lock.json": readFileSync(lock, "utf8").replace("echo.add", "echo.gone") })
    expect((await run("skills", "check", "uses-add")).stdout).toContain("echo.gone is gone from servers/")
  })

  test("does the rest without TypeScript, and says so", async () => {
    const { code, stdout, stderr } = await project.run(["skills", "check", "good"], { env: { PATH: "/usr/bin:/bin" } })
    expect({ code, stdout }).toEqual({ code: 0, stdout: "ok  good\n" })
    expect(stderr).toContain("Types were not checked")
  })

  test("refuses a name that no skill has", async () => {
    expect(await run("skills", "check", "goood")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean 'good'?"),
    })
  })
})

describe("exec --check", () => {
  test("runs what is right", async () => {
    expect(await run("exec", "--check", "good", "--a", "2")).toMatchObject({ code: 0, stdout: "3\n" })
    const code = 'import { add } from "./servers/echo/index.ts"\nconsole.log((await add({ a: 1, b: 2 })).sum)'
    expect(await run("exec", "--check", "-e", code)).toMatchObject({ code: 0, stdout: "3\n" })
  })

  test("runs nothing of what is wrong", async () => {
    const code = `import { writeFileSync } from "node:fs"\nimport { add } from "./servers/echo/index.ts"\nwriteFileSync("was-run", "")\nawait add({ a: true, b: 2 })`
    expect(await run("exec", "--check", "-e", code)).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(
        "error[E_SCRIPT_TYPES]: 4:13 echo.add: argument 'a' must be number, found boolean",
      ),
    })
    project.write({ "wrong.ts": code })
    const { code: exit, stdout } = await run("exec", "--check", "--json", "wrong.ts")
    expect(exit).toBe(1)
    expect(JSON.parse(stdout).error).toMatchObject({
      code: "E_SCRIPT_TYPES",
      details: [{ tool: "echo.add", argument: "a" }],
    })
    expect(existsSync(project.path("was-run"))).toBe(false)
  })

  test("runs all the same without TypeScript, and says so", async () => {
    const options = { env: { PATH: "/usr/bin:/bin" } }
    const { code, stdout, stderr } = await project.run(["exec", "--check", "-e", "console.log(1)"], options)
    expect({ code, stdout }).toEqual({ code: 0, stdout: "1\n" })
    expect(stderr).toContain("[WARNING] Types were not checked")
  })
})
