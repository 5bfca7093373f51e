import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { createProject } from "../fixtures/project.ts"

const declared = (name: string, result = '"ran"') =>
  `import { skill } from "mcp-exec"\nexport default skill({ name: "${name}", description: "Does ${name}." }, async () => ${result})\n`

const project = createProject({
  servers: {},
  files: {
    "skills/triage.ts": declared("triage"),
    "skills/odd.ts": `throw new Error("a listing must not run this")\nexport default skill({ name: "odd", description: later() }, () => 1)`,
    "skills/paper/SKILL.md": "---\nname: paper\ndescription: Folds paper.\n---\n\n# Paper\n\nFold it.\n",
    "skills/both.ts": declared("both", '"the skill"'),
    both: 'console.log("the file")',
    "triage/readme.txt": "a folder of the same name",
    "sub/folder/x.txt": "",
  },
})
afterAll(() => project[Symbol.dispose]())
const run = (...args: string[]) => project.run(args)

describe("skills list", () => {
  test("names each skill in a line, and runs none", async () => {
    expect(await run("skills", "list")).toEqual({
      code: 0,
      stdout: "both  Does both\nodd\npaper  Folds paper\ntriage  Does triage\n",
      stderr: "",
    })
  })

  test("gives data with --json", async () => {
    const { skills, skipped } = JSON.parse((await run("skills", "list", "--json")).stdout)
    expect(skipped).toEqual([])
    expect(skills[1]).toEqual({
      name: "odd",
      description: "",
      path: "skills/odd.ts",
      problems: ["cannot be read without running: description"],
    })
  })

  test("says what it left out, and what to do when there is nothing", async () => {
    using other = createProject({ files: { "outside.ts": declared("outside") } })
    mkdirSync(other.path("skills"))
    symlinkSync(other.path("outside.ts"), other.path("skills/outside.ts"))
    const { code, stdout, stderr } = await other.run(["skills", "list"])
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
    expect(stderr).toContain("[WARNING] left out skills/outside.ts: it is a link to somewhere outside")
    expect(stderr).toContain("mcp-exec skills new")
  })
})

describe("skills show", () => {
  test("prints how it is called, and what could not be read", async () => {
    expect((await run("skills", "show", "triage")).stdout).toBe("triage: Does triage.\nUsage: mcp-exec exec triage\n")
    expect((await run("skills", "show", "odd")).stdout).toContain("Note: cannot be read without running: description")
    expect((await run("skills", "show", "paper")).stdout).toBe("paper: Folds paper.\n\n# Paper\n\nFold it.\n")
    expect((await run("skills", "show", "triage", "--source")).stdout).toBe(declared("triage"))
  })

  test("suggests the name that was meant", async () => {
    expect(await run("skills", "show", "triagge")).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("Did you mean 'triage'? There are: both, odd, paper, triage"),
    })
  })
})

describe("skills new", () => {
  beforeAll(async () => {
    expect((await run("skills", "new", "fresh-one", "--description", 'Says "hi" \\ `x`')).code).toBe(0)
  })

  test("writes a skill that runs as it is and describes itself", async () => {
    expect(await run("exec", "fresh-one")).toEqual({ code: 0, stdout: "Hello, world\n", stderr: "" })
    expect((await run("exec", "fresh-one", "--who", "you")).stdout).toBe("Hello, you\n")
    const shown = JSON.parse((await run("skills", "show", "fresh-one", "--json")).stdout)
    expect(shown).toMatchObject({ form: "declared", problems: [], declaration: { description: 'Says "hi" \\ `x`' } })
    expect(shown.inputSchema).toEqual({
      type: "object",
      properties: { who: { type: "string", description: "whom to greet", default: "world" } },
      additionalProperties: false,
    })
  })

  test("does not write over a skill, unless told to", async () => {
    const before = readFileSync(project.path("skills/triage.ts"), "utf8")
    const refused = await run("skills", "new", "triage")
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") })
    expect(readFileSync(project.path("skills/triage.ts"), "utf8")).toBe(before)
    expect((await run("skills", "new", "fresh-one", "--force")).code).toBe(0)
    expect((await run("skills", "new", "paper", "--force")).stderr).toContain("is a folder")
  })

  const wrong = ["", "Bad", "a b", "-a", "a-", "a--b", "../up", "a/b", "a.ts", "ä", "x".repeat(65), "__proto__"]
  for (const name of wrong) {
    test(`refuses the name ${JSON.stringify(name.slice(0, 20))}`, async () => {
      const { code, stderr, stdout } = await run("skills", "new", "--", name)
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
      expect(stderr).toContain("hint: For example: ")
    })
  }

  test("says so when skills/ cannot be written", async () => {
    using other = createProject({ files: { skills: "a file" } })
    expect(await other.run(["skills", "new", "x"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("E_STATE"),
    })
  })
})

describe("exec of a skill", () => {
  test("finds it from every folder of the project", async () => {
    for (const cwd of [project.directory, project.path("sub/folder")]) {
      for (const name of ["triage", "triage.ts"]) {
        expect(await project.run(["exec", name], { cwd })).toEqual({ code: 0, stdout: "ran\n", stderr: "" })
      }
    }
  })

  test("is meant by a bare word, and the file by its path", async () => {
    expect((await run("exec", "both")).stdout).toBe("the skill\n")
    expect((await run("exec", "./both")).stdout).toBe("the file\n")
  })

  test("that is unknown names those that are near", async () => {
    const { code, stderr } = await run("exec", "trage")
    expect(code).toBe(2)
    expect(stderr).toContain("error[E_SCRIPT_NOT_FOUND]: There is no script or skill trage")
    expect(stderr).toContain("Did you mean 'triage'?")
  })

  test("that has no script says how to read it", async () => {
    expect(await run("exec", "paper")).toMatchObject({ code: 2, stderr: expect.stringContaining("mcp-exec cat paper") })
  })

  test("works without a configuration, beside the working directory", async () => {
    using bare = createProject({ files: { "skills/one.ts": declared("one") } })
    expect(await bare.run(["exec", "one"])).toEqual({ code: 0, stdout: "ran\n", stderr: "" })
  })
})

describe("skills remove", () => {
  test("deletes the file or folder, by its exact name only", async () => {
    project.write({
      "skills/gone.ts": declared("gone"),
      "skills/away/SKILL.md": "---\nname: away\ndescription: d\n---\n",
    })
    expect(await run("skills", "remove", "GONE")).toMatchObject({ code: 2 })
    expect(await run("skills", "remove", "../skills")).toMatchObject({ code: 2 })
    expect(await run("skills", "remove", "gone")).toEqual({ code: 0, stdout: "removed skills/gone.ts\n", stderr: "" })
    expect((await run("skills", "remove", "away")).code).toBe(0)
    expect([existsSync(project.path("skills/gone.ts")), existsSync(project.path("skills/away"))]).toEqual([
      false,
      false,
    ])
  })
})
