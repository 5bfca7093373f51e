// The same through the command line, as data, and through the library: equal results, equal errors.
import { afterAll, describe, expect, test } from "bun:test"
import { describeError } from "../../src/errors.ts"
import type { McpExec } from "../../src/index.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject, type ProjectInput } from "../fixtures/project.ts"
import { echo, openProject } from "./instance.ts"

const input: ProjectInput = {
  servers: { echo, real: fixtureServer("echo"), gone: fixtureServer("exits"), off: { ...echo, disabled: true } },
  files: {
    "good.ts": `import { callTool } from "mcp-exec"
      console.log(await callTool("echo.add", { a: 1, b: 2 }), process.argv.slice(2))
      console.error("aside")`,
    "bad.ts": `import { callTool } from "mcp-exec"\nawait callTool("echo.fail", { message: "no luck" })`,
    "skills/hello.ts": "// Says hello.\nconsole.log('hello', ...process.argv.slice(2))",
  },
}
const project = createProject(input)
const opened = await openProject(input)
afterAll(async () => {
  project[Symbol.dispose]()
  await opened[Symbol.asyncDispose]()
})

interface Scenario {
  words: string[]
  library(mcp: McpExec): Promise<unknown>
  /** Of failures that are worded for one surface only the code is compared. */
  codeOnly?: true
}

// In this order: what is listed has been generated before.
const scenarios: Scenario[] = [
  { words: ["ls"], library: (mcp) => mcp.list() },
  { words: ["search", "add"], library: (mcp) => mcp.search("add") },
  { words: ["generate", "--check", "echo"], library: (mcp) => mcp.generate({ check: true, servers: ["echo"] }) },
  { words: ["generate"], library: (mcp) => mcp.generate() },
  { words: ["generate", "echo"], library: (mcp) => mcp.generate({ servers: ["echo"] }) },
  { words: ["generate", "nobody"], library: (mcp) => mcp.generate({ servers: ["nobody"] }) },
  { words: ["ls", "echo"], library: (mcp) => mcp.listGenerated("echo") },
  { words: ["ls", "ecoh"], library: (mcp) => mcp.listGenerated("ecoh") },
  { words: ["cat", "echo.add"], library: (mcp) => mcp.show("echo.add") },
  { words: ["cat", "hello", "--source"], library: (mcp) => mcp.show("hello", { source: true }) },
  { words: ["search", "two", "numbers"], library: (mcp) => mcp.search("two numbers") },
  {
    words: ["search", "hello", "--detail", "full", "--limit", "1"],
    library: (mcp) => mcp.search("hello", { detail: "full", limit: 1 }),
  },
  { words: ["discover", "status"], library: (mcp) => mcp.discoverStatus() },
  { words: ["discover", "init", "echo"], library: (mcp) => mcp.discoverInit({ servers: ["echo"] }) },
  { words: ["discover", "echo.echo"], library: (mcp) => mcp.discover({ targets: ["echo.echo"] }) },
  { words: ["servers"], library: (mcp) => mcp.listServers() },
  { words: ["servers", "--check"], library: (mcp) => mcp.listServers({ check: true }) },
  { words: ["tools", "echo"], library: (mcp) => mcp.listTools("echo") },
  { words: ["tools", "off"], library: (mcp) => mcp.listTools("off") },
  { words: ["call", "echo.add", "a=1", "b=2"], library: (mcp) => mcp.callTool("echo.add", { a: 1, b: 2 }) },
  {
    words: ["call", "echo", "add", "--args", '{"a":1,"b":2}', "--raw"],
    library: (mcp) => mcp.callTool("echo", "add", { a: 1, b: 2 }, { raw: true }),
  },
  { words: ["call", "echo.fail", "message=no"], library: (mcp) => mcp.callTool("echo.fail", { message: "no" }) },
  { words: ["call", "echo.ad", "--args", "{}"], library: (mcp) => mcp.callTool("echo.ad") },
  { words: ["call", "eco.add", "--args", "{}"], library: (mcp) => mcp.callTool("eco.add") },
  { words: ["call", "gone.echo", "--args", "{}"], library: (mcp) => mcp.callTool("gone.echo") },
  {
    words: ["call", "real.wait", "--timeout", "0.2", "--args", '{"ms":60000}'],
    library: (mcp) => mcp.callTool("real.wait", { ms: 60_000 }, { timeoutMs: 200 }),
  },
  { words: ["exec", "good.ts", "a", "b"], library: (mcp) => mcp.exec({ file: "good.ts", args: ["a", "b"] }) },
  { words: ["exec", "bad.ts"], library: (mcp) => mcp.exec({ file: "bad.ts" }) },
  { words: ["exec", "hello", "x"], library: (mcp) => mcp.exec({ skill: "hello", args: ["x"] }) },
  { words: ["exec", "nope.ts"], library: (mcp) => mcp.exec({ file: "nope.ts" }), codeOnly: true },
  { words: ["skills", "list"], library: (mcp) => mcp.skills.list() },
  { words: ["skills", "show", "hello"], library: (mcp) => mcp.skills.show("hello") },
  { words: ["skills", "show", "nope"], library: (mcp) => mcp.skills.show("nope") },
  { words: ["skills", "check"], library: (mcp) => mcp.skills.check() },
  { words: ["skills", "new", "fresh"], library: (mcp) => mcp.skills.create({ name: "fresh" }) },
  { words: ["skills", "new", "Not good"], library: (mcp) => mcp.skills.create({ name: "Not good" }) },
  { words: ["skills", "remove", "fresh"], library: (mcp) => mcp.skills.remove("fresh") },
]

describe("equal through command line and library", () => {
  for (const { words, library, codeOnly } of scenarios) {
    test(words.join(" "), async () => {
      const { stdout, stderr } = await project.run([...words.slice(0, 1), "--json", ...words.slice(1)])
      const printed = JSON.parse(stdout || stderr)
      const given = await library(opened.mcp).catch((error) => ({ error: describeError(error) }))
      const both = [comparable(printed, project.directory), comparable(given, opened.project.directory)]
      if (codeOnly) expect(both).toMatchObject([{ error: { code: expect.any(String) } }, {}])
      const [fromCli, fromLibrary] = codeOnly ? both.map((each) => ({ code: each.error.code })) : both
      expect(fromLibrary).toEqual(fromCli)
    })
  }
})

/** Without what differs from run to run: times, folders, process ids. */
function comparable(value: unknown, directory: string) {
  const text = JSON.stringify(value, (key, member) => (key === "durationMs" ? "some" : member))
  return JSON.parse(text.replaceAll(directory, "PROJECT"))
}
