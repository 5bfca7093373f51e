// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as they stand in configurations
import { type ImportCase, json } from "./case.ts"

const stdio = { command: "npx", args: ["-y", "some-server"] }

export const claudeCases: Record<string, ImportCase[]> = {
  claude: [
    {
      name: "reads the project's file and keeps its variables",
      given: {
        "./.mcp.json": json({
          mcpServers: {
            github: {
              type: "http",
              url: "https://api.githubcopilot.com/mcp/",
              headers: { Authorization: "Bearer ${GITHUB_TOKEN}" },
            },
            db: { type: "stdio", command: "${BIN:-npx}", args: ["-y", "db"], env: { URL: "$PLAIN ${env:X}" } },
            old: { type: "sse", url: "https://example.com/sse" },
          },
        }),
      },
      want: {
        github: {
          type: "http",
          url: "https://api.githubcopilot.com/mcp/",
          headers: { Authorization: "Bearer ${GITHUB_TOKEN}" },
        },
        db: { command: "${BIN:-npx}", args: ["-y", "db"], env: { URL: "$PLAIN $${env:X}" } },
        old: { type: "sse", url: "https://example.com/sse" },
      },
      notes: ['db: env.URL: "${" is not a variable there, so it is kept as plain text'],
    },
    {
      name: "reads the user's file: for this project, then for all",
      given: {
        "~/.claude.json": json({
          numStartups: 3,
          mcpServers: { a: { command: "for-all" }, b: stdio },
          projects: { PROJECT: { mcpServers: { a: { command: "for-this" } } }, "/other": { mcpServers: { c: stdio } } },
        }),
      },
      want: { a: { command: "for-this" }, b: stdio },
      notes: ["a: is in two files of Claude Code; the one that overrules the other is taken"],
    },
    {
      name: "looks where CLAUDE_CONFIG_DIR says",
      given: { "~/elsewhere/.claude.json": json({ mcpServers: { a: stdio } }) },
      env: { CLAUDE_CONFIG_DIR: "HOME/elsewhere" },
      want: { a: stdio },
    },
    {
      name: "says where it has looked when there is nothing",
      given: {},
      want: {},
      notes: ["Claude Code has no file here; looked for ~/.claude.json, ./.mcp.json"],
    },
  ],
  "claude-desktop": [
    {
      name: "reads the file of macOS and copies no variable that is none",
      platform: "darwin",
      given: {
        "~/Library/Application Support/Claude/claude_desktop_config.json": json({
          globalShortcut: "",
          mcpServers: {
            files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/Users/me/${X}"] },
          },
        }),
      },
      want: {
        files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/Users/me/$${X}"] },
      },
      notes: ['files: args[2]: "${" is not a variable there, so it is kept as plain text'],
    },
    {
      name: "warns of a secret that is copied, by the name of its field",
      given: {
        "~/.config/Claude/claude_desktop_config.json": json({
          mcpServers: { slack: { command: "slack", env: { SLACK_BOT_TOKEN: "xoxb-123-456", TEAM: "T1" } } },
        }),
      },
      want: { slack: { command: "slack", env: { SLACK_BOT_TOKEN: "xoxb-123-456", TEAM: "T1" } } },
      notes: [
        "slack: env.SLACK_BOT_TOKEN: a secret is copied as it stands there; better export it and write ${NAME} instead",
      ],
    },
  ],
}
