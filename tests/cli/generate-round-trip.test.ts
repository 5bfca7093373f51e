import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import type { Manifest } from "../../src/codegen/print-server.ts"
import { createProject } from "../fixtures/project.ts"
import { official } from "./servers-config.ts"

/** What a function is given, and what comes of it. */
type Call = [given: unknown, want: { value: unknown } | { error: unknown }]

const relation = { from: "a", to: "b", relationType: "knows" }
const entities = ["a", "b"].map((name) => ({ name, entityType: "person", observations: [] }))
const says = (text: string) => ({ value: expect.stringContaining(text) })
const content = (text: string) => ({ value: { content: expect.stringContaining(text) } })
const blocks = (type: string) => ({ value: expect.arrayContaining([expect.objectContaining({ type })]) })

// Every function of every server, in an order in which the calls make sense.
const calls: Record<string, Record<string, Call>> = {
  everything: {
    echo: [{ message: "hi" }, { value: "Echo: hi" }],
    getAnnotatedMessage: [{ messageType: "success" }, says("completed successfully")],
    getEnv: [undefined, { value: expect.objectContaining({ HOME: expect.any(String) }) }],
    getResourceLinks: [{ count: 2 }, blocks("resource_link")],
    getResourceReference: [{ resourceType: "Text", resourceId: 1 }, blocks("resource")],
    getRootsList: [undefined, says("1. workspace")],
    getStructuredContent: [
      { location: "Chicago" },
      { value: { temperature: expect.any(Number), conditions: expect.any(String), humidity: expect.any(Number) } },
    ],
    getSum: [{ a: 1, b: 2 }, { value: "The sum of 1 and 2 is 3." }],
    getTinyImage: [undefined, blocks("image")],
    gzipFileAsResource: [{ name: "a.gz", data: "data:text/plain,hello", outputType: "resource" }, blocks("resource")],
    toggleSimulatedLogging: [undefined, says("Started")],
    toggleSubscriberUpdates: [undefined, says("Started")],
    triggerLongRunningOperation: [{ duration: 0.1, steps: 1 }, says("completed")],
    // Nobody is there to answer a question, so that it is declined.
    triggerElicitationRequest: [undefined, says("declined to provide")],
    triggerUrlElicitation: [{ url: "https://example.test/", message: "Look" }, says("declined to open")],
    // It runs as a task.
    simulateResearchQuery: [{ topic: "tea" }, says("tea")],
  },
  files: {
    createDirectory: [{ path: "sub" }, content("created directory")],
    writeFile: [{ path: "sub/a.txt", content: "one\ntwo\n" }, content("wrote to")],
    editFile: [{ path: "sub/a.txt", edits: [{ oldText: "two", newText: "2" }] }, content("-two\n+2")],
    moveFile: [{ source: "sub/a.txt", destination: "sub/b.txt" }, content("moved")],
    readFile: [{ path: "sub/b.txt" }, { value: { content: "one\n2\n" } }],
    readTextFile: [{ path: "sub/b.txt", head: 1, tail: undefined }, { value: { content: "one" } }],
    readMediaFile: [{ path: "pixel.png" }, { value: { content: [expect.objectContaining({ type: "image" })] } }],
    readMultipleFiles: [{ paths: ["sub/b.txt"] }, content("one\n2\n")],
    directoryTree: [{ path: "sub" }, content('"b.txt"')],
    getFileInfo: [{ path: "sub/b.txt" }, content("size: 6")],
    listAllowedDirectories: [undefined, content("Allowed directories:")],
    listDirectory: [{ path: "sub" }, { value: { content: "[FILE] b.txt" } }],
    listDirectoryWithSizes: [{ path: "sub" }, content("6 B")],
    searchFiles: [{ path: ".", pattern: "**/*.txt" }, content("b.txt")],
  },
  memory: {
    createEntities: [{ entities }, { value: { entities } }],
    createRelations: [{ relations: [relation] }, { value: { relations: [relation] } }],
    addObservations: [
      { observations: [{ entityName: "a", contents: ["tall"] }] },
      { value: { results: [{ entityName: "a", addedObservations: ["tall"] }] } },
    ],
    searchNodes: [{ query: "tall" }, { value: expect.objectContaining({ entities: [expect.anything()] }) }],
    openNodes: [
      { names: ["a"] },
      { value: expect.objectContaining({ entities: [expect.objectContaining({ observations: ["tall"] })] }) },
    ],
    readGraph: [undefined, { value: { entities: expect.anything(), relations: [relation] } }],
    deleteObservations: [
      { deletions: [{ entityName: "a", observations: ["tall"] }] },
      { value: { success: true, message: expect.any(String) } },
    ],
    deleteRelations: [{ relations: [relation] }, { value: { success: true, message: expect.any(String) } }],
    deleteEntities: [{ entityNames: ["a"] }, { value: { success: true, message: expect.any(String) } }],
  },
}

const script = (server: string) => `import * as tools from "./servers/${server}/index.ts"
const outcomes = {}
for (const [name, given] of JSON.parse(process.argv[2])) {
  const call = given === null ? tools[name]() : tools[name](given)
  outcomes[name] = await call.then((value) => ({ value }), (error) => ({ error: String(error) }))
}
console.log(JSON.stringify(outcomes))
`

test("every generated function of three official servers does in a script what its tool does", async () => {
  using project = createProject({ files: { "pixel.png": "\u0089PNG" } })
  const memory = { ...official("memory"), env: { MEMORY_FILE_PATH: project.path("memory.jsonl") } }
  const mcpServers = { everything: official("everything"), files: official("filesystem", "."), memory }
  project.write({ "mcp_config.json": JSON.stringify({ mcpServers }) })
  expect((await project.run(["generate"])).code).toBe(0)
  const { servers } = JSON.parse(readFileSync(project.path("servers/index.json"), "utf8")) as Manifest
  for (const [server, wanted] of Object.entries(calls)) {
    const offered = Object.values(servers[server]?.tools ?? {}).map((tool) => tool.export)
    expect(offered.sort()).toEqual(Object.keys(wanted).sort())
    project.write({ [`${server}.ts`]: script(server) })
    const entries = JSON.stringify(Object.entries(wanted).map(([name, [given]]) => [name, given ?? null]))
    // stderr has what toggleSimulatedLogging makes its server say, which differs each time.
    const { code, stdout } = await project.run(["exec", `${server}.ts`, entries])
    expect({ server, code }).toEqual({ server, code: 0 })
    expect(JSON.parse(stdout)).toEqual(
      Object.fromEntries(Object.entries(wanted).map(([name, [, want]]) => [name, want])),
    )
  }
}, 120_000)
