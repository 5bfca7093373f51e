import { describe, expect, test } from "bun:test"
import { parseCallArguments } from "../../src/cli/call-options.ts"

describe("the words of a call, read without commander", () => {
  test("are the target, the arguments and the options, in any order", () => {
    const given = [
      "--raw",
      "files.read",
      "a=1",
      "--json",
      "b=-2",
      "--timeout",
      "1.5",
      "--config",
      "c.json",
      "--args",
      "-",
    ]
    expect(parseCallArguments(given)).toEqual({
      target: "files.read",
      words: ["a=1", "b=-2"],
      args: "-",
      raw: true,
      timeoutMs: 1500,
      globals: { config: "c.json", cwd: undefined, json: true, quiet: false, verbose: false, color: true },
    })
  })

  test.each([
    ["nothing", []],
    ["no target", ["--json"]],
    ["help", ["files.read", "--help"]],
    ["no daemon", ["files.read", "--no-daemon"]],
    ["an option that there is not", ["files.read", "--path", "x"]],
    ["a value after an equals sign", ["files.read", "--args={}"]],
    ["an option without its value", ["files.read", "--args"]],
    ["a timeout that is none", ["files.read", "--timeout", "soon"]],
    ["a timeout of nothing", ["files.read", "--timeout", ""]],
    ["a timeout of 0", ["files.read", "--timeout", "0"]],
    ["the end of options", ["files.read", "--", "a=1"]],
  ])("are left to commander: %s", (_, given) => {
    expect(parseCallArguments(given)).toBeUndefined()
  })
})
