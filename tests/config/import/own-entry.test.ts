import { describe, expect, test } from "bun:test"
import { startsOurselves } from "../../../src/config/import/own-entry.ts"

describe("an entry that starts mcp-exec", () => {
  const ours = [
    { command: "mcp-exec", args: ["serve"] },
    { command: "/usr/local/bin/mcp-exec" },
    { command: "C:\\Tools\\mcp-exec.exe", args: ["serve"] },
    { command: "npx", args: ["-y", "mcp-exec@latest", "serve"] },
    { command: "bun", args: ["/home/ada/mcp-exec/src/main.ts", "serve", "--http"] },
    { command: "sh", args: ["-c", "cd /p && mcp-exec --quiet serve"] },
  ]
  test.each(ours)("is recognised: %j", (entry) => {
    expect(startsOurselves(entry)).toBe(true)
  })

  const others = [
    { command: "npx", args: ["-y", "server-filesystem", "/home/ada/mcp-exec"] },
    { command: "npx", args: ["-y", "mcp-executor", "serve"] },
    { command: "mcp-exec-proxy" },
    { url: "https://mcp-exec.example/serve" },
  ]
  test.each(others)("is not seen in %j", (entry) => {
    expect(startsOurselves(entry)).toBe(false)
  })
})
