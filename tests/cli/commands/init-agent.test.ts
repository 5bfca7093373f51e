import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { runCli } from "../../../src/cli/program.ts"
import { agentNames } from "../../../src/operations/init/instructions.ts"
import { createProject, type Project } from "../../fixtures/project.ts"
import { captureIo } from "../captured-io.ts"

const read = (project: Project, name: string) => readFileSync(project.path(name), "utf8")
const quick = { echo: { type: "builtin", name: "echo" } }

describe("mcp-exec init --agent", () => {
  test("in a project that is set up writes the instructions and nothing else", async () => {
    using project = createProject({ servers: quick, files: { "AGENTS.md": "# Ours\n" } })
    const { code, stdout } = await project.run(["init", "--agent", "claude,codex"])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^created {2}\.claude\/skills\/mcp-exec\/SKILL\.md\nupdated {2}AGENTS\.md\nnote: .*mcp-exec generate\n$/,
      ),
    })
    expect(read(project, "AGENTS.md")).toStartWith("# Ours\n\n<!-- mcp-exec:begin -->\n")
    expect(
      readdirSync(project.directory)
        .filter((name) => !name.startsWith("."))
        .sort(),
    ).toEqual(["AGENTS.md", "mcp_config.json"])
  })

  for (const agent of agentNames) {
    test(`for ${agent} writes its file once, and keeps it the second time`, async () => {
      using project = createProject({ servers: quick })
      const [first, second] = [
        await project.run(["init", "--agent", agent]),
        await project.run(["init", "--agent", agent]),
      ]
      const [, path = ""] = /^created +(\S+)$/m.exec(first.stdout) ?? []
      expect(read(project, path).match(/mcp-exec:begin/g)).toHaveLength(1)
      expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining(`unchanged  ${path}\n`) })
    })
  }

  test("does not replace a file of somebody else without asking", async () => {
    using project = createProject({ servers: quick, files: { ".cursor/rules/mcp-exec.mdc": "mine" } })
    const refused = await project.run(["init", "--agent", "cursor", "--json"])
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stdout)).toMatchObject({
      directory: project.directory,
      steps: [{ path: ".cursor/rules/mcp-exec.mdc", state: "refused" }],
    })
    expect(read(project, ".cursor/rules/mcp-exec.mdc")).toBe("mine")
  })

  test.each([
    { answer: "no", code: 1, want: "mine" },
    { answer: "yes", code: 0, want: "mcp-exec:begin" },
  ])("asks on a terminal, and takes $answer for an answer", async ({ answer, code, want }) => {
    using project = createProject({ servers: quick, files: { ".cursor/rules/mcp-exec.mdc": "mine" } })
    const io = captureIo({ cwd: project.directory, tty: true, env: { NO_COLOR: "1" } })
    io.typed.write(`${answer}\n`)
    expect(await runCli(["init", "--agent", "cursor"], io)).toBe(code)
    expect(io.written.stderr).toContain("Replace .cursor/rules/mcp-exec.mdc? (yes/no)")
    expect(read(project, ".cursor/rules/mcp-exec.mdc")).toContain(want)
  })
})
