// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as they stand in configurations
import { describe, expect, test } from "bun:test"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { programs } from "../../../src/config/import/programs.ts"
import { agentNames } from "../../../src/operations/init/instructions.ts"
import { fixturePath } from "../../fixtures/config.ts"
import { eventually } from "../../fixtures/eventually.ts"
import { createProject, type Project, repository } from "../../fixtures/project.ts"

const read = (project: Project, name: string) => readFileSync(project.path(name), "utf8")
const claudeFile = (servers: Record<string, unknown>) => JSON.stringify({ mcpServers: servers })
const echo = { command: process.execPath, args: [fixturePath("echo")] }
const quick = { echo: { type: "builtin", name: "echo" } }

/** Every file that init may make, with its text and time of change. */
function snapshot(project: Project): Record<string, unknown> {
  const files = readdirSync(project.directory, { recursive: true, encoding: "utf8" }).filter(
    (name) => !/^\.(cache|bun)/.test(name) && statSync(project.path(name)).isFile(),
  )
  return Object.fromEntries(
    files.sort().map((name) => [name, [read(project, name), statSync(project.path(name)).mtimeMs]]),
  )
}

describe("mcp-exec init in an empty folder", () => {
  test("makes everything that ls, cat, call and exec need, and a second time changes nothing", async () => {
    using project = createProject()
    const first = await project.run(["init"])
    expect(first).toMatchObject({ code: 0, stderr: "" })
    expect(first.stdout).toMatch(/^created +mcp_config.json +filesystem, memory, fetch$/m)
    expect(first.stdout).toMatch(/^created +servers\/ +3 servers, 24 tools$/m)
    expect(read(project, ".gitignore")).toBe("/servers/\n/.servers.*\n/workspace/\n")

    expect((await project.run(["ls"])).stdout).toContain("filesystem  14 tools")
    expect((await project.run(["ls"])).stdout).toContain("search-files")
    expect((await project.run(["cat", "filesystem.write_file"])).stdout).toContain("path: string")
    const call = await project.run(["call", "filesystem.write_file", "path=a.txt", "content=needle"])
    expect(call).toMatchObject({ code: 0 })
    const skill = await project.run(["exec", "search-files", "--pattern", "needle"])
    expect(skill).toMatchObject({ code: 0 })
    expect(skill.stdout).toContain("a.txt")

    const before = snapshot(project)
    const second = await project.run(["init"])
    expect(second.stdout).toEndWith("Everything is in place; nothing was changed.\n")
    expect(second.stdout).not.toMatch(/^(created|updated)/m)
    expect(snapshot(project)).toEqual(before)
  }, 120_000)

  test("shows what other programs have, and brings it in only when asked to", async () => {
    using project = createProject({ files: { ".cursor/mcp.json": claudeFile({ files: echo }) } })
    const first = await project.run(["init"])
    expect(first.stdout).toContain(`found: Cursor, ${project.path(".cursor/mcp.json")}: files\n`)
    expect(first.stdout).toContain("To bring them in: mcp-exec init --from cursor\n")
    expect(Object.keys((await project.run(["servers", "--json"])).stdout)).not.toContain("files")
    const second = await project.run(["init", "--from", "cursor"])
    expect(second.stdout).toMatch(/^updated +mcp_config.json +added files$/m)
    expect(read(project, "mcp_config.json")).toStartWith("{\n  // Servers that need nothing installed")
  }, 120_000)
})

describe("mcp-exec init --from", () => {
  test("copies references as references, warns of secrets without showing them, and survives a server that fails", async () => {
    using project = createProject({
      files: {
        ".claude.json": claudeFile({
          works: echo,
          fails: { command: "no-such-program-here", env: { FAILS_TOKEN: "hunter2-hunter2", OTHER: "${NOT_SET:-x}" } },
        }),
      },
    })
    const { code, stdout, stderr } = await project.run(["init", "--from", "claude"])
    expect(code).toBe(0)
    expect(stdout).toContain("note: claude: fails: env.FAILS_TOKEN: a secret is copied as it stands there")
    expect(stdout).toMatch(/note: fails: E_SERVER_CONNECT: /)
    expect(stdout).toMatch(/created +servers\/ +1 server, \d+ tools; 1 could not be asked/)
    expect(stdout + stderr).not.toContain("hunter2")
    expect(JSON.parse(read(project, "mcp_config.json")).mcpServers.fails.env.OTHER).toBe("${NOT_SET:-x}")
    expect(statSync(project.path("mcp_config.json")).mode & 0o777).toBe(0o600)
  })

  test("keeps a server of the same name that differs, until --force", async () => {
    using project = createProject({
      servers: quick,
      files: { ".mcp.json": claudeFile({ echo, more: echo }) },
    })
    const kept = await project.run(["init", "--from", "claude"])
    expect(kept.stdout).toContain(
      "note: echo: mcp_config.json has another server of this name, which stays; --force replaces it",
    )
    expect(JSON.parse(read(project, "mcp_config.json")).mcpServers).toEqual({ ...quick, more: echo })
    await project.run(["init", "--from", "claude", "--force"])
    expect(JSON.parse(read(project, "mcp_config.json")).mcpServers).toEqual({ echo, more: echo })
  })

  test("does not write into another program's file", async () => {
    using project = createProject({
      files: { ".mcp.json": claudeFile({ echo }), ".gemini/settings.json": claudeFile({ g: echo }) },
    })
    const { stdout } = await project.run(["init", "--from", "gemini"])
    expect(stdout).toContain("note: mcp_config.json now counts instead of .mcp.json\n")
    expect(read(project, ".mcp.json")).toBe(claudeFile({ echo }))
    expect(JSON.parse(read(project, "mcp_config.json")).mcpServers).toEqual({ g: echo })
  })

  test("of a program or an agent that is not known writes nothing", async () => {
    using project = createProject()
    for (const args of [
      ["--from", "curser"],
      ["--agent", "claud"],
    ]) {
      const { code, stdout, stderr } = await project.run(["init", ...args])
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
      expect(stderr).toContain("error[E_USAGE]")
      expect(stderr).toContain("hint: Did you mean c")
    }
    expect(Object.keys(snapshot(project))).toEqual([])
  })
})

describe("mcp-exec init in other places", () => {
  test("in a folder of a project makes a project of its own, and says so", async () => {
    using project = createProject({ servers: quick, files: { "sub/note.txt": "" } })
    const { code, stdout } = await project.run(["init"], { cwd: project.path("sub") })
    expect(code).toBe(0)
    expect(stdout).toContain(
      `note: ${project.path("mcp_config.json")} has counted here so far; from now on it is this folder's own mcp_config.json\n`,
    )
    expect(existsSync(project.path("sub/servers/index.json"))).toBe(true)
    expect(existsSync(project.path("servers"))).toBe(false)
  }, 120_000)

  test("with --config writes that file, and the rest beside it", async () => {
    using project = createProject({ files: { "conf/note.txt": "" } })
    const { code, stdout } = await project.run(["init", "--config", "conf/tools.json"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^created +tools.json/m)
    expect(readdirSync(project.path("conf")).sort()).toContain("tools.json")
    expect(existsSync(project.path("conf/servers/index.json"))).toBe(true)
  }, 120_000)

  test("does the same under Deno", async () => {
    using project = createProject({ servers: quick })
    const deno = [join(repository, "node_modules/.bin/deno"), "run", "-A", join(repository, "src/main.ts")]
    const { code, stdout } = await project.run(["init"], { program: deno })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^created +skills\/tool-report.ts$/m)
    expect(stdout).toMatch(/^created +servers\/ +1 server, 4 tools$/m)
    expect((await project.run(["init"])).stdout).toContain("nothing was changed")
  })

  test("keeps a workspace of another name, and has git ignore it", async () => {
    using project = createProject({ servers: quick, config: { workspace: "./out/files" } })
    await project.run(["init"])
    expect(existsSync(project.path("out/files"))).toBe(true)
    expect(read(project, ".gitignore")).toBe("/servers/\n/.servers.*\n/out/files/\n")
  })
})

describe("mcp-exec init where something is in the way", () => {
  test("leaves a broken configuration alone, does the rest, and replaces it with --yes", async () => {
    using project = createProject({ files: { "mcp_config.json": '{ "mcpServers": { ' } })
    const refused = await project.run(["init"])
    expect(refused.code).toBe(3)
    expect(refused.stdout).toMatch(/refused {2}mcp_config.json +error\[E_CONFIG_SYNTAX\]/)
    expect(refused.stdout).toMatch(/kept +servers\/ +not generated: there is no valid configuration/)
    expect(read(project, "mcp_config.json")).toBe('{ "mcpServers": { ')
    expect(existsSync(project.path("tsconfig.json"))).toBe(true)
    const replaced = await project.run(["init", "--yes"])
    expect(replaced.code).toBe(0)
    expect(read(project, "mcp_config.json")).toContain('"filesystem"')
  })

  test("replaces with --yes all that is in the way, also when an agent is asked for", async () => {
    using project = createProject({
      files: { "servers/mine.ts": "x", ".claude/skills/mcp-exec/SKILL.md": "mine", "AGENTS.md": "# Ours\n" },
    })
    const { code, stdout } = await project.run(["init", "--agent", "claude", "codex", "--yes"])
    expect(code).toBe(0)
    expect(stdout).not.toMatch(/^refused/m)
    expect(read(project, ".claude/skills/mcp-exec/SKILL.md")).toContain("mcp-exec:begin")
    expect(existsSync(project.path("servers/index.json"))).toBe(true)
    expect(read(project, "servers/mine.ts")).toBe("x")
  }, 120_000)

  test("says once what to do where nothing can be written", async () => {
    using project = createProject()
    chmodSync(project.directory, 0o555)
    try {
      // Whoever may do everything, as in most containers, can write here all the same.
      if (process.getuid?.() === 0) return
      const { code, stdout } = await project.run(["init"])
      expect(code).toBe(1)
      expect(stdout).toMatch(/^failed +mcp_config\.json +error\[E_STATE\]: permission denied$/m)
      expect(stdout.match(/^hint: /gm)).toHaveLength(1)
    } finally {
      chmodSync(project.directory, 0o755)
    }
  })

  test("says what is in the way of a folder", async () => {
    using project = createProject({ servers: quick, files: { skills: "x", workspace: "x" } })
    const { code, stdout } = await project.run(["init"])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^failed +workspace\/ +error\[E_STATE\]: a file of this name is in the way$/m)
    expect(stdout).toMatch(/^failed +skills\/ +error\[E_STATE\]: a file is where a folder is needed$/m)
    expect(stdout.match(/^hint: /gm)).toHaveLength(1)
    expect([read(project, "skills"), read(project, "workspace")]).toEqual(["x", "x"])
  })

  test("puts nothing into a servers/ folder of somebody else", async () => {
    using project = createProject({ servers: quick, files: { "servers/main.go": "package main" } })
    const { code, stdout } = await project.run(["init"])
    expect(code).toBe(1)
    expect(stdout).toContain("the folder is not ours")
    expect(readdirSync(project.path("servers"))).toEqual(["main.go"])
  })

  test("goes on after a step that fails", async () => {
    using project = createProject({ servers: quick })
    mkdirSync(project.path("package.json"))
    const { code, stdout } = await project.run(["init"])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^failed +package.json +error\[E_STATE\]/m)
    expect(stdout).toContain("hint: Move it away, then run mcp-exec init again.\n")
    expect(stdout).toMatch(/^created +servers\//m)
  })

  test("keeps what the user has made of tsconfig.json and the skill, and says so", async () => {
    const tsconfig = '{"compilerOptions":{"paths":{"mcp-exec":["./other.ts"]}}}'
    using project = createProject({
      servers: quick,
      files: { "tsconfig.json": tsconfig, "skills/tool-report.ts": "// mine" },
    })
    const { code, stdout } = await project.run(["init"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/updated +tsconfig.json +tsconfig.json already has its own compilerOptions.paths.mcp-exec/)
    expect(read(project, "skills/tool-report.ts")).toBe("// mine")
    expect(read(project, "tsconfig.json")).toContain("./other.ts")
  })

  test("ends at once when interrupted, with whole files only", async () => {
    using project = createProject({
      servers: { hang: { command: process.execPath, args: [fixturePath("hang"), "list"] } },
    })
    const program = project.start(["init"])
    await eventually(() => existsSync(project.path("deno.json")))
    await Bun.sleep(300)
    program.kill("SIGINT")
    expect((await program.finished).code).toBe(130)
    for (const name of ["package.json", "tsconfig.json", "deno.json"])
      expect(JSON.parse(read(project, name))).toBeObject()
    expect(readdirSync(project.directory).filter((name) => /^\.(package|tsconfig|deno|servers)/.test(name))).toEqual([])
  })
})

test("the help names every program and every agent", async () => {
  using project = createProject()
  const { stdout } = await project.run(["init", "--help"])
  const words = stdout.split(/[\s,]+/)
  for (const name of [...programs.map((program) => program.name), ...agentNames]) expect(words).toContain(name)
})
