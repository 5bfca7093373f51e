import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { ElicitRequest } from "../../src/mcp/manager.ts"
import { fixtureServer, packageServer } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { failureOf, startManager, temporaryDirectory } from "./manager-fixture.ts"

setDefaultTimeout(120_000)

/** A manager of the server with tasks, and what that server was asked for. */
async function start() {
  const folder = temporaryDirectory()
  const file = join(folder.path, "notes")
  const manager = await startManager({ one: fixtureServer("tasks", file) })
  return {
    call: (tool: string, args = {}, options = {}) => manager.callTool("one", tool, args, options),
    notes: () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []),
    async [Symbol.asyncDispose]() {
      await manager.close()
      folder[Symbol.dispose]()
    },
  }
}

describe.concurrent("a tool that runs as a task only", () => {
  test("is called like any other, and from the second time on without being refused first", async () => {
    await using it = await start()
    expect(await it.call("slow", { a: 1 })).toEqual({ a: 1 })
    expect(await it.call("slow", { a: 2 })).toEqual({ a: 2 })
    expect(it.notes()).toEqual([
      "call slow",
      "call slow as a task",
      "result task-0",
      "call slow as a task",
      "result task-1",
    ])
  })

  test("gives its result untouched where that is asked for", async () => {
    await using it = await start()
    expect(await it.call("slow", { a: 1 }, { raw: true })).toEqual({ content: [{ type: "text", text: '{"a":1}' }] })
  })

  test("tells how far it has come", async () => {
    await using it = await start()
    const seen: unknown[] = []
    await it.call("slow", {}, { onProgress: (progress: unknown) => void seen.push(progress) })
    expect(seen).toEqual([{ progress: 1, total: 2 }])
  })

  test("can fail", async () => {
    await using it = await start()
    const error = await failureOf(it.call("fails"))
    expect(error).toMatchObject({ name: "ToolError", code: "E_TOOL_FAILED", tool: "fails", message: "it went wrong" })
  })

  test("is cancelled when it takes too long, and when nobody waits for it", async () => {
    await using it = await start()
    const late = await failureOf(it.call("endless", {}, { timeoutMs: 3000 }))
    expect(late).toMatchObject({
      code: "E_TOOL_TIMEOUT",
      message: "Server 'one' did not finish the call of 'endless' within 3 s",
    })
    await eventually(() => it.notes().includes("cancel task-0"))
    const controller = new AbortController()
    const given = failureOf(it.call("endless", {}, { signal: controller.signal }))
    await eventually(() => it.notes().includes("result task-1"))
    controller.abort()
    expect((await given).code).toBe("E_TOOL_CANCELLED")
    await eventually(() => it.notes().includes("cancel task-1"))
  })

  test("is an error when the server makes no task of it", async () => {
    await using it = await start()
    expect(await failureOf(it.call("odd"))).toMatchObject({
      code: "E_SERVER_PROTOCOL",
      message: "Server 'one' answered the call of 'odd' without a task",
    })
  })

  test("may ask the user something on the way, as the everything server does", async () => {
    const asked: ElicitRequest[] = []
    const elicit = async (request: ElicitRequest) => {
      asked.push(request)
      return { action: "accept" as const, content: { interpretation: "technical" } }
    }
    const all = packageServer("@modelcontextprotocol/server-everything/dist/index.js", "stdio")
    await using manager = await startManager({ all }, { elicit })
    const report = await manager.callTool("all", "simulate-research-query", { topic: "python", ambiguous: true })
    expect(report).toStartWith("# Research Report: python (technical)")
    expect(asked).toHaveLength(1)
  })
})

test("other tools of such a server are not called as tasks, and never twice", async () => {
  await using it = await start()
  expect(await it.call("plain")).toBe("plain")
  expect(await it.call("both")).toBe("both")
  expect((await failureOf(it.call("plain", { fail: true }))).code).toBe("E_TOOL_FAILED")
  expect((await failureOf(it.call("both", { fail: true }))).code).toBe("E_TOOL_FAILED")
  expect(it.notes()).toEqual(["call plain", "call both", "call plain", "call both"])
})
