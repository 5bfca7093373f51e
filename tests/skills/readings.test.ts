import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { listSkills, readSkills } from "../../src/skills/find-skills.ts"
import { createProject } from "../fixtures/project.ts"

const declared = (name: string, description: string) => `import { arg, skill } from "mcp-exec"
export default skill(
  { name: "${name}", description: "${description}", args: { n: arg.integer({ default: 1 }) }, servers: ["git"] },
  async () => 1,
)
`
const files = {
  "skills/one.ts": declared("one", "First."),
  "skills/two.ts": declared("two", "Second."),
  "skills/paper/SKILL.md": "---\nname: paper\ndescription: Folds.\n---\n\nA long story.\n",
}

describe("a listing with a cache", () => {
  const project = createProject({ files })
  const cache = project.path("cache")
  const cacheFile = () => join(cache, "skills", readdirSync(join(cache, "skills"))[0] ?? "")
  const descriptions = async () =>
    (await listSkills(project.directory, cache)).skills.map(({ declaration }) => declaration.description)
  const plainly = async () => {
    const { skills, skipped } = await readSkills(project.directory)
    return { skills: skills.map(({ instructions: _, ...listed }) => listed), skipped }
  }
  // A file that has just changed is not remembered: it could change again within its time stamp.
  const settle = () => Bun.sleep(120)
  beforeAll(settle)
  afterAll(() => project[Symbol.dispose]())

  test("says what a listing without one says, the first time and the second", async () => {
    const plain = await plainly()
    expect(await listSkills(project.directory, cache)).toEqual(plain)
    expect(await listSkills(project.directory, cache)).toEqual(plain)
    expect(statSync(cacheFile()).mode & 0o777).toBe(0o600)
    expect(readFileSync(cacheFile(), "utf8")).not.toContain("A long story")
  })

  test("reads only the skills that have changed", async () => {
    writeFileSync(
      cacheFile(),
      readFileSync(cacheFile(), "utf8").replaceAll("First.", "Kept.").replaceAll("Second.", "Kept."),
    )
    expect(await descriptions()).toEqual(["Kept.", "Folds.", "Kept."])
    project.write({ "skills/two.ts": declared("two", "Changed.") })
    expect(await descriptions()).toEqual(["Kept.", "Folds.", "Changed."])
  })

  test("sees a change that left size and time of writing as they were", async () => {
    await settle()
    await descriptions()
    const { mtime } = statSync(project.path("skills/two.ts"))
    project.write({ "skills/two.ts": declared("two", "CHANGED.") })
    utimesSync(project.path("skills/two.ts"), mtime, mtime)
    expect((await descriptions())[2]).toBe("CHANGED.")
  })

  test("sees a change that follows the last one at once", async () => {
    for (const word of ["Alpha.", "Betas.", "Gamma."]) {
      project.write({ "skills/two.ts": declared("two", word) })
      expect((await descriptions())[2]).toBe(word)
    }
  })

  test("is not impressed by what somebody has made of the cache", async () => {
    await settle()
    const plain = await plainly()
    await listSkills(project.directory, cache)
    const good = JSON.parse(readFileSync(cacheFile(), "utf8"))
    const [stamp, skill] = good["skills/one.ts"]
    const records: unknown[] = [
      null,
      5,
      [],
      [stamp],
      [stamp, null],
      [stamp, "text"],
      [stamp, {}],
      ["another stamp", { ...skill, problems: ["no"] }],
      [stamp, { ...skill, name: "two" }],
      [stamp, { ...skill, script: "../../evil.ts" }],
      [stamp, { ...skill, path: "/etc/passwd" }],
      [stamp, { ...skill, form: "other" }],
      [stamp, { ...skill, problems: [1] }],
      [stamp, { ...skill, declaration: null }],
      [stamp, { ...skill, declaration: { ...skill.declaration, description: {} } }],
      [stamp, { ...skill, declaration: { ...skill.declaration, servers: "git" } }],
      [stamp, { ...skill, declaration: { ...skill.declaration, examples: [null] } }],
      [stamp, { ...skill, declaration: { ...skill.declaration, args: [1] } }],
      [stamp, { ...skill, declaration: { ...skill.declaration, args: { n: null } } }],
      [stamp, { ...skill, declaration: { ...skill.declaration, args: { n: { kind: "evil" } } } }],
      [stamp, { ...skill, declaration: { ...skill.declaration, args: { n: { kind: "enum", values: 5 } } } }],
    ]
    for (const record of records) {
      writeFileSync(cacheFile(), JSON.stringify({ ...good, "skills/one.ts": record }))
      expect({ record, found: await listSkills(project.directory, cache) }).toEqual({ record, found: plain })
    }
    for (const text of ["", "{", "null", "[]", "5", '{"__proto__":{"skills/one.ts":[]}}', "\0\0"]) {
      writeFileSync(cacheFile(), text)
      expect({ text, found: await listSkills(project.directory, cache) }).toEqual({ text, found: plain })
    }
  })

  test("does without one that cannot be written", async () => {
    writeFileSync(project.path("not-a-folder"), "")
    expect(await listSkills(project.directory, project.path("not-a-folder"))).toEqual(await plainly())
  })
})
