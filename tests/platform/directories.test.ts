import { describe, expect, test } from "bun:test"
import { homedir } from "node:os"
import { cacheDirectory } from "../../src/platform/directories.ts"

describe("the cache directory", () => {
  const HOME = "/home/me"
  const LOCALAPPDATA = "C:\\Users\\me\\AppData\\Local"
  const cases = [
    {
      name: "is what the variable says",
      platform: "linux",
      given: { MCP_EXEC_CACHE_DIR: "/c", XDG_CACHE_HOME: "/x", HOME },
      want: "/c",
    },
    { name: "follows XDG", platform: "linux", given: { XDG_CACHE_HOME: "/x", HOME }, want: "/x/mcp-exec" },
    {
      name: "ignores a relative XDG path",
      platform: "linux",
      given: { XDG_CACHE_HOME: "x", HOME },
      want: "/home/me/.cache/mcp-exec",
    },
    {
      name: "ignores empty variables",
      platform: "linux",
      given: { MCP_EXEC_CACHE_DIR: "", XDG_CACHE_HOME: "", HOME },
      want: "/home/me/.cache/mcp-exec",
    },
    { name: "is in the home directory", platform: "linux", given: { HOME }, want: "/home/me/.cache/mcp-exec" },
    { name: "is in Library on macOS", platform: "darwin", given: { HOME }, want: "/home/me/Library/Caches/mcp-exec" },
    {
      name: "is local on Windows",
      platform: "win32",
      given: { LOCALAPPDATA },
      want: `${LOCALAPPDATA}\\mcp-exec\\cache`,
    },
    {
      name: "is in the profile on Windows",
      platform: "win32",
      given: { USERPROFILE: "C:\\Users\\me" },
      want: `${LOCALAPPDATA}\\mcp-exec\\cache`,
    },
    {
      name: "asks the system when there is no HOME",
      platform: "linux",
      given: {},
      want: `${homedir()}/.cache/mcp-exec`,
    },
  ]
  for (const { name, platform, given, want } of cases) {
    test(name, () => expect(cacheDirectory(given, platform)).toBe(want))
  }
})
