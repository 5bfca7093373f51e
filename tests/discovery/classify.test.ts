import { describe, expect, test } from "bun:test"
import type { ToolAnnotations } from "../../src/catalog.ts"
import { classifyTool, type Safety } from "../../src/discovery/classify.ts"

const cases: { name: string; description?: string; annotations?: ToolAnnotations; want: Safety }[] = [
  { name: "list_issues", want: "safe" },
  { name: "getUserById", want: "safe" },
  { name: "search-files", want: "safe" },
  { name: "HTTPFetch", want: "safe" },
  { name: "github_get_pull_request_reviews", want: "safe" },
  { name: "list_tag", want: "safe" },
  { name: "get_and_tag", want: "dangerous" },
  { name: "delete_issue", want: "dangerous" },
  { name: "getOrCreateUser", want: "dangerous" },
  { name: "read-then-write", want: "dangerous" },
  { name: "search_and_replace", want: "dangerous" },
  { name: "tag_list", want: "dangerous" },
  { name: "listed_widgets", want: "unknown" },
  { name: "gettysburg", want: "unknown" },
  { name: "widgets", want: "unknown" },
  { name: "widgets", description: "Returns every widget there is", want: "unknown" },
  { name: "widgets", description: "Lists every widget there is", want: "safe" },
  { name: "widgets", description: "Lists widgets, then removes them", want: "dangerous" },
  { name: "widgets", description: "Lists widgets, or delete them", want: "dangerous" },
  { name: "widgets", description: "Deletes every widget", want: "dangerous" },
  { name: "", want: "unknown" },
  { name: "__proto__", want: "unknown" },
  { name: "constructor", want: "unknown" },
  { name: "delete_all", annotations: { readOnlyHint: true }, want: "safe" },
  { name: "delete_all", annotations: { readOnlyHint: true, destructiveHint: true }, want: "dangerous" },
  { name: "get_all", annotations: { readOnlyHint: false }, want: "dangerous" },
  { name: "get_all", annotations: { destructiveHint: true }, want: "dangerous" },
  { name: "get_all", annotations: { destructiveHint: false }, want: "safe" },
  { name: "get_all", annotations: { idempotentHint: true }, want: "safe" },
]

describe("a tool is judged", () => {
  for (const { name, description = "", annotations, want } of cases) {
    const hints = annotations === undefined ? "" : `, ${JSON.stringify(annotations)}`
    test(`${want}: ${JSON.stringify(name)} ${description}${hints}`, () => {
      const tool = { name, description, ...(annotations !== undefined && { annotations }) }
      expect(classifyTool(tool).safety).toBe(want)
    })
  }

  test("with a reason that names the word", () => {
    expect(classifyTool({ name: "purge_cache", description: "" }).reason).toBe('its name says "purge"')
  })
})
