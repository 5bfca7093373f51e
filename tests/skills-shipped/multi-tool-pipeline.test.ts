import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { packagePath } from "../fixtures/config.ts"
import { repository } from "../fixtures/project.ts"
import { shippedSkill } from "./shipped.ts"

const skill = shippedSkill("multi-tool-pipeline", {
  servers: {
    git: {
      command: join(repository, "node_modules/.bin/node"),
      args: [packagePath("@cyanheads/git-mcp-server/dist/index.js")],
      env: { MCP_TRANSPORT_TYPE: "stdio", MCP_LOG_LEVEL: "error" },
    },
  },
})
const { project } = skill
afterAll(() => skill[Symbol.dispose]())

function git(folder: string, ...args: string[]): void {
  const identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "commit.gpgsign=false"]
  const { exitCode, stderr } = Bun.spawnSync(["git", ...identity, ...args], {
    cwd: project.path(folder),
    env: { PATH: process.env.PATH ?? "", HOME: project.directory, GIT_COMMITTER_DATE: "2026-01-02T03:04:05Z" },
  })
  if (exitCode !== 0) throw new Error(stderr.toString())
}

beforeAll(() => {
  for (const folder of ["repo", "empty", "plain"]) mkdirSync(project.path(folder))
  git("repo", "init", "-q", "-b", "main")
  git("empty", "init", "-q", "-b", "main")
  for (const name of ["first", "second", "third"]) {
    writeFileSync(project.path(`repo/${name}.txt`), name)
    git("repo", "add", ".")
    git("repo", "commit", "-q", "-m", `Add ${name}`, "--date=2026-01-02T03:04:05Z")
  }
  git("repo", "branch", "feature")
  writeFileSync(project.path("repo/first.txt"), "changed")
  writeFileSync(project.path("repo/new.txt"), "new")
  writeFileSync(project.path("repo/staged.txt"), "staged")
  git("repo", "add", "staged.txt")
})

describe("multi-tool-pipeline", () => {
  test("joins status, log and branches of a repository into one report", async () => {
    const { code, stdout } = await skill.run("--path", "repo", "--commits", "2")
    expect(code).toBe(0)
    expect(stdout.replace(/- [0-9a-f]{7,} /g, "- HASH ")).toBe(`# main

## 3 changes
- staged.txt (staged, added)
- first.txt (not staged, modified)
- new.txt (untracked)

## Last commits
- HASH 2026-01-02 Ann: Add third
- HASH 2026-01-02 Ann: Add second

## Other branches
- feature
`)
  })

  test("reports a repository without commits", async () => {
    const { code, stdout } = await skill.run("--path=empty")
    expect({ code, stdout }).toEqual({ code: 0, stdout: "# main\n\n## Clean\n\n## No commits\n" })
  })

  test("fails where there is no repository", async () => {
    const { code, stdout, stderr } = await skill.run("--path=plain")
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toContain("not a git repository")
  })
})
