// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as they stand in configurations
// Each program's file, as people have it: a server of theirs, with a key in the program's own way of naming
// variables, and mcp-exec itself, which must not be brought in.
import { describe, expect, test } from "bun:test"
import { mkdirSync, readFileSync } from "node:fs"
import { programs } from "../../../src/config/import/programs.ts"
import { createProject } from "../../fixtures/project.ts"

const json = (key: string, entries: Record<string, unknown>) => JSON.stringify({ theme: "dark", [key]: entries })
const own = { command: "mcp-exec", args: ["serve"] }
const issues = (env: unknown) => ({ command: "/no/such/issues", args: ["--stdio"], env })
const mcpServers = (env: unknown) => json("mcpServers", { issues: issues(env), "mcp-exec": own })

interface ProgramCase {
  /** Seen from the project's folder; home/ is the user's. */
  file: string
  text: string
  /** What becomes of the key. */
  env?: Record<string, string>
}

const reference = { API_KEY: "${ISSUES_KEY}" }
const cases: Record<string, ProgramCase> = {
  claude: { file: ".mcp.json", text: mcpServers({ API_KEY: "${ISSUES_KEY}" }) },
  "claude-desktop": {
    file: "home/.config/Claude/claude_desktop_config.json",
    text: mcpServers({ REGION: "eu" }),
    env: { REGION: "eu" },
  },
  cursor: { file: ".cursor/mcp.json", text: mcpServers({ API_KEY: "${env:ISSUES_KEY}" }) },
  vscode: {
    file: ".vscode/mcp.json",
    text: json("servers", { issues: { type: "stdio", ...issues({ API_KEY: "${env:ISSUES_KEY}" }) }, "mcp-exec": own }),
  },
  codex: {
    file: "home/.codex/config.toml",
    text: `model = "gpt"
[mcp_servers.issues]
command = "/no/such/issues"
args = ["--stdio"]
env_vars = ["API_KEY"]
[mcp_servers.mcp-exec]
command = "mcp-exec"
args = ["serve"]
`,
    env: { API_KEY: "${API_KEY}" },
  },
  windsurf: { file: "home/.codeium/windsurf/mcp_config.json", text: mcpServers({ API_KEY: "${env:ISSUES_KEY}" }) },
  gemini: { file: "home/.gemini/settings.json", text: mcpServers({ API_KEY: "$ISSUES_KEY" }) },
  opencode: {
    file: "opencode.json",
    text: json("mcp", {
      issues: {
        type: "local",
        command: ["/no/such/issues", "--stdio"],
        environment: { API_KEY: "{env:ISSUES_KEY}" },
      },
      "mcp-exec": { type: "local", command: ["mcp-exec", "serve"] },
    }),
  },
  zed: {
    file: "home/.config/zed/settings.json",
    text: json("context_servers", { issues: issues({ REGION: "eu" }), "mcp-exec": own }),
    env: { REGION: "eu" },
  },
  cline: {
    file: "home/.cline/data/settings/cline_mcp_settings.json",
    text: mcpServers({ API_KEY: "${env:ISSUES_KEY}" }),
  },
  goose: {
    file: "home/.config/goose/config.yaml",
    text: `extensions:
  issues: { type: stdio, name: issues, cmd: /no/such/issues, args: [--stdio], env_keys: [API_KEY], enabled: true }
  mcp-exec: { type: stdio, name: mcp-exec, cmd: mcp-exec, args: [serve], enabled: true }
`,
    env: { API_KEY: "${API_KEY}" },
  },
  copilot: {
    file: "home/.copilot/mcp-config.json",
    text: json("mcpServers", {
      issues: { type: "local", ...issues({ API_KEY: "${ISSUES_KEY}" }), tools: ["*"] },
      "mcp-exec": { type: "local", ...own, tools: ["*"] },
    }),
  },
}

// What the variable holds must not be found in anything that is written or said.
const secret = "k-5f0e-never-copied"
const projectWith = (files: Record<string, string>) => {
  const project = createProject({ files })
  mkdirSync(project.path("home"), { recursive: true })
  const env = { HOME: project.path("home"), ISSUES_KEY: secret, API_KEY: secret }
  return Object.assign(project, {
    init: (...args: string[]) => project.run(["init", ...args], { env }),
    config: () => readFileSync(project.path("mcp_config.json"), "utf8"),
  })
}
const wanted = ({ env = reference }: ProgramCase) => ({ command: "/no/such/issues", args: ["--stdio"], env })

test("every program that init can bring servers from is here", () => {
  expect(Object.keys(cases).sort()).toEqual(programs.map(({ name }) => name).sort())
})

describe("init --from", () => {
  for (const [program, given] of Object.entries(cases)) {
    test(`${program} brings its servers in, with references for variables, and leaves mcp-exec out`, async () => {
      using project = projectWith({ [given.file]: given.text })
      const { code, stdout, stderr } = await project.init("--from", program)
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout).toMatch(/^imported: .*: issues/m)
      expect(JSON.parse(project.config()).mcpServers).toEqual({ issues: wanted(given) })
      expect(project.config() + stdout).not.toContain(secret)
      expect(readFileSync(project.path(given.file), "utf8")).toBe(given.text)
      const config = project.config()
      expect((await project.init("--from", program)).stdout).toMatch(/^unchanged +mcp_config\.json/m)
      expect(project.config()).toBe(config)
    }, 120_000)
  }

  test("all brings in those of all programs, the same server once", async () => {
    using project = projectWith(Object.fromEntries(Object.values(cases).map(({ file, text }) => [file, text])))
    const { code, stdout } = await project.init("--from", "all")
    expect(code).toBe(0)
    const servers: Record<string, unknown> = JSON.parse(project.config()).mcpServers
    const different = [reference, { REGION: "eu" }, { API_KEY: "${API_KEY}" }]
    expect(Object.values(servers)).toHaveLength(different.length)
    for (const env of different) expect(Object.values(servers)).toContainEqual(wanted({ file: "", text: "", env }))
    expect(Object.keys(servers)).not.toContain("mcp-exec")
    for (const { title } of programs) expect(stdout).toContain(`imported: ${title}, `)
    expect(project.config() + stdout).not.toContain(secret)
  }, 120_000)
})
