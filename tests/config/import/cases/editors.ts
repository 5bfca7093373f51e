// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as they stand in configurations
import { type ImportCase, json } from "./case.ts"

export const editorCases: Record<string, ImportCase[]> = {
  cursor: [
    {
      name: "converts its variables, and overrules the user's file by the project's",
      given: {
        "./.cursor/mcp.json": json({
          mcpServers: {
            a: {
              command: "${userHome}/bin/a",
              args: ["--root", "${workspaceFolder}/src", "${workspaceFolderBasename}${/}x"],
              env: { TOKEN: "${env:A_TOKEN}" },
              envFile: ".env",
            },
          },
        }),
        "~/.cursor/mcp.json": json({
          mcpServers: {
            a: { command: "other" },
            remote: { url: "https://r.example/mcp", headers: { "X-Key": "${env:R_KEY}" }, auth: { CLIENT_ID: "x" } },
          },
        }),
      },
      want: {
        a: {
          command: "${HOME}/bin/a",
          args: ["--root", "PROJECT/src", "project/x"],
          env: { TOKEN: "${A_TOKEN}" },
        },
        remote: { url: "https://r.example/mcp", headers: { "X-Key": "${R_KEY}" } },
      },
      notes: [
        'a: envFile: the variables of .env are not copied; name those it needs in "env" and export them',
        "remote: its sign-in settings (OAuth) are not copied",
        "a: is in two files of Cursor; the one that overrules the other is taken",
      ],
    },
  ],
  vscode: [
    {
      name: "reads JSON with comments, inputs, numbers and null",
      given: {
        "./.vscode/mcp.json": `{
          // asked once
          "inputs": [{ "type": "promptString", "id": "api-key", "description": "Key", "password": true }],
          "servers": {
            "perplexity": {
              "type": "stdio", "command": "npx", "args": ["-y", "perplexity"],
              "env": { "API_KEY": "\${input:api-key}", "PORT": 8080, "GONE": null },
            },
            "weather": { "type": "http", "url": "https://w.example/mcp" },
            "socket": { "type": "http", "url": "unix:///run/x.sock" },
            "odd": { "command": "x", "args": ["\${config:editor.tabSize}"] },
          },
        }`,
      },
      want: {
        perplexity: { command: "npx", args: ["-y", "perplexity"], env: { API_KEY: "${API_KEY}", PORT: "8080" } },
        weather: { type: "http", url: "https://w.example/mcp" },
        odd: { command: "x", args: ["${config:editor.tabSize}"] },
      },
      notes: [
        'perplexity: env.API_KEY: what the editor asked for as "api-key" is now the environment variable API_KEY',
        "perplexity: env.GONE: a variable cannot be taken away from a server; it is left out",
        "socket: skipped: it is reached over a socket of the system, which mcp-exec cannot do",
        "odd: args[0]: ${config:editor.tabSize} has no counterpart; write a value, or a variable of the environment",
      ],
    },
    {
      name: "reads the user's file and the older place in the settings",
      given: {
        "~/.config/Code/User/mcp.json": json({ servers: { a: { command: "a" } } }),
        "~/.config/Code/User/settings.json": json({ "editor.tabSize": 2, mcp: { servers: { b: { command: "b" } } } }),
      },
      want: { a: { command: "a" }, b: { command: "b" } },
    },
  ],
  windsurf: [
    {
      name: "knows serverUrl, ${env:VAR} and disabled tools",
      given: {
        "~/.codeium/windsurf/mcp_config.json": json({
          mcpServers: {
            r: { serverUrl: "https://r.example/mcp", headers: { Authorization: "Bearer ${env:R}" }, disabled: true },
            s: { command: "s", args: [], env: {}, disabledTools: ["drop"] },
          },
        }),
      },
      want: {
        r: { url: "https://r.example/mcp", headers: { Authorization: "Bearer ${R}" }, disabled: true },
        s: { command: "s", tools: { deny: ["drop"] } },
      },
    },
  ],
  zed: [
    {
      name: "reads settings with comments, both shapes of a command, and skips extensions",
      given: {
        "~/.config/zed/settings.json": `// Zed settings
        { "theme": "One Dark",
          "context_servers": {
            "new": { "source": "custom", "command": "npx", "args": ["-y", "x"], "env": { "A": "1" }, "timeout": 30 },
            "older": { "source": "custom", "enabled": false, "command": { "path": "node", "args": ["y.js"], "env": null } },
            "remote": { "url": "https://z.example/mcp", "headers": { "X": "y" } },
            "extension": { "source": "extension", "settings": { "token": "t" } },
          },
        }`,
      },
      want: {
        new: { command: "npx", args: ["-y", "x"], env: { A: "1" }, timeout: 30_000 },
        older: { command: "node", args: ["y.js"], disabled: true },
        remote: { url: "https://z.example/mcp", headers: { X: "y" } },
      },
      notes: ["extension: skipped: it is an extension of Zed, which alone knows how to start it"],
    },
  ],
  cline: [
    {
      name: "reads flat and nested entries; an address without a type is SSE",
      env: { CLINE_MCP_SETTINGS_PATH: "HOME/custom.json" },
      given: {
        "~/custom.json": json({
          mcpServers: {
            flat: { command: "f", args: ["${env:F}"], timeout: 60, disabled: true, autoApprove: ["x"] },
            old: { url: "https://o.example/sse" },
            nested: { transport: { type: "streamableHttp", url: "https://n.example/mcp" }, disabled: false },
            legacy: { transportType: "stdio", command: "l" },
          },
        }),
      },
      want: {
        flat: { command: "f", args: ["${F}"], timeout: 60_000, disabled: true },
        old: { type: "sse", url: "https://o.example/sse" },
        nested: { type: "http", url: "https://n.example/mcp" },
        legacy: { command: "l" },
      },
    },
    {
      name: "reads what its extension keeps in VS Code",
      given: {
        "~/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json": json({
          mcpServers: { a: { command: "a" } },
        }),
      },
      want: { a: { command: "a" } },
    },
  ],
}
