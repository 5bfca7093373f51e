import { expect, test } from "bun:test"
import fc from "fast-check"
import { commentLines, commentText } from "../../src/codegen/escape.ts"

test("a text that needs no cleaning gives the same lines as one that does", () => {
  const piece = fc.constantFrom(
    "word",
    " ",
    "\n",
    "*/",
    "@readonly",
    "sourceURL=x",
    "a=b",
    "—",
    "’s",
    "→",
    "\u2027",
    "~",
  )
  const plain = fc.oneof(piece, fc.string({ maxLength: 5 }))
  fc.assert(
    fc.property(fc.array(plain, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("")
      // A soft hyphen cannot be seen: it is taken out, and with it everything else is looked at.
      expect(commentLines(`${text}\u00ad`)).toEqual(commentLines(text))
    }),
  )
})

test("no character that ends a line, drives a terminal or cannot be seen is left in a comment", () => {
  const codes = [
    ...[0x00, 0x08, 0x0b, 0x0c, 0x0d, 0x1b, 0x7f, 0x85, 0x9f, 0xad, 0x61c, 0x180e],
    ...[
      0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x206f, 0xd800, 0xfeff, 0xfff9, 0xe0041,
    ],
  ]
  for (const code of codes) {
    const character = String.fromCodePoint(code)
    expect([code, commentText(`left ${character}right`).includes(character)]).toEqual([code, false])
  }
})
