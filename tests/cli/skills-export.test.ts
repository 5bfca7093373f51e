import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
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

  test("does not write over a file of somebody else, unless told to, and then writes none", async () => {
    using project = createProject({
      files: {
        "skills/a.ts": declared("a", { description: "A." }),
        "skills/b.ts": declared("b", { description: "B." }),
        ".claude/skills/b/SKILL.md": "mine",
      },
    })
    const refused = await project.run(["skills", "export", "--to", "claude"])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("was not written by mcp-exec") })
    expect([read(project, ".claude/skills/b/SKILL.md"), existsSync(project.path(".claude/skills/a"))]).toEqual([
      "mine",
      false,
    ])
    expect((await project.run(["skills", "export", "--to", "claude", "--force"])).code).toBe(0)
    project.write({ "skills/b.ts": declared("b", { description: "Other." }) })
    expect((await project.run(["skills", "export", "--to", "claude"])).stdout).toBe("wrote .claude/skills/b/SKILL.md\n")
  })

  test("refuses what it cannot do", async () => {
    using project = createProject({
      files: { "skills/Old_Name.ts": declared("Old_Name", { description: "x" }), "skills/mute.ts": "console.log(1)" },
    })
    const cases: [string[], string][] = [
      [["--to", "word"], "Allowed choices are claude, agents"],
      [[], "--to"],
      [["--to", "claude", "nobody"], "There is no skill 'nobody'"],
      [["--to", "claude", "Old_Name"], "old-name.ts"],
      [["--to", "claude", "mute"], "the description is missing"],
    ]
    for (const [args, says] of cases) {
      const { code, stderr } = await project.run(["skills", "export", ...args])
      expect({ args, code, stderr }).toEqual({ args, code: 2, stderr: expect.stringContaining(says) })
    }
    expect(existsSync(project.path(".claude"))).toBe(false)
  })
})
