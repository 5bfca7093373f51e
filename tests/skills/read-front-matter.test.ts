import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { parse } from "yaml"
import { plainFields, readFrontMatter } from "../../src/skills/read-front-matter.ts"

describe("front matter in plain words", () => {
  test("is read without the parser", () => {
    expect(plainFields("name: tidy-up\ndescription: Cleans: nothing")).toBeUndefined()
    expect(plainFields("name: tidy-up\ndescription: Cleans up, e.g. a-b:c/d#e [x] {y}  \r\nlicense: MIT\n")).toEqual({
      name: "tidy-up",
      description: "Cleans up, e.g. a-b:c/d#e [x] {y}",
      license: "MIT",
    })
  })

  test("means what the parser says, whatever stands there", () => {
    const word = fc.constantFrom(
      "a",
      "true",
      "Null",
      "no",
      "12",
      ":",
      "#",
      "- ",
      " ",
      "  ",
      "\t",
      '"',
      "'",
      "|",
      ">",
      "&x",
      "*x",
      "!t",
      "[",
      "{",
      ",",
      "é",
      "\r",
      "%",
      "@",
      "`",
      "?",
      "~",
      "---",
      "...",
    )
    const line = fc.tuple(
      fc.constantFrom("name", "description", "x-y", "name "),
      fc.constantFrom(":", ": ", ": a", ": Do it "),
      fc.array(word, { maxLength: 6 }),
    )
    const text = fc.array(
      line.map(([key, colon, words]) => `${key}${colon}${words.join("")}`),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(text, (lines) => {
        const plain = plainFields(lines.join("\n"))
        if (plain !== undefined) expect(plain).toEqual(parse(`${lines.join("\n")}\n`))
      }),
      { numRuns: 5000 },
    )
  })

  test("is left to the parser when it is more than that", async () => {
    const read = (yaml: string) => readFrontMatter(`---\n${yaml}\n---\nDo it.`, "it")
    expect(await read("name: it\ndescription: >\n  Folds\n  paper.")).toMatchObject({
      name: "it",
      description: "Folds paper.",
      instructions: "Do it.",
      problems: [],
    })
    expect(await read('name: it\ndescription: "Folds: paper."\nmetadata:\n  author: me')).toMatchObject({
      description: "Folds: paper.",
      problems: [],
    })
    expect(await read("description: 'x'\r\nname: it\r")).toMatchObject({ name: "it", description: "x", problems: [] })
    expect((await read("name: it\nname: it\ndescription: x")).problems).toHaveLength(1)
  })
})
