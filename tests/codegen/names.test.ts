import { describe, expect, test } from "bun:test"
import { nameServers, nameTools, typeName } from "../../src/codegen/names.ts"

describe("tools", () => {
  const cases = [
    { name: "snake case", given: "list_issues", want: "listIssues" },
    { name: "kebab case", given: "list-issues", want: "listIssues" },
    { name: "camel case", given: "listIssues", want: "listIssues" },
    { name: "dots and slashes", given: "repo.list/issues", want: "repoListIssues" },
    { name: "words", given: "List all issues", want: "listAllIssues" },
    { name: "shouting", given: "LIST_ISSUES", want: "listIssues" },
    { name: "leading abbreviations", given: "APIKey", want: "apiKey" },
    { name: "abbreviations within", given: "get_URL", want: "getURL" },
    { name: "a leading digit", given: "2fa", want: "_2fa" },
    { name: "a reserved word", given: "delete", want: "delete_" },
    { name: "a word that makes a module a promise", given: "then", want: "then_" },
    { name: "what a wrapper imports", given: "call_tool", want: "callTool_" },
    { name: "a file of ours", given: "index", want: "index_" },
    { name: "a device", given: "con", want: "con_" },
    { name: "other scripts", given: "日本語", want: "日本語" },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => {
      expect(nameTools([given]).get(given)?.export).toBe(want)
    })
  }

  test("have types and files named alike", () => {
    expect(nameTools(["list_issues"]).get("list_issues")).toEqual({
      export: "listIssues",
      type: "ListIssues",
      file: "listIssues",
    })
  })

  test("have files in plain letters", () => {
    expect(nameTools(["日本語"]).get("日本語")?.file).toMatch(/^tool_[0-9a-f]{6}$/)
    expect(nameTools(["été"]).get("été")?.file).toMatch(/^t_[0-9a-f]{6}$/)
  })

  test("of any length have short names that differ", () => {
    const names = nameTools(["x".repeat(300), `${"x".repeat(300)}y`])
    const files = [...names.values()].map(({ file }) => file)
    expect(new Set(files).size).toBe(2)
    for (const file of files) expect(file.length).toBeLessThanOrEqual(76)
  })

  test("that would share a name are told apart by their own names alone", () => {
    const clash = ["list_issues", "list-issues", "LIST.ISSUES", "listissues"]
    const together = nameTools(clash)
    expect(together.get("list_issues")?.export).toBe("listIssues")
    expect(new Set([...together.values()].map(({ file }) => file.toLowerCase())).size).toBe(4)
    for (const loser of clash.slice(1)) {
      expect(nameTools(["list_issues", loser]).get(loser)).toEqual(together.get(loser) as never)
    }
  })

  test("keep their names when others come, and in every order", () => {
    const tools = ["list_issues", "delete", "get_user", "2fa", "日本語"]
    const before = nameTools(tools)
    const after = nameTools(["LIST ISSUES", "Delete", "getUser!", "delete_tool", ...tools.toReversed(), "2FA"])
    for (const tool of tools) expect(after.get(tool)).toEqual(before.get(tool) as never)
  })
})

describe("servers", () => {
  const cases = [
    { name: "plain names stay", given: "my-server_2.x", want: /^my-server_2\.x$/ },
    { name: "paths do not", given: "../../etc", want: /^etc_[0-9a-f]{6}$/ },
    { name: "nothing", given: "", want: /^server_[0-9a-f]{6}$/ },
    { name: "our manifest", given: "index.json", want: /^index-json_[0-9a-f]{6}$/ },
    { name: "our runtime", given: "_runtime.ts", want: /^runtime-ts_[0-9a-f]{6}$/ },
    { name: "a device with an extension", given: "con.x", want: /^con-x_[0-9a-f]{6}$/ },
    { name: "a dot at the end", given: "a.", want: /^a_[0-9a-f]{6}$/ },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => {
      expect(nameServers([given]).get(given)).toMatch(want)
    })
  }

  test("that differ in case have folders that differ in more", () => {
    const names = nameServers(["github", "GitHub"])
    expect(names.get("GitHub")).toBe("GitHub")
    expect(names.get("github")).toMatch(/^github_[0-9a-f]{6}$/)
  })
})

test("a type's name is free and begins as names do", () => {
  expect(typeName("my-filter", () => false)).toBe("MyFilter")
  expect(typeName("my-filter", (name) => name === "MyFilter")).toBe("MyFilter2")
  expect(typeName("2d", () => false)).toBe("_2d")
  expect(typeName("*/", () => false)).toBe("Value")
})
