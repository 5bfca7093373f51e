import { describe, expect, test } from "bun:test"
import { readObject, readOnce, readPairs } from "../../src/cli/call-arguments.ts"
import { describeError, exitCodeFor } from "../../src/errors.ts"
import { createFolder } from "./captured-io.ts"

const sources = { cwd: "/nowhere", stdin: async () => "from stdin\n" }

async function refused(act: Promise<unknown>): Promise<string> {
  const error = await act.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(exitCodeFor(error)).toBe(2)
  const { code, message, hint } = describeError(error)
  expect(code).toBe("E_USAGE")
  expect(hint).toBeString()
  return message
}

describe("a pair", () => {
  const cases: [string, unknown][] = [
    ["a=b", { key: "a", text: "b" }],
    ["a=", { key: "a", text: "" }],
    ["a=b=c", { key: "a", text: "b=c" }],
    ["a=x:=1", { key: "a", text: "x:=1" }],
    ["a b=c d", { key: "a b", text: "c d" }],
    ["a:=[1]", { key: "a", json: [1] }],
    ["a:=null", { key: "a", json: null }],
    ["a=@@b", { key: "a", text: "@b" }],
    ["a=@-", { key: "a", text: "from stdin\n" }],
  ]
  for (const [word, want] of cases) {
    test(`${word} is read`, async () => expect(await readPairs([word], sources)).toEqual([want] as never))
  }

  test("takes a file's content, relative to the working directory", async () => {
    await using folder = await createFolder()
    await folder.write("body.md", "# Grüße\n")
    await folder.write("list.json", "[1, 2]")
    const pairs = await readPairs(["body=@body.md", "list:=@list.json"], { ...sources, cwd: folder.path })
    expect(pairs).toEqual([
      { key: "body", text: "# Grüße\n" },
      { key: "list", json: [1, 2] },
    ])
  })

  test("that names a missing file is refused", async () => {
    expect(await refused(readPairs(["body=@body.md"], sources))).toBe(
      "body names a file that cannot be read: /nowhere/body.md",
    )
  })

  for (const word of ["word", "=value", ":=1", "--", '{"a":1}']) {
    test(`${word} is refused`, async () => {
      expect(await refused(readPairs([word], sources))).toStartWith("Arguments are written key=value, found ")
    })
  }

  test("with broken JSON is refused", async () => {
    expect(await refused(readPairs(["a:={b}"], sources))).toStartWith("a is not valid JSON: ")
  })
})

describe("--args", () => {
  test("takes JSON, a file and standard input", async () => {
    await using folder = await createFolder()
    await folder.write("args.json", '{"a": 1}')
    const given = { cwd: folder.path, stdin: async () => '{"a": 1}\n' }
    for (const text of ['{"a": 1}', "@args.json", "-"]) expect(await readObject(text, given)).toEqual({ a: 1 })
  })

  const wrong: [string, string][] = [
    ["{a: 1}", "--args is not valid JSON: "],
    ["[1]", "--args must be a JSON object, found an array"],
    ["5", "--args must be a JSON object, found a number"],
    ["null", "--args must be a JSON object, found null"],
    ["-", "Standard input is not valid JSON: "],
    ["@none.json", "--args names a file that cannot be read: /nowhere/none.json"],
  ]
  for (const [text, message] of wrong) {
    test(`${text} is refused`, async () => expect(await refused(readObject(text, sources))).toStartWith(message))
  }
})

test("Standard input is given to one argument only", async () => {
  const given = { ...sources, stdin: readOnce(sources.stdin) }
  expect(await refused(readPairs(["a=@-", "b=@-"], given))).toBe("Standard input was asked for twice")
})
