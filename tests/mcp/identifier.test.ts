import { describe, expect, test } from "bun:test"
import { resolveIdentifier } from "../../src/mcp/identifier.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { startManager } from "./manager-fixture.ts"

const servers = ["github", "git", "my__server", "a.b", "a"]

describe("resolving a tool's name", () => {
  const cases: [identifier: string, server: string, tool: string][] = [
    ["github__list_issues", "github", "list_issues"],
    ["github.list_issues", "github", "list_issues"],
    ["github/list_issues", "github", "list_issues"],
    ["git.status", "git", "status"],
    ["git__hub__x", "git", "hub__x"],
    ["my__server__tool", "my__server", "tool"],
    ["my__server.tool__more", "my__server", "tool__more"],
    ["a.b.c", "a.b", "c"],
    ["a.c.d", "a", "c.d"],
    ["a.b", "a", "b"],
    ["git/a/b.c", "git", "a/b.c"],
    ["git___x", "git", "_x"],
  ]
  for (const [identifier, server, tool] of cases) {
    test(`${identifier} is ${tool} of ${server}`, () => {
      expect(resolveIdentifier(identifier, servers)).toEqual({ server, tool })
    })
  }

  for (const identifier of ["", "list_issues", ".x", "__x", "x.", "github", "github.", "github__", "/"]) {
    test(`${JSON.stringify(identifier)} is malformed`, () => {
      expect(() => resolveIdentifier(identifier, servers)).toThrow(expect.objectContaining({ code: "E_USAGE" }))
    })
  }

  test("a server's name alone is told apart from other malformed names", () => {
    expect(() => resolveIdentifier("github", servers)).toThrow("'github' names a server, but no tool of it")
  })

  test("an unknown server is suggested", () => {
    expect(() => resolveIdentifier("gitub.list", servers)).toThrow(
      expect.objectContaining({ code: "E_SERVER_UNKNOWN", server: "gitub", hint: expect.stringContaining("'github'") }),
    )
    expect(() => resolveIdentifier("x__y.z", [])).toThrow(
      expect.objectContaining({ server: "x", hint: expect.stringContaining("mcp_config.json") }),
    )
  })

  test("the manager resolves against its config, disabled servers included", async () => {
    await using manager = await startManager({ off: { ...fixtureServer("echo"), disabled: true } })
    expect(manager.resolve("off__echo")).toEqual({ server: "off", tool: "echo" })
  })
})
