// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates are what is tested
import { describe, expect, test } from "bun:test"
import { endOfArgument, maskSource, skipBlanks } from "../../src/skills/mask-source.ts"

describe("the mask of a text", () => {
  const cases: [string, string][] = [
    ['a("b", c)', 'a(" ", c)'],
    ["a('it\\'s') b", "a('     ') b"],
    ["a // b\nc", "a     \nc"],
    ["a /* b\nc */ d", "a     \n     d"],
    ["`a ${b} c` d", "`        ` d"],
    ["`a ${`b ${'}'}`} c` d", "`                 ` d"],
    ["x = /[\"'/]/g; y", "x =         ; y"],
    ["a / b / c", "a / b / c"],
    ["(a) / b; 'c'", "(a) / b; ' '"],
    ["return /'/ + 1", "return     + 1"],
    ['"open\nnext', '"    \nnext'],
    ["`open\nnext", "`    \n    "],
    ["/* open", "       "],
    ["", ""],
  ]
  for (const [text, want] of cases) {
    test(`has nothing but the code of ${JSON.stringify(text)}`, () => {
      expect(maskSource(text)).toBe(want)
    })
  }

  test("is quick with what looks like the beginning of everything", () => {
    const started = performance.now()
    for (const piece of ["`", "'", '"', "/*", "/", "${", "`${", "\\"]) maskSource(piece.repeat(50_000))
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

test("an argument ends at its comma or bracket", () => {
  const text = "f({ a: [1, 2] }, b)"
  expect(endOfArgument(text, 2)).toBe(15)
  expect(endOfArgument(text, 16)).toBe(18)
  expect(endOfArgument("[1", 0)).toBe(2)
})

test("blanks are white space and comments", () => {
  expect(skipBlanks(" \n\t// a\n /* b */ c", 0)).toBe(17)
  expect(skipBlanks("// never ends", 0)).toBe(13)
  expect(skipBlanks("/* never ends", 0)).toBe(13)
  expect(skipBlanks("/ 2", 0)).toBe(0)
})
