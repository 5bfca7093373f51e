import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { createLineReader, type LineReader } from "../src/lines.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

/** What a reader makes of a stream that comes in chunks of `size` bytes. Lines that are numbers say that texts follow. */
function read(stream: string, size: number): string[] {
  const heard: string[] = []
  const reader: LineReader = createLineReader((line) => {
    if (!/^[\d ]+$/.test(line)) return void heard.push(line)
    reader.follow(line.split(" ").map(Number), (texts) => heard.push(...texts))
  })
  const whole = bytes(stream)
  for (let at = 0; at < whole.length; at += size) reader.push(whole.slice(at, at + size))
  return heard
}

const sizes = [1, 2, 3, 5, 8, 1000]

describe("lines", () => {
  test("are the same however they are cut", () => {
    for (const size of sizes) expect(read('{"a":"ä€😀"}\n\n  \r\nx\nnot ended', size)).toEqual(['{"a":"ä€😀"}', "x"])
  })

  test("lose a byte order mark at their beginning and nowhere else", () => {
    for (const size of sizes) expect(read("\ufeff{}\na\ufeffb\n", size)).toEqual(["{}", "a\ufeffb"])
  })

  test("that are too long are given up, and so is what follows", () => {
    const heard: string[] = []
    const reader = createLineReader((line) => heard.push(line), {
      maxBytes: 10,
      onOverflow: () => heard.push("too long"),
    })
    reader.push(bytes("short\n123456"))
    reader.push(bytes("78901"))
    reader.push(bytes("2\nnext\n"))
    expect(heard).toEqual(["short", "too long"])
  })
})

describe("texts behind a line", () => {
  test("are as they were sent, with all that is special in lines", () => {
    const texts = ["\ufeffä\n€\r\n\n😀", " ", '{"no":"line"}\n']
    const announced = `${texts.map((text) => bytes(text).length).join(" ")}\n${texts.join("")}`
    for (const size of sizes) {
      expect(read(`before\n${announced}after\n3\nend`, size)).toEqual(["before", ...texts, "after", "end"])
    }
  })

  test("are told when the last byte has come, not before", () => {
    const heard: string[] = []
    const reader: LineReader = createLineReader(() => reader.follow([4], (texts) => heard.push(...texts)))
    reader.push(bytes("go\n123"))
    expect(heard).toEqual([])
    reader.push(bytes("4"))
    expect(heard).toEqual(["1234"])
  })

  test("and lines come out whole, whatever they hold and however they are cut", () => {
    const text = fc.string({ unit: "binary", minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 50 }), (texts, size) => {
        const stream = texts.map((each) => `${bytes(each).length}\n${each}line\n`).join("")
        expect(read(stream, size)).toEqual(texts.flatMap((each) => [each, "line"]))
      }),
    )
  })
})

test("what is many megabytes long is the same however it is cut", () => {
  // Seven bytes, so that characters are cut in two wherever a piece ends.
  const large = "€😀".repeat(600_000)
  const length = bytes(large).length
  const expected = ["before", large, "between", large, "", "after"]
  const stream = `before\n${large}\nbetween\n${length} 0\n${large}after\n`
  for (const size of [65_537, 208_896, (1 << 20) - 1, (1 << 20) + 1, 3_000_001]) {
    const heard = read(stream, size)
    // Without a picture of the difference, which would be as long.
    expect(heard.map((text, index) => text === expected[index])).toEqual(expected.map(() => true))
  }
})
