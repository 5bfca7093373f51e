// Where each program's files are, on each platform.
import { describe, expect, test } from "bun:test"
import { placeOf } from "../../../src/config/import/program.ts"
import { programs } from "../../../src/config/import/programs.ts"

const unix = { HOME: "/home/ada" }
const windows = { USERPROFILE: "C:\\Users\\ada", APPDATA: "C:\\Users\\ada\\AppData\\Roaming" }

/** The user's files, without the folder they are all in. */
function userFiles(platform: string, env: Record<string, string>): Record<string, string[]> {
  const place = placeOf(env, platform === "win32" ? "C:\\p" : "/p", platform)
  return Object.fromEntries(
    programs.map(({ name, sources }) => [
      name,
      sources(place)
        .filter(({ scope }) => scope === "user")
        .map(({ path }) => (path.startsWith(place.home) ? path.slice(place.home.length + 1) : path)),
    ]),
  )
}

describe("the files of other programs", () => {
  test("are where each keeps them on Linux", () => {
    const cline = "globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
    expect(userFiles("linux", unix)).toEqual({
      claude: [".claude.json"],
      "claude-desktop": [".config/Claude/claude_desktop_config.json"],
      cursor: [".cursor/mcp.json"],
      vscode: [
        ".config/Code/User/mcp.json",
        ".config/Code/User/settings.json",
        ".config/Code - Insiders/User/mcp.json",
        ".config/Code - Insiders/User/settings.json",
      ],
      codex: [".codex/config.toml"],
      windsurf: [".codeium/windsurf/mcp_config.json", ".codeium/mcp_config.json"],
      gemini: [".gemini/settings.json"],
      opencode: [".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"],
      zed: [".config/zed/settings.json"],
      cline: [
        ".cline/data/settings/cline_mcp_settings.json",
        ".cline/mcp.json",
        `.config/Code/User/${cline}`,
        `.config/Code - Insiders/User/${cline}`,
      ],
      goose: [".config/goose/config.yaml"],
      copilot: [".copilot/mcp-config.json"],
    })
  })

  test("are in the usual folders of macOS and Windows", () => {
    expect(userFiles("darwin", unix)).toMatchObject({
      "claude-desktop": ["Library/Application Support/Claude/claude_desktop_config.json"],
      zed: [".config/zed/settings.json"],
      goose: [".config/goose/config.yaml"],
    })
    expect(userFiles("win32", windows)).toMatchObject({
      "claude-desktop": ["AppData\\Roaming\\Claude\\claude_desktop_config.json"],
      cursor: [".cursor\\mcp.json"],
      zed: ["AppData\\Roaming\\Zed\\settings.json"],
      goose: ["AppData\\Roaming\\Block\\goose\\config\\config.yaml"],
    })
  })

  test("are where the environment says", () => {
    const env = {
      ...unix,
      XDG_CONFIG_HOME: "/xdg",
      CODEX_HOME: "/codex",
      CLAUDE_CONFIG_DIR: "/claude",
      CLINE_MCP_SETTINGS_PATH: "/cline.json",
      OPENCODE_CONFIG: "/opencode.json",
      COPILOT_HOME: "/copilot",
    }
    const files = userFiles("linux", env)
    expect(files).toMatchObject({
      claude: ["/claude/.claude.json"],
      codex: ["/codex/config.toml"],
      zed: ["/xdg/zed/settings.json"],
      goose: ["/xdg/goose/config.yaml"],
    })
    expect(files.cline?.[0]).toBe("/cline.json")
    expect(files.opencode).toEqual(["/opencode.json", "/xdg/opencode/opencode.json", "/xdg/opencode/opencode.jsonc"])
    expect(files.copilot?.[0]).toBe("/copilot/mcp-config.json")
  })
})
