import { afterAll, describe, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { createProject } from "../fixtures/project.ts"
import { declared, document } from "./published-skills.ts"

/** What others publish. */
const source = createProject({
  files: {
    "repo/skills/alpha.ts": declared("alpha"),
    "repo/skills/beta/SKILL.md": document("beta"),
    "repo/skills/beta/scripts/run.ts": 'console.log("beta ran")\n',
  },
})
afterAll(() => source[Symbol.dispose]())

describe("a skill that was added", () => {
  test("is refused once it has changed, by every name, until it is approved", async () => {
    using project = createProject()
    const run = (...args: string[]) => project.run(args)
    await run("skills", "add", source.path("repo"))
    project.write({ "skills/alpha.ts": declared("alpha").replace("alpha ran", "evil") })
    symlinkSync("alpha.ts", project.path("skills/alias.ts"))
    for (const name of [
      "alias",
      "alpha",
      "alpha.ts",
      "skills/alpha.ts",
      "./skills/../skills/alpha.ts",
      project.path("skills/alpha.ts"),
    ]) {
      const { code, stdout, stderr } = await run("exec", name)
      expect({ name, code, stdout }).toEqual({ name, code: 5, stdout: "" })
      expect(stderr).toContain("error[E_SKILL_CHANGED]: The skill alpha has changed since it was added: alpha.ts")
    }
    expect((await run("skills", "check", "alpha")).stdout).toContain("exec refuses it: alpha.ts")
    expect((await run("skills", "approve", "alpha")).stdout).toBe("approved alpha: alpha.ts\n")
    expect((await run("exec", "alpha")).stdout).toBe("evil\n")
  })

  test("is refused when any of its files has changed or is gone", async () => {
    using project = createProject()
    await project.run(["skills", "add", source.path("repo"), "--skill", "beta"])
    project.write({ "skills/beta/SKILL.md": document("beta").replace("Fold", "Burn") })
    expect((await project.run(["exec", "beta"])).stderr).toContain("beta/SKILL.md")
  })

  test("is refused when a file was put beside its own, or in their place", async () => {
    using project = createProject()
    await project.run(["skills", "add", source.path("repo")])
    project.write({ "skills/beta/lib.ts": "export {}" })
    expect((await project.run(["exec", "beta"])).stderr).toContain("has changed since it was added: beta/lib.ts")
    rmSync(project.path("skills/beta/lib.ts"))
    project.write({ "skills/beta/.DS_Store": "" })
    expect((await project.run(["exec", "beta"])).stdout).toBe("beta ran\n")
    project.write({ "skills/beta/main.ts": 'console.log("evil")', "skills/alpha.js": 'console.log("evil")' })
    expect(await project.run(["exec", "beta"])).toMatchObject({ code: 5, stdout: "" })
    expect((await project.run(["exec", "alpha"])).stdout).toBe("alpha ran\n")
    rmSync(project.path("skills/alpha.ts"))
    expect(await project.run(["exec", "alpha"])).toMatchObject({ code: 5, stdout: "" })
    expect((await project.run(["skills", "approve", "beta"])).stdout).toBe("approved beta: beta/main.ts\n")
    expect((await project.run(["exec", "beta"])).stdout).toBe("evil\n")
  })

  test("is refused when a link takes the place of a file or a folder, and cannot be approved then", async () => {
    using project = createProject({ files: { "same.ts": 'console.log("beta ran")\n', "empty/x": "" } })
    await project.run(["skills", "add", source.path("repo"), "--skill", "beta"])
    const cases: [string, string, string][] = [
      ["same.ts", "skills/beta/scripts/run.ts", "beta/scripts/run.ts"],
      ["empty", "skills/beta/node_modules", "beta/node_modules"],
      ["empty", "skills/beta/more", "beta/more"],
    ]
    for (const [target, link, names] of cases) {
      const kept = existsSync(project.path(link)) ? readFileSync(project.path(link), "utf8") : undefined
      rmSync(project.path(link), { force: true })
      symlinkSync(project.path(target), project.path(link))
      const { code, stdout, stderr } = await project.run(["exec", "skills/beta/scripts/run.ts"])
      expect({ link, code, stdout, stderr }).toEqual({
        link,
        code: 5,
        stdout: "",
        stderr: expect.stringContaining(names),
      })
      expect(await project.run(["skills", "approve", "beta"])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${names} is not a regular file`),
      })
      rmSync(project.path(link))
      if (kept !== undefined) project.write({ [link]: kept })
    }
    expect((await project.run(["exec", "beta"])).stdout).toBe("beta ran\n")
  })

  test("cannot be approved when it imports what its hashes do not cover", async () => {
    using project = createProject({ files: { "skills/mine.ts": "export const a = 1" } })
    await project.run(["skills", "add", source.path("repo"), "--skill", "alpha"])
    project.write({ "skills/alpha.ts": `import { a } from "./mine.ts"\n${declared("alpha")}` })
    const { code, stderr } = await project.run(["skills", "approve", "alpha"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("alpha.ts imports ./mine.ts, which is not part of it")])
    expect((await project.run(["exec", "alpha"])).code).toBe(5)
  })

  test("is refused when nobody can tell whether it has changed", async () => {
    for (const text of ["{", "[]", '{"format":2}', '{"format":1,"skills":{"alpha":5}}']) {
      using project = createProject({
        files: { "skills/alpha.ts": declared("alpha"), "skills/skills.lock.json": text },
      })
      expect(await project.run(["exec", "alpha"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("skills.lock.json cannot be read"),
      })
    }
  })

  test("is the reason why a lock that cannot be read stops every change", async () => {
    using project = createProject({ files: { "skills/own.ts": declared("own"), "skills/skills.lock.json": "{" } })
    for (const words of [
      ["new", "fresh"],
      ["save", "fresh", "--from", "skills/own.ts"],
      ["remove", "own"],
    ]) {
      const { code, stderr } = await project.run(["skills", ...words])
      expect({ words, code, stderr }).toEqual({ words, code: 1, stderr: expect.stringContaining("cannot be read") })
    }
    expect(readdirSync(project.path("skills")).sort()).toEqual(["own.ts", "skills.lock.json"])
  })

  test("may be removed, and one's own needs no approval", async () => {
    using project = createProject({ files: { "skills/mine.ts": declared("mine") } })
    await project.run(["skills", "add", source.path("repo"), "--skill", "alpha"])
    expect((await project.run(["skills", "approve", "mine"])).stderr).toContain("is a skill of your own")
    expect((await project.run(["skills", "approve", "alpha"])).stdout).toBe("alpha has not changed\n")
    expect((await project.run(["skills", "remove", "alpha"])).code).toBe(0)
    expect(existsSync(project.path("skills/skills.lock.json"))).toBe(false)
  })
})
