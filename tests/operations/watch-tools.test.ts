import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Tool } from "../../src/catalog.ts"
import { updateServers } from "../../src/codegen/update.ts"
import { clearMarks, type Mark, type Marks, readMarks } from "../../src/operations/changed-servers.ts"
import { ToolsWatch } from "../../src/operations/watch-tools.ts"
import { eventually } from "../fixtures/eventually.ts"

const tool = (name: string): Tool => ({ name, description: "", inputSchema: { type: "object" } })
const tools = [tool("a"), tool("b")]
const toolsChanged = ["tools/list"]
const never = () => new Promise<never>(() => {})

let marks: Marks
let watch: ToolsWatch
beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-exec-watch-"))
  marks = { cacheDirectory: join(folder, "cache"), directory: join(folder, "servers") }
  watch = new ToolsWatch(async () => marks)
  const prompts = [{ name: "greet" }]
  await updateServers(marks.directory, { servers: [{ name: "one", tools, prompts }] }, { runtime: "export {}\n" })
})
afterEach(() => rmSync(join(marks.directory, ".."), { recursive: true }))

async function noted(): Promise<Mark[]> {
  await watch.settle()
  return await readMarks(marks)
}

const changed: Mark = { server: "one", offer: expect.any(String), doubtful: [] }

describe("what is listed", () => {
  test("leaves no word when it is what was generated, in whatever order", async () => {
    watch.listed("one", [tool("b"), tool("a")])
    expect(await noted()).toEqual([])
  })

  test("leaves word when it is something else, until it is the same again", async () => {
    watch.listed("one", [tool("a")])
    expect(await noted()).toEqual([changed])
    watch.listed("one", tools)
    expect(await noted()).toEqual([])
  })

  test("is not noted of servers that were not generated", async () => {
    for (const name of ["two", "__proto__", "constructor"]) watch.listed(name, [])
    expect(await noted()).toEqual([])
  })

  test("is compared with what is generated now, not with what was at first", async () => {
    watch.listed("one", [tool("c")])
    expect(await noted()).toEqual([changed])
    await updateServers(marks.directory, { servers: [{ name: "one", tools: [tool("c")] }] }, { runtime: "export {}\n" })
    watch.listed("one", [tool("c")])
    expect(await noted()).toEqual([])
  })
})

describe("a server that says its lists have changed", () => {
  test("is asked, and taken at its answer", async () => {
    watch.changed("one", toolsChanged, async () => watch.listed("one", tools))
    expect(await noted()).toEqual([])
    watch.changed("one", toolsChanged, async () => watch.listed("one", [tool("c")]))
    expect(await noted()).toEqual([changed])
  })

  test("is doubted when it gives no answer, and nobody waits long for it", async () => {
    watch.changed("one", toolsChanged, never)
    const startedAt = performance.now()
    expect(await noted()).toEqual([{ server: "one", doubtful: ["tools"] }])
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    watch.listed("one", tools)
    expect(await noted()).toEqual([])
  })

  test("a thousand times is asked once at a time, and once more at the end", async () => {
    let questions = 0
    let open = 0
    let most = 0
    const list = async () => {
      questions++
      most = Math.max(most, ++open)
      await Bun.sleep(20)
      open--
      watch.listed("one", questions === 1 ? tools : [tool("c")])
    }
    for (let time = 0; time < 1000; time++) watch.changed("one", toolsChanged, list)
    await eventually(() => questions === 2 && open === 0)
    expect(await noted()).toEqual([changed])
    expect({ questions, most }).toEqual({ questions: 2, most: 1 })
  })

  test("is doubted for prompts and resources only where these were generated, whatever its tools are", async () => {
    watch.changed("one", ["resources/list", "resources/templates/list"], never)
    expect(await noted()).toEqual([])
    watch.changed("one", ["prompts/list"], never)
    watch.listed("one", tools)
    expect(await noted()).toEqual([{ server: "one", doubtful: ["prompts"] }])
    await clearMarks(marks, ["one"])
    expect(await noted()).toEqual([])
  })
})

test("what cannot be read or written disturbs nobody", async () => {
  writeFileSync(marks.cacheDirectory, "a file where a folder should be")
  watch.listed("one", [tool("c")])
  expect(await noted()).toEqual([])
  const lost = new ToolsWatch(() => Promise.reject(new Error("no configuration")))
  lost.listed("one", tools)
  await lost.settle()
})
