import { describe, expect, test } from "bun:test"
import type { Tool } from "../../src/catalog.ts"
import { generateFiles } from "../../src/codegen/generate.ts"
import { outlineOf, withDiscovered } from "../../src/codegen/outline.ts"
import { hostileCatalog } from "./hostile.ts"
import { runtime } from "./typescript.ts"

function outline(tool: Partial<Tool>, discovered: string[] = []): string {
  const tools = [{ name: "t", description: "", inputSchema: { type: "object" }, ...tool }]
  const options = { runtime, discovered: new Map([["s", new Set(discovered)]]) }
  return outlineOf(generateFiles({ servers: [{ name: "s", tools }] }, options).get("s/t.ts") as string)
}

describe("an outline", () => {
  test("has types, comments and the signature", () => {
    const inputSchema = { properties: { a: { type: "string", description: "Which." } }, required: ["a"] }
    const outputSchema = { properties: { b: { type: "number" } }, required: ["b"] }
    expect(outline({ description: "Does it.", inputSchema, outputSchema })).toBe(`type TParams = {
  /** Which. */
  a: string
}
type TResult = { b: number }
/** Does it. */
function t(params: TParams): Promise<TResult>
`)
  })

  test("of a tool that says nothing is one line", () => {
    expect(outline({})).toBe("function t(): Promise<unknown>\n")
    expect(outline({}, ["t"])).toBe("function t(): Promise<TResult>\n")
  })

  test("is there for every tool, whatever it is called", () => {
    const files = generateFiles(hostileCatalog, { runtime })
    const wrappers = [...files].filter(([path]) => /\/(?!index|utils|prompts\.|resources\.)\w+\.ts$/.test(path))
    expect(wrappers.length).toBeGreaterThan(60)
    for (const [, text] of wrappers) {
      expect(outlineOf(text)).toMatch(/^function [^\s(]+\(params: \S+( = \{\})?\): Promise<\S+>\n$/mu)
      expect(outlineOf(text)).not.toMatch(/^(?:export|import|\/\/|\s*return callTool)/m)
    }
  })

  test("has the discovered types that it needs, and no others", () => {
    const wrapper =
      'import type { TResult } from "./types.discovered.ts"\n\nexport type { TResult }\n\nexport type TParams = {}\n'
    const types = [
      "// Generated\n// twice",
      "/** What t answers */\nexport type TResult = TItem[]",
      'export type TItem = {\n  next?: TItem\n  "$&": TPart\n}',
      "export type TPart = { a: number }",
      "export type OtherResult = TPart\n",
    ].join("\n\n")
    expect(outlineOf(withDiscovered(wrapper, types))).toBe(`/** What t answers */
type TResult = TItem[]
type TItem = {
  next?: TItem
  "$&": TPart
}
type TPart = { a: number }
type TParams = {}
`)
  })
})
