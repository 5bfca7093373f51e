import { expect, test } from "bun:test"
import { createProject } from "../fixtures/project.ts"
import { official } from "./servers-config.ts"

const node = { from: "a", to: "b", relationType: "knows" }

// Arguments for every tool, in an order in which they make sense.
const calls: Record<string, Record<string, unknown>> = {
  everything: {
    echo: { message: "hi" },
    getAnnotatedMessage: { messageType: "success" },
    getEnv: undefined,
    getResourceLinks: { count: 2 },
    getResourceReference: { resourceType: "Text", resourceId: 1 },
    getRootsList: undefined,
    getStructuredContent: { location: "Chicago" },
    getSum: { a: 1, b: 2 },
    getTinyImage: undefined,
    gzipFileAsResource: { name: "a.gz", data: "data:text/plain,hello", outputType: "resource" },
    toggleSimulatedLogging: undefined,
    toggleSubscriberUpdates: undefined,
    triggerLongRunningOperation: { duration: 0.1, steps: 1 },
  },
  files: {
    createDirectory: { path: "sub" },
    writeFile: { path: "sub/a.txt", content: "one\ntwo\n" },
    editFile: { path: "sub/a.txt", edits: [{ oldText: "two", newText: "2" }] },
    moveFile: { source: "sub/a.txt", destination: "sub/b.txt" },
    readFile: { path: "sub/b.txt" },
    readTextFile: { path: "sub/b.txt", head: 1, tail: undefined },
    readMediaFile: { path: "pixel.png" },
    readMultipleFiles: { paths: ["sub/b.txt"] },
    directoryTree: { path: "sub" },
    getFileInfo: { path: "sub/b.txt" },
    listAllowedDirectories: undefined,
    listDirectory: { path: "sub" },
    listDirectoryWithSizes: { path: "sub" },
    searchFiles: { path: ".", pattern: "*.txt" },
  },
  memory: {
    createEntities: { entities: ["a", "b"].map((name) => ({ name, entityType: "person", observations: [] })) },
    createRelations: { relations: [node] },
    addObservations: { observations: [{ entityName: "a", contents: ["tall"] }] },
    searchNodes: { query: "a" },
    openNodes: { names: ["a"] },
    readGraph: undefined,
    deleteObservations: { deletions: [{ entityName: "a", observations: ["tall"] }] },
    deleteRelations: { relations: [node] },
    deleteEntities: { entityNames: ["a"] },
  },
}

// They ask the user or take their time; what they take is covered by the types.
const notCalled = ["simulateResearchQuery", "triggerElicitationRequest", "triggerUrlElicitation"]

const script = (server: string) => `import * as tools from "./servers/${server}/index.ts"
const calls = JSON.parse(process.argv[2])
const results = {}
for (const [name, given] of calls) {
  results[name] = await (given === null ? tools[name]() : tools[name](given)).then((value) => ({ value }), (error) => ({ error: String(error) }))
}
console.log(JSON.stringify({ names: Object.keys(tools), results }))
`

test("every generated function of three official servers does in a script what its tool does", async () => {
  const memory = { type: "builtin", name: "memory" }
  using project = createProject({
    servers: { everything: official("everything"), files: { ...official("filesystem", ".") }, memory },
    files: { "pixel.png": "\u0089PNG" },
  })
  expect((await project.run(["generate"])).code).toBe(0)
  const results: Record<string, Record<string, { value?: unknown; error?: string }>> = {}
  for (const [server, wanted] of Object.entries(calls)) {
    project.write({ [`${server}.ts`]: script(server) })
    const entries = JSON.stringify(Object.entries(wanted).map(([name, given]) => [name, given ?? null]))
    // stderr has what toggleSimulatedLogging makes its server say, which differs each time.
    const { code, stdout } = await project.run(["exec", `${server}.ts`, entries])
    expect({ server, code }).toEqual({ server, code: 0 })
    const answer = JSON.parse(stdout)
    expect(answer.names.filter((name: string) => !(name in wanted) && !notCalled.includes(name))).toEqual([])
    results[server] = answer.results
  }
  const failed = Object.values(results).flatMap((each) => Object.entries(each).filter(([, { error }]) => error))
  expect(failed).toEqual([])
  expect(results.everything?.getSum?.value).toBe("The sum of 1 and 2 is 3.")
  expect(results.everything?.getStructuredContent?.value).toMatchObject({ temperature: expect.any(Number) })
  expect(results.files?.readTextFile?.value).toEqual({ content: "one" })
  expect(results.memory?.openNodes?.value).toMatchObject({ entities: [{ name: "a", observations: ["tall"] }] })
}, 30_000)
