import { afterAll, describe, expect, test } from "bun:test"
import { symlinkSync, writeFileSync } from "node:fs"
import { readSkills, requireSkill } from "../../src/skills/find-skills.ts"
import { createProject } from "../fixtures/project.ts"

const declared = (name: string, description = "d") =>
  `import { skill } from "mcp-exec"\nexport default skill({ name: "${name}", description: "${description}" }, async () => 1)\n`
const document = (name: string, description = "From the document.") =>
  `---\nname: ${name}\ndescription: "${description}"\n---\n\n# How\n\nDo it.\n`

describe("the skills of a project", () => {
  test("are files and folders, and nothing else", async () => {
    using project = createProject({
      files: {
        "skills/triage.ts": declared("triage"),
        "skills/old_style.js": "// SKILL: Old\n// DESCRIPTION: Still works.\n",
        "skills/triage.test.ts": "x",
        "skills/types.d.ts": "x",
        "skills/_shared.ts": "x",
        "skills/.hidden.ts": "x",
        "skills/notes.md": "x",
        "skills/skills.lock.json": "{}",
        "skills/paper/SKILL.md": document("paper"),
        "skills/tool/SKILL.md": document("tool"),
        "skills/tool/scripts/run.ts": declared("tool", "From the script."),
        "skills/main-one/main.ts": declared("main-one"),
        "skills/lib/parse.ts": "export const a = 1",
      },
    })
    const { skills, skipped } = await readSkills(project.directory)
    expect(skipped).toEqual([])
    expect(
      skills.map(({ name, path, script, form, declaration }) => [name, path, script, form, declaration.description]),
    ).toEqual([
      ["main-one", "skills/main-one/main.ts", "skills/main-one/main.ts", "declared", "d"],
      ["old_style", "skills/old_style.js", "skills/old_style.js", "header", "Still works."],
      ["paper", "skills/paper/SKILL.md", undefined, "none", "From the document."],
      ["tool", "skills/tool/SKILL.md", "skills/tool/scripts/run.ts", "declared", "From the script."],
      ["triage", "skills/triage.ts", "skills/triage.ts", "declared", "d"],
    ])
  })

  test("are none without the folder, or when it is a file", async () => {
    using project = createProject({ files: { "other/skills": "x" } })
    expect(await readSkills(project.directory)).toEqual({ skills: [], skipped: [] })
    expect(await readSkills(project.path("other"))).toEqual({ skills: [], skipped: [] })
  })

  test("are left out with a reason when they cannot be read", async () => {
    using project = createProject({
      files: {
        "skills/huge.ts": "x".repeat(300_000),
        "skills/both.ts": declared("both"),
        "skills/both.js": "1",
        "skills/both/SKILL.md": document("both"),
        "elsewhere/secret.ts": declared("secret"),
        "elsewhere/folder/SKILL.md": document("folder"),
      },
    })
    writeFileSync(project.path("skills/binary.ts"), new Uint8Array([1, 0, 2]))
    symlinkSync(project.path("elsewhere/secret.ts"), project.path("skills/secret.ts"))
    symlinkSync(project.path("elsewhere/folder"), project.path("skills/folder"))
    symlinkSync(project.path("nowhere"), project.path("skills/dangling.ts"))
    symlinkSync(project.path("skills/loop.ts"), project.path("skills/loop.ts"))
    Bun.spawnSync(["mkfifo", project.path("skills/pipe.ts")])
    symlinkSync(project.path("skills/both.ts"), project.path("skills/alias.ts"))
    const { skills, skipped } = await readSkills(project.directory)
    expect(skills.map(({ name }) => name)).toEqual(["alias", "both"])
    expect(skipped.sort()).toEqual([
      "skills/binary.ts: it is not text",
      "skills/both.js: skills/both.ts has the same name",
      "skills/both: skills/both.ts has the same name",
      "skills/folder: it is a link to somewhere outside",
      "skills/huge.ts: it is larger than 256 KB",
      "skills/secret.ts: it is a link to somewhere outside",
    ])
  })

  test("do not reach outside by a link inside their folder", async () => {
    using project = createProject({
      files: { "skills/tool/SKILL.md": document("tool"), "secret.ts": declared("tool", "secret") },
    })
    symlinkSync(project.path("secret.ts"), project.path("skills/tool/main.ts"))
    expect(await requireSkill(project.directory, "tool")).toMatchObject({ path: "skills/tool/SKILL.md", form: "none" })
  })
})

describe("one skill", () => {
  const project = createProject({
    files: {
      "skills/simple_fetch.ts": declared("simple_fetch"),
      "skills/triage.ts": declared("triage"),
      "skills/constructor.ts": declared("constructor"),
    },
  })
  const folder = project.directory
  afterAll(() => project[Symbol.dispose]())

  test("is found by its name, in similar spellings", async () => {
    for (const name of ["simple_fetch", "simple-fetch", "simple_fetch.ts", "Simple-Fetch"]) {
      expect((await requireSkill(folder, name)).name).toBe("simple_fetch")
    }
    expect((await requireSkill(folder, "constructor")).name).toBe("constructor")
  })

  test("is not found by what is no name", async () => {
    for (const name of ["", ".", "..", "../skills/triage", "triage/", "__proto__", "toString", "\0"]) {
      await expect(requireSkill(folder, name)).rejects.toThrow(expect.objectContaining({ code: "E_SKILL_UNKNOWN" }))
    }
  })

  test("that is unknown is an error with the nearest name", async () => {
    await expect(requireSkill(folder, "traige")).rejects.toThrow(
      expect.objectContaining({ code: "E_SKILL_UNKNOWN", hint: expect.stringContaining("Did you mean 'triage'?") }),
    )
  })
})

describe("a skill that cannot be read", () => {
  const cases: [string, string, string][] = [
    ["is too large", "x".repeat(300_000), "skills/it.ts: it is larger than 256 KB"],
    ["is not text", "\0", "skills/it.ts: it is not text"],
  ]
  for (const [title, text, reason] of cases) {
    test(`because it ${title} is an error that says so`, async () => {
      using project = createProject({ files: { "skills/it.ts": text } })
      await expect(requireSkill(project.directory, "it")).rejects.toThrow(
        expect.objectContaining({ code: "E_STATE", message: expect.stringContaining(reason) }),
      )
    })
  }
})

describe("SKILL.md", () => {
  const cases: [string, string, string[]][] = [
    ["no front matter", "# Title\n", ["SKILL.md has no front matter"]],
    ["broken YAML", "---\nname: [a\n---\n", [expect.stringContaining("not valid YAML") as never]],
    ["another name", document("other"), ["SKILL.md: name is 'other', but its folder is 'it'"]],
    ["a bad name", document("It Is"), [expect.stringContaining("'It Is' is not a name for a skill") as never]],
    ["no description", "---\nname: it\n---\n", ["SKILL.md: the description is missing"]],
    ["a long description", document("it", "x".repeat(1025)), [expect.stringContaining("1025 characters") as never]],
    ["aliases", "---\nname: &a it\ndescription: *a\n---\n", [expect.stringContaining("not valid YAML") as never]],
  ]
  for (const [title, text, problems] of cases) {
    test(`with ${title} lists with a problem`, async () => {
      using project = createProject({ files: { "skills/it/SKILL.md": text } })
      expect(await requireSkill(project.directory, "it")).toMatchObject({ name: "it", problems })
    })
  }
})
