import { describe, expect, test } from "bun:test"
import { parsePlainWords } from "../../src/cli/plain-words.ts"

const known = { switches: ["--source"], values: ["--limit"] }

describe("a command line, read without commander", () => {
  test("is words, options of the command and those of every command, in any order", () => {
    const parsed = parsePlainWords(
      ["--json", "a", "--limit", "-3", "b c", "--source", "--config", "x.json", "--cwd", "y", "--no-color"],
      known,
    )
    expect(parsed).toEqual({
      words: ["a", "b c"],
      switches: new Set(["--json", "--source", "--no-color"]),
      values: new Map([
        ["--limit", "-3"],
        ["--config", "x.json"],
        ["--cwd", "y"],
      ]),
      globals: { config: "x.json", cwd: "y", json: true, quiet: false, verbose: false, color: false },
    })
  })

  test.each([
    ["help", ["--help"]],
    ["the version", ["-V"]],
    ["an option of another command", ["--raw"]],
    ["a value after an equals sign", ["--limit=3"]],
    ["an option without its value", ["--limit"]],
    ["the end of options", ["--", "a"]],
    ["a lone dash", ["-"]],
  ])("with %s is left to commander", (_, argv) => {
    expect(parsePlainWords(argv, known)).toBeUndefined()
  })
})
