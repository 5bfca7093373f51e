// What init makes of files that are broken, huge, or not what they seem.
import { describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { createProject, type Project } from "../../fixtures/project.ts"

const read = (project: Project, name: string) => readFileSync(project.path(name), "utf8")
const claudeFile = (servers: Record<string, unknown>) => JSON.stringify({ mcpServers: servers })
const quick = { echo: { type: "builtin", name: "echo" } }

describe("mcp-exec init", () => {
  test("tells what to do next, and only the first of very many names", async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`s${index}`, { command: "/no/such" }]))
    using project = createProject({ files: { ".cursor/mcp.json": claudeFile(many) } })
    const { code, stdout } = await project.run(["init"])
    expect(code).toBe(0)
    expect(stdout).toContain(", s19, and 10 more\n")
    expect(stdout).toContain("Next: mcp-exec ls shows what there is.")
  }, 120_000)

  test("fails when a file that was asked for cannot be read, and waits for no pipe", async () => {
    using project = createProject({ files: { ".cursor/mcp.json": "{ broken" } })
    mkdirSync(project.path(".vscode"))
    expect(Bun.spawnSync(["mkfifo", project.path(".vscode/mcp.json")]).exitCode).toBe(0)
    const { code, stdout } = await project.run(["init", "--from", "cursor", "vscode"])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^failed +\S+\.cursor\/mcp\.json +it was not read$/m)
    expect(stdout).toContain("note: cursor: not read: ")
    expect(stdout).toContain("note: vscode: VS Code has no file here")
    expect(stdout).not.toContain("imported: Cursor")
  }, 120_000)

  test("writes nothing behind a link that leads outside the folder", async () => {
    using elsewhere = createProject({ files: { profile: "mine\n", "skills/README.md": "mine\n" } })
    using project = createProject({ servers: quick, files: { "docs/AGENTS.md": "ours\n" } })
    symlinkSync(elsewhere.path("profile"), project.path(".gitignore"))
    symlinkSync(elsewhere.path("skills"), project.path("skills"))
    symlinkSync("docs/AGENTS.md", project.path("AGENTS.md"))
    const { code, stdout } = await project.run(["init"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^kept +\.gitignore +it is behind a link to somewhere outside this folder$/m)
    expect(stdout).toMatch(/^kept +skills\/tool-report\.ts +it is behind a link/m)
    expect([read(elsewhere, "profile"), readdirSync(elsewhere.path("skills"))]).toEqual(["mine\n", ["README.md"]])
    expect((await project.run(["init", "--agent", "codex"])).stdout).toBe("updated  AGENTS.md\n")
    expect(read(project, "docs/AGENTS.md")).toStartWith("ours\n\n<!-- mcp-exec:begin -->")
  })
})
