// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as they stand in configurations
import { type ImportCase, json } from "./case.ts"

export const terminalCases: Record<string, ImportCase[]> = {
  codex: [
    {
      name: "turns names of variables into references, seconds into milliseconds, and lists of tools into ours",
      env: { CODEX_HOME: "HOME/codex" },
      given: {
        "~/codex/config.toml": `model = "gpt-5"
[mcp_servers.files]
command = "npx"
args = ["-y", "files", "\${USER}"]
env = { MODE = "ro" }
env_vars = ["API_TOKEN", { name = "OTHER", source = "local" }]
cwd = "/tmp"
startup_timeout_sec = 20
tool_timeout_sec = 90.5
enabled = false
enabled_tools = ["read"]
disabled_tools = ["write"]

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_TOKEN"
http_headers = { "X-Region" = "us" }
env_http_headers = { "X-Key" = "FIGMA_KEY" }
oauth = { client_id = "x" }
`,
      },
      want: {
        files: {
          command: "npx",
          args: ["-y", "files", "$${USER}"],
          env: { API_TOKEN: "${API_TOKEN}", OTHER: "${OTHER}", MODE: "ro" },
          cwd: "/tmp",
          timeout: 90_500,
          disabled: true,
          tools: { allow: ["read"], deny: ["write"] },
        },
        figma: {
          url: "https://mcp.figma.com/mcp",
          headers: { "X-Region": "us", "X-Key": "${FIGMA_KEY}", Authorization: "Bearer ${FIGMA_TOKEN}" },
        },
      },
      notes: [
        'files: args[2]: "${" is not a variable there, so it is kept as plain text',
        "figma: its sign-in settings (OAuth) are not copied",
      ],
    },
    {
      name: "says line and column of a broken file, and none of its text",
      given: { "~/.codex/config.toml": '[mcp_servers.a]\ncommand = "x"\nenv = { TOKEN = hunter2 }\n' },
      want: {},
      notes: ["not read: ~/.codex/config.toml:3:17: not valid TOML (invalid value)"],
    },
  ],
  gemini: [
    {
      name: "converts $VAR, keeps defaults, and knows what is switched off",
      given: {
        "./.gemini/settings.json": json({
          mcp: { excluded: ["off"] },
          mcpServers: {
            a: { command: "a", args: ["$ROOT/x", "${B:-c}", "costs $5"], cwd: "./sub", timeout: 5000, trust: true },
            off: { httpUrl: "https://h.example/mcp", headers: { Authorization: "Bearer $H_TOKEN" } },
            either: { url: "https://e.example/mcp", includeTools: ["read(path)"], excludeTools: ["rm"] },
            sse: { url: "https://s.example/sse", type: "sse" },
            socket: { tcp: "ws://x" },
          },
        }),
      },
      want: {
        a: { command: "a", args: ["${ROOT}/x", "${B:-c}", "costs $5"], cwd: "./sub", timeout: 5000 },
        off: {
          type: "http",
          url: "https://h.example/mcp",
          headers: { Authorization: "Bearer ${H_TOKEN}" },
          disabled: true,
        },
        either: { url: "https://e.example/mcp", tools: { allow: ["read"], deny: ["rm"] } },
        sse: { type: "sse", url: "https://s.example/sse" },
      },
      notes: ["socket: skipped: it is reached over a web socket, which mcp-exec cannot do"],
    },
  ],
  opencode: [
    {
      name: "splits the command, converts {env:VAR}, and copies the content of no file",
      given: {
        "./opencode.jsonc": `{ // project
          "mcp": {
            "local": { "type": "local", "command": ["bun", "x", "s"], "environment": { "K": "{env:K_TOKEN}", "L": "\${NOT}" }, "enabled": false, "timeout": 9000 },
            "remote": { "type": "remote", "url": "https://o.example/mcp", "headers": { "Authorization": "Bearer {file:~/.tok}" }, "oauth": false },
            "toggle": { "enabled": true },
          },
        }`,
      },
      want: {
        local: {
          command: "bun",
          args: ["x", "s"],
          env: { K: "${K_TOKEN}", L: "$${NOT}" },
          disabled: true,
          timeout: 9000,
        },
        remote: { url: "https://o.example/mcp", headers: { Authorization: "Bearer ${REMOTE_AUTHORIZATION}" } },
      },
      notes: [
        'local: env.L: "${" is not a variable there, so it is kept as plain text',
        "remote: headers.Authorization: the content of ~/.tok is not copied; put it into the environment variable REMOTE_AUTHORIZATION",
        "toggle: skipped: it only switches on or off what another file defines",
      ],
    },
    {
      name: "reads the second version's shape",
      given: {
        "~/.config/opencode/opencode.json": json({
          mcp: { servers: { a: { type: "local", command: ["a"], disabled: true } } },
        }),
      },
      want: { a: { command: "a", disabled: true } },
    },
  ],
  goose: [
    {
      name: "reads YAML, makes references of the key ring's names, and leaves Goose's own parts out",
      given: {
        "~/.config/goose/config.yaml": `GOOSE_PROVIDER: openai
extensions:
  developer: { type: builtin, name: developer, enabled: true }
  github:
    type: stdio
    name: GitHub
    cmd: npx
    args: [-y, gh, 8080]
    envs: { HOST: github.com }
    env_keys: [GITHUB_TOKEN]
    timeout: 300
    enabled: false
    available_tools: []
  remote:
    type: streamable_http
    uri: https://g.example/mcp
    headers: { Authorization: "Bearer $KEY", X: "\${ZONE}-\${OTHER}" }
    envs: { ZONE: eu }
    env_keys: [KEY]
    description: A remote one
    available_tools: [find]
`,
      },
      want: {
        github: {
          command: "npx",
          args: ["-y", "gh", "8080"],
          env: { GITHUB_TOKEN: "${GITHUB_TOKEN}", HOST: "github.com" },
          timeout: 300_000,
          disabled: true,
        },
        remote: {
          type: "http",
          url: "https://g.example/mcp",
          headers: { Authorization: "Bearer ${KEY}", X: "eu-$${OTHER}" },
          description: "A remote one",
          tools: { allow: ["find"] },
        },
      },
      notes: [
        "github: GITHUB_TOKEN: kept by Goose in the key ring; export it for mcp-exec",
        "remote: KEY: kept by Goose in the key ring; export it for mcp-exec",
      ],
    },
    {
      name: "says where a broken file is broken",
      given: { "~/.config/goose/config.yaml": "extensions:\n  a: [unclosed\n  b: secret" },
      want: {},
      notes: ["not read: ~/.config/goose/config.yaml:3:3: not valid YAML (BAD_INDENT)"],
    },
  ],
  copilot: [
    {
      name: "knows its own types and lists of tools",
      given: {
        "~/.copilot/mcp-config.json": json({
          mcpServers: {
            a: { type: "local", command: "a", args: ["x"], tools: ["*"], env: { T: "${T}", U: "$U" } },
            b: { type: "http", url: "https://b.example/mcp", tools: ["one", "two"], headers: {} },
          },
        }),
        "./.github/mcp.json": json({ mcpServers: { c: { type: "local", command: "c", tools: [] } } }),
      },
      want: {
        c: { command: "c", tools: { deny: ["*"] } },
        a: { command: "a", args: ["x"], env: { T: "${T}", U: "${U}" } },
        b: { type: "http", url: "https://b.example/mcp", tools: { allow: ["one", "two"] } },
      },
    },
  ],
}
