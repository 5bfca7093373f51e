import { expect, test } from "bun:test"
import { addIgnored } from "../../../src/operations/init/ignore-file.ts"

const lines = ["/servers/", "/workspace/"]
const cases = [
  { name: "makes a new file", given: undefined, want: "/servers/\n/workspace/\n" },
  { name: "adds what is missing", given: "node_modules\n/servers/\n", want: "node_modules\n/servers/\n/workspace/\n" },
  { name: "ends a last line first", given: "dist", want: "dist\n/servers/\n/workspace/\n" },
  { name: "keeps Windows lines", given: "dist\r\n", want: "dist\r\n/servers/\r\n/workspace/\r\n" },
  { name: "knows other spellings", given: "servers\n/workspace/*\n!/workspace/.gitkeep\n", want: undefined },
  {
    name: "is not misled by a comment",
    given: "# servers\nworkspace/**\n",
    want: "# servers\nworkspace/**\n/servers/\n",
  },
]

test.each(cases)("a .gitignore $name", ({ given, want }) => {
  expect(addIgnored(given, lines)).toBe(want as string)
})
