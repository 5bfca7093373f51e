import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { parse } from "yaml"
import { createProject, type Project } from "../fixtures/project.ts"

const declared = (name: string, declaration: Record<string, unknown>) =>
  `import { skill } from "mcp-exec"\nexport default skill(${JSON.stringify({ name, ...declaration })}, async () => 1)\n`
const read = (project: Project, path: string) => readFileSync(project.path(path), "utf8")
const matter = (text: string) => parse(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? "")

describe("skills export", () => {
  test("writes a SKILL.md that keeps the rules, whatever a skill says of itself", async () => {
    const nasty = "A: \"b\" # c\n---\nname: evil\n<script> - {x} `y` 'z'"
    using project = createProject({
      files: {
        "skills/nasty.ts": declared("nasty", { description: nasty, whenToUse: "always: # yes" }),
        "skills/long.ts": declared("long", { description: "word ".repeat(400) }),
        "skills/usual.ts": declared("usual", {
          description: "Usual.",
          servers: ["git"],
          examples: ["mcp-exec exec usual"],
        }),
        "skills/paper/SKILL.md": "---\nname: paper\ndescription: Folds.\n---\n\n# How\n\nFold it.\n",
      },
    })
    const { code, stdout } = await project.run(["skills", "export", "--to", "claude"])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: ["long", "nasty", "paper", "usual"].map((name) => `wrote .claude/skills/${name}/SKILL.md\n`).join(""),
    })
    const texts = Object.fromEntries(
      ["long", "nasty", "paper", "usual"].map((name) => [name, read(project, `.claude/skills/${name}/SKILL.md`)]),
    )
    for (const [name, text] of Object.entries(texts)) {
      const { description, ...rest } = matter(text)
      expect(rest).toEqual({ name })
      expect(description.length).toBeLessThanOrEqual(1024)
      expect(description).not.toMatch(/[<>\n]/)
    }
    expect(matter(texts.nasty ?? "").description).toStartWith('A: "b" # c --- name: evil script - {x}')
    expect(texts.usual).toContain("```sh\nmcp-exec exec usual\n```")
    expect(texts.usual).toContain("mcp_config.json: git.")
    expect(texts.paper).toContain("Files that are named here are in `skills/paper/`.\n\n# How\n\nFold it.")
    expect(texts.nasty).not.toContain("Files that are named here")
    expect((await project.run(["skills", "export", "--to", "claude"])).stderr).toBe("All are up to date.\n")
  })

  test("writes only those that are named, for other agents", async () => {
    using project = createProject({
      files: {
        "skills/a.ts": declared("a", { description: "A." }),
        "skills/b.ts": declared("b", { description: "B." }),
      },
    })
    const { stdout } = await project.run(["skills", "export", "b", "--to", "agents", "--json"])
    expect(JSON.parse(stdout)).toMatchObject({ written: [".agents/skills/b/SKILL.md"], unchanged: [] })
    expect(existsSync(project.path(".agents/skills/a"))).toBe(false)
  })

  test("does not write over a file of somebody else, unless told to, and writes the others", async () => {
    using project = createProject({
      files: {
        "skills/a.ts": declared("a", { description: "A." }),
        "skills/b.ts": declared("b", { description: "B." }),
        ".claude/skills/b/SKILL.md": "mine",
      },
    })
    const refused = await project.run(["skills", "export", "--to", "claude"])
    expect(refused).toMatchObject({
      code: 1,
      stdout: "wrote .claude/skills/a/SKILL.md\n",
      stderr: expect.stringContaining("b/SKILL.md was not written by mcp-exec"),
    })
    expect(read(project, ".claude/skills/b/SKILL.md")).toBe("mine")
    expect((await project.run(["skills", "export", "--to", "claude", "--force"])).code).toBe(0)
    project.write({ "skills/b.ts": declared("b", { description: "Other." }) })
    expect((await project.run(["skills", "export", "--to", "claude"])).stdout).toBe("wrote .claude/skills/b/SKILL.md\n")
  })

  test("writes the good ones and names the bad ones", async () => {
    using project = createProject({
      files: {
        "skills/Old_Name.ts": declared("Old_Name", { description: "x" }),
        "skills/mute.ts": "console.log(1)",
        "skills/ü\n.ts": "// Odd.",
        "skills/good.ts": declared("good", { description: "Good." }),
      },
    })
    const { code, stdout, stderr } = await project.run(["skills", "export", "--to", "agents"])
    expect({ code, stdout }).toEqual({ code: 1, stdout: "wrote .agents/skills/good/SKILL.md\n" })
    expect(stderr).toContain("Rename its file, for example to old-name.ts.")
    expect(stderr).toContain("ü cannot be exported: 'ü ' is not a name for a skill")
    expect(stderr).toContain("Rename its file, for example to my-skill.ts.")
    expect(stderr).toContain("mute cannot be exported: the description is missing")
    const again = await project.run(["skills", "export", "--to", "agents", "--json"])
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([
      1,
      {
        written: [],
        unchanged: [".agents/skills/good/SKILL.md"],
        refused: [
          { name: "Old_Name", error: { code: "E_USAGE" } },
          { name: "mute", error: { code: "E_USAGE" } },
          { name: "ü\n", error: { code: "E_USAGE" } },
        ],
      },
    ])
    expect(existsSync(project.path(".agents/skills/Old_Name"))).toBe(false)
  })

  test("does not write through a link that leads out of the project", async () => {
    using project = createProject({ files: { "home/x": "", "in/skills/a.ts": declared("a", { description: "A." }) } })
    symlinkSync(project.path("home"), project.path("in/.claude"))
    const { code, stderr } = await project.run(["skills", "export", "--to", "claude", "--cwd", "in"])
    expect([code, stderr]).toEqual([1, expect.stringContaining("behind a link to somewhere outside")])
    expect(readdirSync(project.path("home"))).toEqual(["x"])
  })

  test("is undone by skills remove, but for what somebody else has written", async () => {
    using project = createProject({
      files: {
        "skills/a.ts": declared("a", { description: "A." }),
        ".agents/skills/a/SKILL.md": "mine",
        ".claude/skills/other/SKILL.md": "mine",
      },
    })
    await project.run(["skills", "export", "--to", "claude"])
    const { code, stdout } = await project.run(["skills", "remove", "a"])
    expect([code, stdout]).toEqual([0, "removed skills/a.ts\nremoved .claude/skills/a/SKILL.md\n"])
    expect(readdirSync(project.path(".claude/skills"))).toEqual(["other"])
    expect(read(project, ".agents/skills/a/SKILL.md")).toBe("mine")
  })

  test("refuses what it cannot do", async () => {
    using project = createProject({ files: { "skills/good.ts": declared("good", { description: "x" }) } })
    const cases: [string[], string][] = [
      [["--to", "word"], "Allowed choices are claude, agents"],
      [[], "--to"],
      [["--to", "claude", "good", "nobody"], "There is no skill 'nobody'"],
    ]
    for (const [args, says] of cases) {
      const { code, stderr } = await project.run(["skills", "export", ...args])
      expect({ args, code, stderr }).toEqual({ args, code: 2, stderr: expect.stringContaining(says) })
    }
    expect(existsSync(project.path(".claude"))).toBe(false)
  })
})
