// The same through the command line, as data, through the library and through the MCP server: equal results,
// equal errors. Every operation that a command uses has a scenario, and each surface has it or says why not.
import { afterAll, describe, expect, test } from "bun:test"
import { describeError } from "../../src/errors.ts"
import { createProject } from "../fixtures/project.ts"
import { connectStdio } from "../server/served.ts"
import { openProject } from "./instance.ts"
import { leftOutOfServer, operationsOfCommands, withoutScenario } from "./operations.ts"
import { input, scenarios } from "./scenarios.ts"

const project = createProject(input)
const opened = await openProject(input)
const servedProject = createProject(input)
const served = await connectStdio(servedProject)
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  await opened[Symbol.asyncDispose]()
  servedProject[Symbol.dispose]()
  project[Symbol.dispose]()
})

describe("equal through command line, library and MCP server", () => {
  for (const { words, library, server, inServer = (output: unknown) => output, codeOnly } of scenarios) {
    test(words.join(" "), async () => {
      const { stdout, stderr } = await project.run([...words.slice(0, 1), "--json", ...words.slice(1)])
      const printed = JSON.parse(stdout || stderr)
      const given = await library(opened.mcp).catch((error) => ({ error: describeError(error) }))
      const both = [comparable(printed, project.directory), comparable(given, opened.project.directory)]
      if (codeOnly) expect(both).toMatchObject([{ error: { code: expect.any(String) } }, {}])
      const [fromCli, fromLibrary] = codeOnly ? both.map((each) => ({ code: each.error.code })) : both
      expect(fromLibrary).toEqual(fromCli)
      if (server === undefined) return
      const answered = await server(served, servedProject).catch((error) => ({ error: describeError(error) }))
      const fromServer = comparable(answered, servedProject.directory)
      const isFailure = fromCli.error !== undefined && fromCli.ok === undefined
      const wanted = codeOnly || isFailure ? fromCli : comparable(inServer(printed as never), project.directory)
      expect(codeOnly ? { code: fromServer.error.code } : fromServer).toEqual(wanted)
    })
  }
})

describe("an operation of the command line", () => {
  test("has a scenario, or says why not", () => {
    const shown = new Set(scenarios.map(({ operation }) => operation))
    expect([...operationsOfCommands].filter((each) => !shown.has(each) && !(each in withoutScenario))).toEqual([])
    expect(Object.keys(withoutScenario).filter((each) => shown.has(each) || !operationsOfCommands.has(each))).toEqual(
      [],
    )
  })

  test("is offered by the MCP server, or says why not", () => {
    const offered = new Set(scenarios.flatMap(({ operation, server }) => (server === undefined ? [] : [operation])))
    expect([...operationsOfCommands].filter((each) => !offered.has(each) && !(each in leftOutOfServer))).toEqual([])
    expect(Object.keys(leftOutOfServer).filter((each) => offered.has(each) || !operationsOfCommands.has(each))).toEqual(
      [],
    )
  })
})

/** Without what differs from run to run: times, folders, process ids. */
function comparable(value: unknown, directory: string) {
  const text = JSON.stringify(value, (key, member) => (key === "durationMs" ? "some" : member))
  return JSON.parse(text.replaceAll(directory, "PROJECT"))
}
