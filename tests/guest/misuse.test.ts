// Scripts are often JavaScript, written in a hurry: a wrong call is the error of that call, and of nothing else.
import { afterAll, expect, test } from "bun:test"
import { createProject } from "../fixtures/project.ts"

const cases: { call: string; code: string; says: string }[] = [
  { call: "callTool()", code: "E_TOOL_ARGUMENTS", says: "the tool must be a string, found undefined" },
  { call: "callTool(null, null, null, null)", code: "E_TOOL_ARGUMENTS", says: "must be a string, found null" },
  { call: "callTool({})", code: "E_TOOL_ARGUMENTS", says: "must be a string, found an object" },
  { call: 'callTool("echo", 5)', code: "E_TOOL_ARGUMENTS", says: "the arguments must be an object, found a number" },
  { call: 'callTool("echo", "echo", null)', code: "E_TOOL_ARGUMENTS", says: "must be an object, found null" },
  { call: 'callTool("echo", "echo", "text")', code: "E_TOOL_ARGUMENTS", says: "must be an object, found a string" },
  { call: 'callTool("echo", "echo", [1])', code: "E_TOOL_ARGUMENTS", says: "must be an object, found an array" },
  { call: 'callTool("echo", "echo", new Date())', code: "E_TOOL_ARGUMENTS", says: "must be an object, found a string" },
  { call: 'callTool("echo", "echo", { n: 10n })', code: "E_TOOL_ARGUMENTS", says: "cannot be written as JSON" },
  { call: 'callTool("echo", "echo", circle)', code: "E_TOOL_ARGUMENTS", says: "cannot be written as JSON" },
  { call: 'callTool("echo", "echo", { get x() { throw Error("no") } })', code: "E_TOOL_ARGUMENTS", says: "JSON: no" },
  { call: 'callTool("echo", "echo", {}, { timeoutMs: 0 })', code: "E_TOOL_ARGUMENTS", says: "above 0, found 0" },
  { call: 'callTool("echo", "echo", {}, { timeoutMs: "5" })', code: "E_TOOL_ARGUMENTS", says: "found a string" },
  { call: 'callTool("echo", "echo", {}, { timeoutMs: Infinity })', code: "E_TOOL_ARGUMENTS", says: "found Infinity" },
  { call: 'callTool("echo", "echo", {}, { signal: {} })', code: "E_TOOL_ARGUMENTS", says: "an AbortSignal" },
  { call: 'callTool("echo", "echo", {}, { onProgress: 1 })', code: "E_TOOL_ARGUMENTS", says: "must be a function" },
  { call: 'callTool("echo", "")', code: "E_TOOL_UNKNOWN", says: "no tool ''" },
  { call: 'callTool("echo")', code: "E_USAGE", says: "names a server" },
  { call: "listTools()", code: "E_USAGE", says: "the server must be a string, found undefined" },
  { call: 'readResource("echo")', code: "E_USAGE", says: "the uri must be a string, found undefined" },
  { call: 'getPrompt("echo", "x", { a: 5 })', code: "E_USAGE", says: "must be strings, found a number for a" },
]

const fine: { call: string; want: unknown }[] = [
  {
    call: 'callTool("echo", "echo", { a: undefined, b: null, c: new Date(0) }, null)',
    want: { b: null, c: "1970-01-01T00:00:00.000Z" },
  },
  { call: 'callTool("echo", "echo", { toJSON: () => ({ j: 1 }) })', want: { j: 1 } },
  { call: 'callTool("echo", "add", { a: 1, b: 2 }, { raw: 0, signal: null })', want: { sum: 3 } },
  { call: 'callTool("echo", "echo", { "ü✓😀": "\\u2028\\u0000" })', want: { "ü✓😀": "\u2028\u0000" } },
  { call: 'listTools("echo", null).then((tools) => tools.length)', want: 4 },
]

const project = createProject({
  servers: { echo: { type: "builtin", name: "echo" } },
  files: {
    "misuse.js": `import { callTool, getPrompt, listTools, readResource } from "mcp-exec"
      const circle = {}
      circle.circle = circle
      const attempts = [${[...cases, ...fine].map(({ call }) => `() => ${call}`).join(",\n")}]
      export default async () => {
        const outcomes = []
        // Each call gives a promise, whatever is wrong with it.
        for (const attempt of attempts) outcomes.push(await attempt().then((value) => ({ value }), ({ code, message }) => ({ code, message })))
        console.log(JSON.stringify(outcomes))
      }`,
  },
})
afterAll(() => project[Symbol.dispose]())

const outcomes = project.run(["exec", "misuse.js"])

cases.forEach(({ call, code, says }, index) => {
  test(`${call} is ${code}`, async () => {
    const { stdout, stderr } = await outcomes
    expect(stderr).toBe("")
    const outcome = JSON.parse(stdout)[index]
    expect(outcome.code).toBe(code)
    expect(outcome.message).toContain(says)
  })
})

fine.forEach(({ call, want }, index) => {
  test(`${call} works, and does so after all that went wrong`, async () => {
    const { stdout } = await outcomes
    expect(JSON.parse(stdout)[cases.length + index]).toEqual({ value: want })
  })
})

test("thousands of calls that nobody awaits do no harm", async () => {
  const code = `import { callTool } from "mcp-exec"
    for (let n = 0; n < 3000; n++) callTool("echo.echo", { n })
    console.log("made")`
  expect(await project.run(["exec", "-e", code])).toEqual({ code: 0, stdout: "made\n", stderr: "" })
})

test("a script may end in the middle of its calls", async () => {
  const code = `import { callTool } from "mcp-exec"
    for (let n = 0; n < 300; n++) callTool("echo.sleep", { ms: 5000 })
    setTimeout(() => process.exit(3), 50)`
  expect(await project.run(["exec", "-e", code])).toEqual({ code: 3, stdout: "", stderr: "" })
})
