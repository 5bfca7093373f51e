import { describe, expect, test } from "bun:test"
import { nameOffer, nameServers, typeName } from "../../src/codegen/names.ts"

type Held = ReadonlyMap<string, string>
const nameTools = (tools: readonly string[], held: Held = new Map()) => nameOffer({ tools }, { tools: held }).tools

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
    { name: "what reads resources", given: "read_resource", want: "readResource_" },
    { name: "a file of ours", given: "index", want: "index_" },
    { name: "the file of the prompts", given: "Prompts", want: "prompts_" },
    { name: "the file of the resources", given: "resources", want: "resources_" },
    { name: "a device", given: "con", want: "con_" },
    { name: "other scripts", given: "日本語", want: "日本語" },
    { name: "letters that not every program knows yet", given: "a\u{32831}\u088fb", want: "ab" },
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

  test("have types that no function can be named as", () => {
    const names = [...nameTools(["2fa", "2faParams", "日本語", "日本語Params", "ß", "ßParams"]).values()]
    const types = names.flatMap(({ type }) => [`${type}Params`, `${type}Result`])
    for (const name of names) expect(types).not.toContain(name.export)
    expect(new Set(types).size).toBe(12)
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

describe("prompts and templates", () => {
  const cases = [
    { name: "a prompt says what it is", given: "code_review", want: "codeReviewPrompt" },
    { name: "unless its name does", given: "simple-prompt", want: "simplePrompt" },
    { name: "a shouted one", given: "REVIEW", want: "reviewPrompt" },
    { name: "one without a name", given: "", want: "prompt" },
    { name: "what is imported beside it", given: "get", want: "getPrompt" },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => {
      expect(nameOffer({ tools: [], prompts: [given] }).prompts.get(given)?.export).toBe(want)
    })
  }

  test("a template is named after itself, two of a name are told apart by their URIs", () => {
    const templates = ["a://{x}", "b://{x}"].map((uriTemplate) => ({ uriTemplate, name: "User file" }))
    const names = nameOffer({ tools: [], templates }).templates
    expect(names.get("a://{x}")?.export).toBe("userFileResource")
    expect(names.get("b://{x}")?.export).toMatch(/^userFileResource_[0-9a-f]{6}$/)
    const [first] = nameOffer({ tools: [], templates: [{ uriTemplate: "c://{x}", name: "read" }] }).templates.values()
    expect(first?.export).toBe("readResource_")
  })

  test("a tool, a prompt and a template of one name have three names", () => {
    const offered = {
      tools: ["review_prompt", "reviewPrompt", "review_resource"],
      prompts: ["review", "reviewPrompt", "review_prompt"],
      templates: [{ uriTemplate: "review://{id}", name: "review" }],
    }
    const { tools, prompts, templates } = nameOffer(offered)
    const exports = [...tools.values(), ...prompts.values(), ...templates.values()].map((name) => name.export)
    expect(new Set(exports.map((name) => name.toLowerCase())).size).toBe(7)
    expect(tools.get("review_prompt")?.export).toBe("reviewPrompt")
    expect(tools.get("review_resource")?.export).toBe("reviewResource")
  })

  test("a prompt that has a name keeps it when a tool wants it", () => {
    const before = nameOffer({ tools: [], prompts: ["review"] })
    const held = new Map([...before.prompts].map(([prompt, name]) => [prompt, name.export]))
    const after = nameOffer({ tools: ["review_prompt"], prompts: ["review"] }, { prompts: held })
    expect(after.prompts).toEqual(before.prompts)
    expect(after.tools.get("review_prompt")?.export).toMatch(/^reviewPrompt_[0-9a-f]{6}$/)
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

test("a server that has a folder keeps it when one comes that differs in case", () => {
  const held = nameServers(["github"])
  expect(held.get("github")).toBe("github")
  const after = nameServers(["GitHub", "github"], held)
  expect(after.get("github")).toBe("github")
  expect(after.get("GitHub")).toMatch(/^GitHub_[0-9a-f]{6}$/)
  for (const folder of ["..", "../../etc", "GitHub_000000", "con", "index.json"]) {
    expect(nameServers(["github"], new Map([["github", folder]])).get("github")).toBe("github")
  }
})

test("a type's name is free and begins as names do", () => {
  expect(typeName("my-filter", () => false)).toBe("MyFilter")
  expect(typeName("my-filter", (name) => name === "MyFilter")).toBe("MyFilter2")
  expect(typeName("2d", () => false)).toBe("_2d")
  expect(typeName("*/", () => false)).toBe("Value")
})
