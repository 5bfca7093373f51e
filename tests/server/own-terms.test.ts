import { expect, test } from "bun:test"
import { inOwnTerms } from "../../src/server/own-terms.ts"

const cases = [
  { hint: "Run mcp-exec generate; mcp-exec ls lists them.", want: "Run generate_wrappers; search_tools lists them." },
  { hint: "Run `mcp-exec generate` first.", want: "Run generate_wrappers first." },
  { hint: "See mcp-exec cat own.add", want: "See search_tools own.add" },
  { hint: "Run mcp-exec discover.", want: "Run discover_schemas." },
  { hint: "Run mcp-exec discover init.", want: "Run mcp-exec discover init." },
  { hint: "See: mcp-exec sandbox status", want: "See: mcp-exec sandbox status" },
  { hint: "mcp-exec generates nothing here.", want: "mcp-exec generates nothing here." },
]

for (const { hint, want } of cases) {
  test(`a model reads "${want}"`, () => expect(inOwnTerms(hint)).toBe(want))
}
