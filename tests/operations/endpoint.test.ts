import { describe, expect, test } from "bun:test"
import type { ServerConfig } from "../../src/config/schema.ts"
import { endpointOf } from "../../src/operations/endpoint.ts"

function stdio(command: string, ...args: string[]): ServerConfig {
  return { type: "stdio", command, args, env: { API_KEY: "in-the-environment" }, disabled: false }
}

function http(url: string): ServerConfig {
  return { type: "http", url, headers: { Authorization: "Bearer in-a-header" }, disabled: false }
}

const shown: [ServerConfig, string][] = [
  [
    stdio("npx", "-y", "@acme/server-files", "/home/me/projects2/Some-Long-Folder"),
    "npx -y @acme/server-files /home/me/projects2/Some-Long-Folder",
  ],
  [stdio("uvx", "server", "--port", "8080"), "uvx server --port 8080"],
  [stdio("server", "--api-key", `\${API_KEY}`), `server --api-key \${API_KEY}`],
  [http("https://mcp.example.com/v1/mcp"), "https://mcp.example.com/v1/mcp"],
  [http(`\${BASE}/mcp`), `\${BASE}/mcp`],
  [{ type: "builtin", name: "filesystem", args: ["."], env: {}, disabled: false }, "filesystem ."],
]

const hidden: [ServerConfig, string][] = [
  [stdio("server", "--api-key", "hunter2"), "server --api-key ***"],
  [stdio("server", "--token=hunter2", "--verbose"), "server --token=*** --verbose"],
  [stdio("server", "sk-abcdef1234567890"), "server ***"],
  [stdio("server", "--header", "Authorization: Bearer hunter2"), "server --header ***"],
  [stdio("server", "aB3dE5fG7hI9jK1lM3nO5pQ7r"), "server ***"],
  [stdio("server", "postgres://me:hunter2@db.example.com/app"), "server postgres://db.example.com/app"],
  [stdio("server", "--key", `\${A:-hunter2}`), "server --key ***"],
  [http("https://me:hunter2@mcp.example.com/mcp"), "https://mcp.example.com/mcp"],
  [http("https://mcp.example.com/mcp?key=hunter2"), "https://mcp.example.com/mcp?…"],
  [http("https://mcp.example.com/s/0123456789abcdef0123456789abcdef/mcp"), "https://mcp.example.com/s/***/mcp"],
]

describe("a server's endpoint is shown", () => {
  for (const [server, want] of shown) test(want, () => expect(endpointOf(server)).toBe(want))
})

describe("a server's endpoint hides credentials", () => {
  for (const [server, want] of hidden) test(want, () => expect(endpointOf(server)).toBe(want))
})
