import { describe, expect, test } from "bun:test"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { clampText, estimateTokens } from "../../src/server/budget.ts"

const records = Array.from({ length: 5000 }, (_, id) => ({ id, name: `item ${id}`, tags: ["a", "b"], note: "x y z" }))

const samples: Record<string, string> = {
  prose: "The quick brown fox jumps over the lazy dog, and then it rests for a while. ".repeat(50),
  json: JSON.stringify(records.slice(0, 200)),
  "indented json": JSON.stringify(records.slice(0, 200), undefined, 2),
  code: "export async function main(args: string[]): Promise<void> { return await run(args[0] ?? '') }\n".repeat(40),
  numbers: Array.from({ length: 500 }, (_, at) => Math.sin(at)).join(","),
  identifiers: Array.from({ length: 200 }, () => crypto.randomUUID()).join("\n"),
  base64: Buffer.from(crypto.getRandomValues(new Uint8Array(5000))).toString("base64"),
  chinese: "今天天气很好，我们去公园散步，然后吃晚饭。".repeat(50),
  emoji: "👍🏽🚀 fine ".repeat(100),
}

describe("the estimate", () => {
  for (const [name, text] of Object.entries(samples)) {
    test(`of ${name} is not too low, and not absurd`, () => {
      const tokens = countTokens(text)
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens)
      expect(estimateTokens(text)).toBeLessThan(tokens * 4)
    })
  }
})

describe("a text over its budget", () => {
  for (const [name, text] of Object.entries({ ...samples, records: JSON.stringify(records) })) {
    test(`of ${name} fits afterwards`, () => {
      const short = clampText(text, 500)
      expect(short.isCut).toBe(true)
      expect(countTokens(short.text)).toBeLessThanOrEqual(500)
      expect(countTokens(short.text)).toBeGreaterThan(50)
    })
  }

  test("keeps its structure when it is JSON, and says what is missing", () => {
    const short = clampText(JSON.stringify({ total: 5000, records }), 2000)
    const value = JSON.parse(short.text)
    expect(value.total).toBe(5000)
    expect(value.records[0]).toEqual(records[0])
    const kept = value.records.length - 1
    expect(value.records.at(-1)).toBe(`… ${5000 - kept} more of 5000`)
  })

  test("loses the middle of long strings", () => {
    const text = `begin ${"x ".repeat(50_000)} end`
    const { text: short } = clampText(JSON.stringify({ text }), 1000)
    expect(JSON.parse(short).text).toMatch(/^begin .*…\[\d+ characters left out\]….* end$/)
    expect(clampText(text, 1000).text).toMatch(/^begin .*…\[\d+ characters left out\]….* end$/)
  })

  test("loses keys when there are thousands", () => {
    const table = Object.fromEntries(records.map((record) => [`key ${record.id}`, record]))
    const value = JSON.parse(clampText(JSON.stringify(table), 1000).text)
    expect(value["key 0"]).toBeDefined()
    expect(value["…"]).toMatch(/^\d+ more of 5000 keys$/)
  })

  test("never ends in half a character", () => {
    const { text } = clampText("😀".repeat(10_000), 100)
    expect(text.isWellFormed()).toBe(true)
  })
})

test("a text that fits is left as it is", () => {
  expect(clampText("hello\n", 10)).toEqual({ text: "hello\n", isCut: false })
})
