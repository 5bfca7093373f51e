// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as they stand in configurations
import { describe, expect, test } from "bun:test"
import { plainSecrets } from "../../../src/config/import/secrets.ts"

describe("secrets that would be copied", () => {
  const cases: { entry: Record<string, unknown>; want: string[] }[] = [
    { entry: { env: { GITHUB_TOKEN: "ghp_x", LEVEL: "debug" } }, want: ["env.GITHUB_TOKEN"] },
    { entry: { env: { GITHUB_TOKEN: "${GITHUB_TOKEN}", EMPTY_TOKEN: "", USE_TOKEN: "true" } }, want: [] },
    { entry: { env: { PASSWORD: "a$${b}" } }, want: ["env.PASSWORD"] },
    { entry: { headers: { Authorization: "Bearer abc", Accept: "*/*" } }, want: ["headers.Authorization"] },
    { entry: { headers: { Authorization: "Bearer ${X}" } }, want: [] },
    { entry: { args: ["--api-key", "abcdef", "--port", "80"] }, want: ["args[1]"] },
    { entry: { args: ["--token=abcdef", "--key-file", "/etc/x"] }, want: ["args[0]"] },
    { entry: { args: ["sk-abcdef"] }, want: ["args[0]"] },
    { entry: { url: "https://x.example/mcp?api_key=abcdef" }, want: ["url"] },
    { entry: { url: "https://ada:pw@x.example/mcp" }, want: ["url"] },
    { entry: { url: "https://x.example/mcp?api_key=${K}&page=2" }, want: [] },
  ]
  test.each(cases)("are named: %j", ({ entry, want }) => {
    expect(plainSecrets(entry)).toEqual(want)
  })
})
