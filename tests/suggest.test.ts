import { describe, expect, test } from "bun:test"
import { suggest } from "../src/suggest.ts"

const tools = ["list_issues", "get_issue", "create_issue", "search_code", "read_file", "read_text_file"]

describe("suggest", () => {
  const cases: { word: string; candidates: string[]; want: string | undefined }[] = [
    { word: "list_isues", candidates: tools, want: "list_issues" },
    { word: "LIST_ISSUES", candidates: tools, want: "list_issues" },
    { word: "raed_file", candidates: tools, want: "read_file" },
    { word: "read_fil", candidates: tools, want: "read_file" },
    { word: "github", candidates: ["gitlab", "githab"], want: "githab" },
    { word: "exce", candidates: ["exec", "call", "servers"], want: "exec" },
    { word: "server", candidates: ["exec", "servers"], want: "servers" },
    { word: "listissues", candidates: tools, want: "list_issues" },
    { word: "frobnicate", candidates: tools, want: undefined },
    { word: "x", candidates: ["y", "z"], want: undefined },
    { word: "", candidates: ["a"], want: undefined },
    { word: "anything", candidates: [], want: undefined },
  ]
  for (const { word, candidates, want } of cases) {
    test(`${JSON.stringify(word)} among ${candidates.length} candidates gives ${want}`, () => {
      expect(suggest(word, candidates)).toBe(want)
    })
  }

  test("the closest candidate wins over an earlier one", () => {
    expect(suggest("get_issu", ["get_issues", "get_issue"])).toBe("get_issue")
  })

  test("candidates come back with their own spelling", () => {
    expect(suggest("GITHUBB", ["GitHub"])).toBe("GitHub")
  })
})
