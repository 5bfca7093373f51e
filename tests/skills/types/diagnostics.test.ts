import { expect, test } from "bun:test"
import { parseDiagnostics } from "../../../src/skills/types/diagnostics.ts"

test("the compiler's output is read line by line, with what goes into detail", () => {
  const output = [
    "skills/a (1).ts(3,14): error TS2345: Argument of type 'A' is not assignable to parameter of type 'B'.",
    "  Property 'x' is missing in type 'A'.",
    "    And deeper.",
    "../b.ts(1,1): error TS2307: Cannot find module './c.ts'.",
    "",
    "Found 2 errors.",
  ]
  const want = [
    {
      file: "skills/a (1).ts",
      line: 3,
      column: 14,
      code: 2345,
      message: "Argument of type 'A' is not assignable to parameter of type 'B'.",
      details: ["Property 'x' is missing in type 'A'.", "And deeper."],
    },
    { file: "../b.ts", line: 1, column: 1, code: 2307, message: "Cannot find module './c.ts'.", details: [] },
  ]
  for (const end of ["\n", "\r\n"]) expect(parseDiagnostics(output.join(end))).toEqual(want)
  expect(parseDiagnostics("")).toEqual([])
})
