import { describe, expect, test } from "bun:test"
import { fingerprintOf } from "../../src/config/fingerprint.ts"
import { serverSchema } from "../../src/config/schema.ts"
import { placeholder, type ServerInput } from "../fixtures/config.ts"

type Input<Type> = Extract<ServerInput, { type: Type }>

const stdio: Input<"stdio"> = {
  type: "stdio",
  command: "npx",
  args: ["-y", "server", "--mode", "all"],
  env: { A: "1" },
}
const http: Input<"http"> = {
  type: "http",
  url: "https://mcp.example.com/v1?toolsets=repos",
  headers: { Accept: "x" },
}
const builtin: Input<"builtin"> = { type: "builtin", name: "filesystem", args: ["."] }

const fingerprint = (server: ServerInput) => fingerprintOf(serverSchema.parse(server))

const different: [string, ServerInput, ServerInput][] = [
  ["command", stdio, { ...stdio, command: "bunx" }],
  ["argument", stdio, { ...stdio, args: ["-y", "server", "--mode", "few"] }],
  ["argument that names a variable", stdio, { ...stdio, args: [placeholder("SERVER")] }],
  ["working directory", stdio, { ...stdio, cwd: "/srv" }],
  ["variable's name", stdio, { ...stdio, env: { B: "1" } }],
  ["URL", http, { ...http, url: "https://mcp.example.com/v2?toolsets=repos" }],
  ["parameter of a URL", http, { ...http, url: "https://mcp.example.com/v1?toolsets=issues" }],
  ["header's name", http, { ...http, headers: { Accept: "x", "X-Toolset": "all" } }],
  ["transport", http, { ...http, type: "sse" }],
  ["builtin's argument", builtin, { ...builtin, args: ["src"] }],
  ["description", builtin, { ...builtin, description: "Files." }],
  ["list of tools that are allowed", builtin, { ...builtin, tools: { allow: ["read_*"] } }],
  ["list of tools that are denied", builtin, { ...builtin, tools: { deny: ["read_*"] } }],
  ["normalization", builtin, { ...builtin, normalize: "camelCase" }],
]

const same: [string, ServerInput, ServerInput][] = [
  ["variable's value", stdio, { ...stdio, env: { A: "2" } }],
  ["header's value", http, { ...http, headers: { Accept: "y" } }],
  ["order of variables", { ...stdio, env: { A: "", B: "" } }, { ...stdio, env: { B: "", A: "" } }],
  ["timeout", stdio, { ...stdio, timeout: 5 }],
  ["token", { ...stdio, args: ["--token", "hunter2"] }, { ...stdio, args: ["--token", "hunter3"] }],
  ["key", { ...stdio, args: ["--api-key=hunter2"] }, { ...stdio, args: ["--api-key=hunter3"] }],
  ["password", { ...http, url: "https://me:hunter2@a.example/" }, { ...http, url: "https://me:hunter3@a.example/" }],
  ["key in a URL", { ...http, url: "https://a.example/?apikey=1" }, { ...http, url: "https://a.example/?apikey=2" }],
]

describe("a fingerprint", () => {
  test("is short, and the same for the same configuration", () => {
    expect(fingerprint(stdio)).toMatch(/^[\da-f]{12}$/)
    expect(fingerprint({ ...stdio })).toBe(fingerprint(stdio))
  })

  for (const [what, one, other] of different) {
    test(`changes with the ${what}`, () => expect(fingerprint(one)).not.toBe(fingerprint(other)))
  }

  for (const [what, one, other] of same) {
    test(`does not change with the ${what}`, () => expect(fingerprint(one)).toBe(fingerprint(other)))
  }
})
