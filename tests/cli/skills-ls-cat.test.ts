// Skills beside servers in `ls` and `cat`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { createProject } from "../fixtures/project.ts"

const typical = `import { arg, skill } from "mcp-exec"
export default skill(
  {
    name: "triage",
    description: "Sorts the open issues of a repository by urgency and proposes labels for each. Slowly.",
    whenToUse: "Once a day, or when many issues have come in",
    args: {
      repo: arg.string({ required: true, description: "owner and name, such as acme/app" }),
      limit: arg.integer({ default: 50, min: 1, max: 500, description: "how many issues" }),
      format: arg.enum(["text", "json"], { default: "text", description: "how the report looks" }),
    },
    servers: ["github"],
    returns: "one line per issue",
    examples: ["mcp-exec exec triage --repo acme/app"],
  },
  async ({ repo }) => repo,
)
`
const echo = typical.replace('"triage"', '"echo"')
const project = createProject({
  servers: { echo: { type: "builtin", name: "echo" } },
  files: {
    "skills/triage.ts": typical,
    "skills/echo.ts": echo,
    "skills/Old_One.ts": "// SKILL: Old\n// DESCRIPTION: Old.",
  },
})
beforeAll(async () => {
  expect((await project.run(["generate"])).code).toBe(0)
})
afterAll(() => project[Symbol.dispose]())
const run = (...args: string[]) => project.run(args)
const sorts = "skill  Sorts the open issues of a repository by urgency and proposes labels…"

describe("ls", () => {
  test("lists skills and servers, one line each, or one kind alone", async () => {
    const skills = `Old_One  skill  Old\necho  ${sorts}\ntriage  ${sorts}\n`
    expect(await run("ls")).toEqual({ code: 0, stdout: `${skills}echo  4 tools\n`, stderr: "" })
    expect((await run("ls", "skills")).stdout).toBe(skills)
    expect((await run("ls", "servers")).stdout).toBe("echo  4 tools\n")
    expect((await run("ls", "echo")).stdout).toContain("add(readonly)")
    expect(JSON.parse((await run("ls", "--json")).stdout)).toMatchObject({
      skills: [{}, {}, { name: "triage" }],
      servers: [{ name: "echo" }],
    })
  })

  test("lists the skills of a project without generated servers, and of none at all", async () => {
    using bare = createProject({ files: { "skills/triage.ts": typical } })
    expect(await bare.run(["ls"])).toEqual({ code: 0, stdout: `triage  ${sorts}\n`, stderr: "" })
    using empty = createProject()
    expect(await empty.run(["ls"])).toMatchObject({ code: 2, stderr: expect.stringContaining("mcp-exec generate") })
    expect(await empty.run(["ls", "skills"])).toEqual({ code: 0, stdout: "", stderr: "There are no skills.\n" })
  })
})

describe("cat", () => {
  test("prints what one must know to run a skill, in at most 120 tokens", async () => {
    const { code, stdout, stderr } = await run("cat", "triage")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain("mcp-exec exec triage --repo <string> [options]\n")
    expect(stdout).toBe((await run("skills", "show", "triage")).stdout)
    expect(countTokens(stdout)).toBeLessThanOrEqual(120)
    expect((await run("cat", "triage", "--source")).stdout).toBe(typical)
    expect(JSON.parse((await run("cat", "triage", "--json")).stdout)).toMatchObject({
      skill: "triage",
      declaration: { servers: ["github"] },
    })
  })

  test("prefers the skill of a name that a server has, too, and says so", async () => {
    const { stdout, stderr } = await run("cat", "echo")
    expect(stdout).toStartWith("echo: Sorts")
    expect(stderr).toBe("There is a server echo, too: mcp-exec ls echo\n")
    expect((await run("cat", "echo.add")).stdout).toContain("function add(")
  })

  test("prints the instructions of a skill that is a folder, unless its script says enough", async () => {
    const document = (name: string) => `---\nname: ${name}\ndescription: Folds.\n---\n\nFold it twice.\n`
    using other = createProject({
      files: {
        "skills/paper/SKILL.md": document("paper"),
        "skills/paper/scripts/fold.ts": "console.log(1)",
        "skills/triage/SKILL.md": document("triage"),
        "skills/triage/triage.ts": typical,
      },
    })
    const paper = "paper: Folds.\nUsage: mcp-exec exec paper\n\nFold it twice.\n"
    expect((await other.run(["cat", "paper"])).stdout).toBe(paper)
    const { stdout } = await other.run(["cat", "triage"])
    expect(stdout).toEndWith("Returns: one line per issue\nMore: skills/triage/SKILL.md\n")
  })

  test("of a name that nothing has speaks of skills, too", async () => {
    expect(await run("cat", "weather")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "error[E_SERVER_UNKNOWN]: There is no skill and no generated server 'weather'\n" +
        "hint: See all: mcp-exec ls\nThere are: echo\n",
    })
  })

  test("takes a similar spelling when nothing else goes by it, and suggests a near one", async () => {
    expect((await run("cat", "old-one")).stdout).toStartWith("Old_One: Old.")
    expect(await run("cat", "triagee")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean the skill triage?"),
    })
    using bare = createProject({ files: { "skills/triage.ts": typical } })
    expect((await bare.run(["cat", "triage"])).code).toBe(0)
    expect(await bare.run(["cat", "nothing"])).toMatchObject({ code: 2 })
  })
})
