import { afterAll, describe, expect, test } from "bun:test"
import { shippedSkill } from "./shipped.ts"

const skill = shippedSkill("search-files", {
  servers: { filesystem: { type: "builtin", name: "filesystem", args: ["./tree"] } },
  files: {
    "tree/a.txt": "one TODO\n",
    "tree/deep/b.md": "first\nTODO, todo, TODO\n",
    "tree/deep/binary.bin": "TODO\0",
    "tree/none.txt": "nothing (a.b)\n",
    "tree/.git/config": "TODO",
    "tree/node_modules/x/index.js": "TODO",
  },
})
afterAll(() => skill[Symbol.dispose]())

describe("search-files", () => {
  test("counts a text over a tree and shows the files with most hits", async () => {
    expect(await skill.value("TODO")).toEqual({
      searched: 3,
      unreadable: 1,
      filesWithMatches: 2,
      matches: 3,
      top: [
        { file: "deep/b.md", matches: 2, line: 2, text: "TODO, todo, TODO" },
        { file: "a.txt", matches: 1, line: 1, text: "one TODO" },
      ],
    })
  })

  const cases = [
    { name: "ignores case", args: ["/todo/i"], matches: 4 },
    { name: "looks into some files only", args: ["TODO", "--files=**/*.txt"], matches: 1 },
    { name: "looks into one folder only", args: ["TODO", "--path=deep"], matches: 2 },
    { name: "takes a text as it is", args: ["(a.b)"], matches: 1 },
    { name: "takes a regular expression", args: ["/T.D|t.d/"], matches: 4 },
    { name: "takes a path for a text", args: ["/a/b"], matches: 0 },
    { name: "finds nothing where there is nothing", args: ["absent"], matches: 0 },
    { name: "finds no files where none fit", args: ["TODO", "--files=*.none"], matches: 0 },
  ]
  for (const { name, args, matches } of cases) {
    test(name, async () => expect(await skill.value<{ matches: number }>(...args)).toMatchObject({ matches }))
  }

  test("fails outside the directories of the server", async () => {
    const { code, stderr } = await skill.run("x", "--path=/etc")
    expect(code).toBe(1)
    expect(stderr).toContain("Access denied")
  })
})
