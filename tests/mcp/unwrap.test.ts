import { describe, expect, test } from "bun:test"
import { failureText, unwrapResult } from "../../src/mcp/unwrap.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { failureOf, startManager } from "./manager-fixture.ts"

const text = (...texts: string[]) => ({ content: texts.map((value) => ({ type: "text", text: value })) })
const image = { type: "image", data: "AAAA", mimeType: "image/png" }

describe("unwrapping a result", () => {
  const cases: { name: string; given: unknown; want: unknown }[] = [
    { name: "plain text", given: text("hello"), want: "hello" },
    { name: "a JSON object", given: text('  {"a":1}'), want: { a: 1 } },
    { name: "a JSON array", given: text("[1,2]\n"), want: [1, 2] },
    { name: "a number", given: text("42"), want: 42 },
    { name: "a negative fraction", given: text("-1.5e3"), want: -1500 },
    { name: "a boolean", given: text("false"), want: false },
    { name: "a JSON string stays text", given: text('"quoted"'), want: '"quoted"' },
    { name: "null stays text", given: text("null"), want: "null" },
    { name: "almost JSON stays text", given: text("{oops"), want: "{oops" },
    { name: "a word that begins like true", given: text("trueish"), want: "trueish" },
    { name: "a number too long to be one", given: text("12345678901234567890"), want: "12345678901234567890" },
    { name: "a number beyond all numbers", given: text("1e999"), want: "1e999" },
    { name: "a number with leading zeros", given: text("007"), want: "007" },
    { name: "the empty text", given: text(""), want: "" },
    { name: "blank text", given: text("  "), want: "  " },
    { name: "several texts are joined with newlines", given: text("a", "b"), want: "a\nb" },
    { name: "JSON over several texts", given: text("[1,", "2]"), want: [1, 2] },
    { name: "several numbers are text", given: text("1", "2"), want: "1\n2" },
    {
      name: "structured content wins over text",
      given: { ...text("hello"), structuredContent: { x: 1 } },
      want: { x: 1 },
    },
    { name: "structured zero", given: { ...text("0"), structuredContent: 0 }, want: 0 },
    { name: "structured false", given: { content: [], structuredContent: false }, want: false },
    { name: "structured null", given: { content: [], structuredContent: null }, want: null },
    { name: "structured empty text", given: { content: [], structuredContent: "" }, want: "" },
    { name: "an image is the content array", given: { content: [image] }, want: [image] },
    {
      name: "text and an image are the content array",
      given: { content: [{ type: "text", text: "1" }, image] },
      want: [{ type: "text", text: "1" }, image],
    },
    {
      name: "a resource link is the content array",
      given: { content: [{ type: "resource_link", uri: "a:b", name: "b" }] },
      want: [{ type: "resource_link", uri: "a:b", name: "b" }],
    },
    { name: "empty content is null", given: { content: [] }, want: null },
    { name: "no content at all is null", given: {}, want: null },
    { name: "a property called value is left alone", given: text('{"value":0}'), want: { value: 0 } },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => {
      expect(unwrapResult(given)).toEqual(want)
      expect(failureText(given)).toBeUndefined()
    })
  }
})

describe("why a tool failed", () => {
  const failed = (result: object) => failureText({ ...result, isError: true })
  test("is its text", () => expect(failed(text("boom", "bang"))).toBe("boom\nbang"))
  test("is its text even beside structured content", () => {
    expect(failed({ ...text("boom"), structuredContent: { ok: true } })).toBe("boom")
  })
  test("is its text even beside an image", () => {
    expect(failed({ content: [image, ...text("boom").content] })).toBe("boom")
  })
  test("is not the whole of a large image", () => {
    expect(failed({ content: [{ ...image, data: "A".repeat(1_000_000) }] })?.length).toBeLessThan(1000)
  })
  test("is its structured content when there is no text", () => {
    expect(failed({ content: [], structuredContent: { reason: 1 } })).toBe('{"reason":1}')
  })
  test("is its content when that is not text", () => expect(failed({ content: [image] })).toContain("image/png"))
  test("is said to be missing when there is nothing", () => expect(failed({})).toBe("the tool gave no reason"))
  test("isError that is not true is no failure", () =>
    expect(failureText({ ...text("x"), isError: false })).toBeUndefined())
})

describe("results of a real call", () => {
  test("isError throws a ToolError with the text, and wins over structured content", async () => {
    await using manager = await startManager({ echo: fixtureServer("echo") })
    const result = { ...text("disk full"), structuredContent: { free: 0 }, isError: true }
    const error = await failureOf(manager.callTool("echo", "give", { result }))
    expect(error).toMatchObject({
      name: "ToolError",
      code: "E_TOOL_FAILED",
      server: "echo",
      tool: "give",
      message: "disk full",
      details: { structuredContent: { free: 0 } },
    })
    expect(await manager.callTool("echo", "give", { result }, { raw: true })).toEqual(result)
  })

  test("raw gives the result untouched", async () => {
    await using manager = await startManager({ echo: fixtureServer("echo") })
    const result = { ...text('{"a":1}'), structuredContent: { b: [null] }, _meta: { trace: "x" }, extra: true }
    expect(await manager.callTool("echo", "give", { result }, { raw: true })).toEqual(result)
    expect(await manager.callTool("echo", "give", { result })).toEqual({ b: [null] })
  })

  test("content of kinds nobody has heard of passes", async () => {
    await using manager = await startManager({ echo: fixtureServer("echo") })
    const content = [{ type: "hologram", frames: 3 }, { type: "text" }]
    expect(await manager.callTool("echo", "give", { result: { content } })).toEqual(content)
  })
})
