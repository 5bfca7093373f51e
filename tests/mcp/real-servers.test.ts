import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { realpathSync } from "node:fs"
import type { ClientManager, ElicitRequest } from "../../src/mcp/manager.ts"
import { packageServer } from "../fixtures/config.ts"
import { failureOf, startManager, temporaryDirectory } from "./manager-fixture.ts"

const everything = packageServer("@modelcontextprotocol/server-everything/dist/index.js", "stdio")
const filesystem = (...folders: string[]) =>
  packageServer("@modelcontextprotocol/server-filesystem/dist/index.js", ...folders)
const memory = packageServer("@modelcontextprotocol/server-memory/dist/index.js")

setDefaultTimeout(120_000)

describe.concurrent("the everything server", () => {
  const asked: ElicitRequest[] = []
  let manager: ClientManager
  beforeAll(async () => {
    const elicit = async (request: ElicitRequest) => {
      asked.push(request)
      return { action: "decline" as const }
    }
    manager = await startManager({ all: everything }, { elicit })
  })
  afterAll(() => manager.close())

  test("calls, structured results, images and errors", async () => {
    expect(await manager.callTool("all", "echo", { message: "hi" })).toBe("Echo: hi")
    expect(await manager.callTool("all", "get-structured-content", { location: "Chicago" })).toMatchObject({
      conditions: expect.any(String),
    })
    const image = (await manager.callTool("all", "get-tiny-image", {})) as { type: string }[]
    expect(image.map(({ type }) => type)).toContain("image")
    expect((await failureOf(manager.callTool("all", "get-sum", { a: "x", b: 2 }))).code).toMatch(
      /^E_TOOL_(FAILED|ARGUMENTS)$/,
    )
  })

  test("progress, and a question that is declined", async () => {
    const progress: number[] = []
    const onProgress = (seen: { progress: number }) => void progress.push(seen.progress)
    await manager.callTool("all", "trigger-long-running-operation", { duration: 0.3, steps: 3 }, { onProgress })
    expect(progress).toEqual([1, 2, 3])
    const answer = await manager.callTool("all", "trigger-elicitation-request", {})
    expect(JSON.stringify(answer)).toContain("declined")
    expect(asked).toMatchObject([{ server: "all", mode: "form" }])
  })

  test("resources and prompts", async () => {
    const [resource] = await manager.listResources("all")
    expect(resource?.uri).toBeString()
    expect(await manager.readResource("all", resource?.uri ?? "")).toMatchObject({ contents: [{ uri: resource?.uri }] })
    const prompts = await manager.listPrompts("all")
    expect(prompts).not.toBeEmpty()
    expect(await manager.getPrompt("all", "simple-prompt")).toMatchObject({ messages: [{ role: "user" }] })
    expect(await manager.listResourceTemplates("all")).not.toBeEmpty()
  })

  test("of its many tools ten are listed for one that does not exist", async () => {
    const { code, hint } = await failureOf(manager.callTool("all", "get-summ", { a: 1, b: 2 }))
    expect(code).toBe("E_TOOL_UNKNOWN")
    expect(hint).toStartWith("Did you mean 'get-sum'? It has: ")
    expect(hint.split(", and ")[0].split(", ")).toHaveLength(10)
  })
})

describe.concurrent("the filesystem server", () => {
  test("keeps the directories of its arguments, because they are its roots", async () => {
    using folder = temporaryDirectory()
    using workspace = temporaryDirectory()
    await Bun.write(`${folder.path}/a.txt`, "text of a")
    await using manager = await startManager({ files: filesystem(folder.path) }, { workspace: workspace.path })
    const path = `${realpathSync(folder.path)}/a.txt`
    expect(await manager.callTool("files", "read_text_file", { path })).toEqual({ content: "text of a" })
    const denied = await failureOf(manager.callTool("files", "read_text_file", { path: "/etc/passwd" }))
    expect(denied).toMatchObject({ name: "ToolError", code: "E_TOOL_FAILED", server: "files", tool: "read_text_file" })
    expect(denied.message).toContain("Access denied")
  })

  test("200 calls at once all come back", async () => {
    using folder = temporaryDirectory()
    const numbers = Array.from({ length: 200 }, (_, number) => number)
    await Promise.all(numbers.map((number) => Bun.write(`${folder.path}/${number}.txt`, `file ${number}`)))
    await using manager = await startManager({ files: filesystem(folder.path) })
    const root = realpathSync(folder.path)
    const read = (number: number) => manager.callTool("files", "read_text_file", { path: `${root}/${number}.txt` })
    expect(await Promise.all(numbers.map(read))).toEqual(numbers.map((number) => ({ content: `file ${number}` })))
  })
})

describe.concurrent("the memory server", () => {
  test("remembers from one call to the next", async () => {
    using folder = temporaryDirectory()
    const server = { ...memory, env: { MEMORY_FILE_PATH: `${folder.path}/memory.json` } }
    await using manager = await startManager({ memory: server })
    const entity = { name: "Ada", entityType: "person", observations: ["wrote the first program"] }
    await manager.callTool("memory", "create_entities", { entities: [entity] })
    expect(await manager.callTool("memory", "read_graph", {})).toEqual({ entities: [entity], relations: [] })
  })
})
