import { afterAll, describe, expect, test } from "bun:test"
import { ToolError } from "../../src/errors.ts"
import { describeFailure } from "../../src/guest/report-failure.ts"
import { createProject, repository } from "../fixtures/project.ts"

/** An error as thrown in a script, with a stack as its runtime writes it. */
function thrown(error: Error, ...frames: string[]): Error {
  error.stack = [`${error.name}: ${error.message}`, ...frames.map((frame) => `    at ${frame}`)].join("\n")
  return error
}

const file = "/home/me/script.ts"
const lines = ["first()", "second()\u001b[2J", "third()", "fourth()"]
const describeIn = (error: unknown) => describeFailure(error, (path) => (path === file ? lines : []))

describe("an error", () => {
  test("is shown with its line, what is above it, and the script's frames", () => {
    const error = thrown(new TypeError("no"), `work (${file}:3:5)`, `${file}:4:1`)
    expect(describeIn(error)).toBe(
      [
        "1 | first()",
        "2 | second()[2J",
        "3 | third()",
        "        ^",
        "TypeError: no",
        `    at work (${file}:3:5)`,
        `    at ${file}:4:1`,
      ].join("\n"),
    )
  })

  test("in a very long line is shown with its start", () => {
    const describeLong = (column: number) =>
      describeFailure(thrown(new Error("no"), `${file}:1:${column}`), () => ["x".repeat(100_000)])
    expect(describeLong(99_000)).toBe(`1 | ${"x".repeat(300)}\nerror: no\n    at ${file}:1:99000`)
    expect(describeLong(2)).toStartWith(`1 | ${"x".repeat(300)}\n     ^\n`)
  })

  test("is shown without frames of runtimes and of ours", () => {
    const ours = new URL("../../src/guest/guest.ts", import.meta.url)
    const foreign = [
      "filter (native:1:11)",
      "A (unknown:1:11)",
      "writeFast (internal:fs/streams:382:38)",
      "node:internal/process/task_queues:105:5",
      "ext:core/01_core.js:1:1",
      "/$bunfs/root/chunk-abc.js:1:1",
      `async ${ours.href}:1:1`,
      `ask (${ours.pathname}:10:5)`,
    ]
    expect(describeIn(thrown(new Error("no"), ...foreign))).toBe("error: no")
  })

  test("whose message looks like a frame is not taken for one", () => {
    const error = thrown(new Error(`cannot parse\n    at ${file}:1:1`), `${file}:4:2`)
    expect(describeIn(error)).toEndWith(`error: cannot parse\n    at ${file}:1:1\n    at ${file}:4:2`)
    expect(describeIn(error)).toContain("4 | fourth()")
  })

  test("of a tool shows code and hint, and cannot drive the terminal", () => {
    const error = new ToolError("E_TOOL_FAILED", "a", "b", "bad \u001b]0;title\u0007", { hint: "try \u001b[2Jc" })
    expect(describeIn(thrown(error))).toBe("error[E_TOOL_FAILED]: bad ]0;title\nhint: try [2Jc")
  })

  const named = (error: Error, name: unknown) => Object.assign(error, { name })
  const circle = new Error("a")
  circle.cause = new Error("b", { cause: circle })
  const cases: { name: string; given: Error; want: string }[] = [
    { name: "without a message", given: new Error(), want: "error" },
    { name: "without a name", given: named(new Error("x"), null), want: "error: x" },
    { name: "of a module that is not found", given: named(new Error("no m"), "ResolveMessage"), want: "error: no m" },
    { name: "that is its own cause", given: circle, want: "error: a\ncaused by error: b" },
    { name: "caused by null", given: new Error("a", { cause: null }), want: "error: a\ncaused by null" },
    { name: "caused by text", given: new Error("a", { cause: "b" }), want: "error: a\ncaused by b" },
    {
      name: "made of several",
      given: new AggregateError([new Error("a"), new TypeError("b"), 3, null], "all failed"),
      want: "AggregateError: all failed\n  - error: a\n  - TypeError: b\n  - 3\n  - null",
    },
  ]
  for (const { name, given, want } of cases) {
    test(`${name} is shown`, () => expect(describeIn(thrown(given))).toBe(want))
  }

  test("made of very many shows the first", () => {
    const errors = Array.from({ length: 20 }, (_, index) => new Error(`${index}`))
    expect(describeIn(thrown(new AggregateError(errors)))).toEndWith("- error: 7\n  and 12 more")
  })
})

describe("what is not an error", () => {
  const circle: Record<string, unknown> = {}
  circle.circle = circle
  const cases: [unknown, string][] = [
    [null, "null"],
    [undefined, "undefined"],
    ["a text\u001b[2J", "a text[2J"],
    [{ a: 1 }, '{"a":1}'],
    [10n, "10n"],
    [Symbol("s"), "Symbol(s)"],
    [Object.create(null), "{}"],
    [circle, "<ref *1> { circle: [Circular *1] }"],
  ]
  for (const [given, want] of cases) {
    test(`${want} is shown`, () => expect(describeIn(given)).toBe(`error: the script threw ${want}`))
  }
})

describe("what cannot even be looked at", () => {
  const project = createProject()
  afterAll(() => project[Symbol.dispose]())
  const cases = [
    "class Odd extends Error { get message() { throw 1 } }; throw new Odd()",
    'throw Object.defineProperty(new Error("x"), "stack", { get() { throw 1 } })',
    'throw Object.assign(new Error("x"), { stack: 5, name: Symbol("s") })',
    "throw new Proxy({}, { get() { throw 1 } })",
    'throw Object.assign(new Error("x"), { code: "E_TOOL_FAILED", hint: {} })',
  ]
  for (const code of cases) {
    test(`ends the script with 1 and a word about it: ${code}`, async () => {
      const text = await project.run(["exec", "-e", code])
      expect(text.code).toBe(1)
      expect(text.stderr).toStartWith("error: ")
      const { code: exit, stdout } = await project.run(["exec", "--json", "-e", code])
      expect(exit).toBe(1)
      expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: "E_SCRIPT_FAILED" } })
    })
  }

  test("nor be told, because stderr is closed, still ends the script with 1", async () => {
    const shell = ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", process.execPath, `${repository}/src/main.ts`]
    expect(await project.run(["exec", "-e", "throw new Error('unheard')"], { program: shell })).toMatchObject({
      code: 1,
    })
  })
})
