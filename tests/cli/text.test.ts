import { expect, test } from "bun:test"
import { alignColumns, firstLine, indentAfterFirst } from "../../src/cli/text.ts"
import { printable } from "../../src/printable.ts"

test("columns line up and have no trailing spaces", () => {
  const rows = [
    ["a", "b"],
    ["long", ""],
    ["ü", "x", "y"],
  ]
  expect(alignColumns(rows)).toBe("a     b\nlong\nü     x  y\n")
})

test("a line is cut to the width of the terminal", () => {
  expect(alignColumns([["name", "a long description"]], 12)).toBe("name  a lon…\n")
})

test("no rows are no lines", () => {
  expect(alignColumns([])).toBe("")
})

test("the first line is the first that says something", () => {
  expect(firstLine("\n\n  Reads a file.\nSlowly.")).toBe("Reads a file.")
  expect(firstLine("")).toBe("")
})

test("control and direction characters are removed, lines and tabs are kept", () => {
  expect(printable("a\u001b[2Jb\tc\r\nd\u0000\u009b\u2066e")).toBe("a[2Jb\tc\nde")
})

test("further lines are indented", () => {
  expect(indentAfterFirst("a\nb\nc", "  ")).toBe("a\n  b\n  c")
})
