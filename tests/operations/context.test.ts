import { describe, expect, test } from "bun:test"
import { callTool } from "../../src/operations/call-tool.ts"
import { createContext, type LogLevel } from "../../src/operations/context.ts"
import { cacheDirectory } from "../../src/platform/directories.ts"
import { createFolder, type Folder } from "../cli/captured-io.ts"
import { echo, official } from "../cli/servers-config.ts"

function contextIn(folder: Folder, options: { configFlag?: string; signal?: AbortSignal } = {}) {
  const logged: [LogLevel, string][] = []
  const env = { PATH: process.env.PATH, HOME: folder.path }
  const context = createContext({
    cwd: folder.path,
    env,
    log: (level, message) => void logged.push([level, message]),
    ...options,
  })
  return { context, logged, env }
}

describe("a context", () => {
  test("that was never used can be disposed", async () => {
    await using folder = await createFolder()
    await contextIn(folder).context[Symbol.asyncDispose]()
  })

  test("finds and reads the configuration once, and logs its warnings once", async () => {
    await using folder = await createFolder({ echo: { ...echo, descripton: "typo" } })
    const { context, logged } = contextIn(folder)
    await using _ = context
    expect(await context.configFile()).toBe(`${folder.path}/mcp_config.json`)
    const [first, second] = await Promise.all([context.config(), context.config()])
    expect(first).toBe(second)
    await context.manager()
    expect(logged).toHaveLength(1)
    expect(logged[0]?.[0]).toBe("warning")
  })

  test("has one manager, initialized and connected to nothing", async () => {
    await using folder = await createFolder({ echo })
    const { context } = contextIn(folder)
    const [first, second] = await Promise.all([context.manager(), context.manager()])
    expect(first).toBe(second)
    expect(first.state).toBe("initialized")
    await context[Symbol.asyncDispose]()
    expect(first.state).toBe("closed")
  })

  test("works without a configuration", async () => {
    await using folder = await createFolder()
    const { context, env } = contextIn(folder)
    await using _ = context
    expect(await context.configFile()).toBeUndefined()
    expect((await context.manager()).listServers()).toEqual([])
    expect(context.cacheDirectory).toBe(cacheDirectory(env))
  })

  test("fails when the named configuration is not there, each time it is asked", async () => {
    await using folder = await createFolder()
    const { context } = contextIn(folder, { configFlag: "none.json" })
    await using _ = context
    for (const ask of ["configFile", "config", "manager"] as const) {
      await expect(context[ask]()).rejects.toMatchObject({ code: "E_CONFIG_NOT_FOUND" })
    }
  })
})

describe("callTool", () => {
  test("gives server, tool and value", async () => {
    await using folder = await createFolder({ echo })
    const { context } = contextIn(folder)
    await using _ = context
    const pairs = [{ key: "a", text: "1" }]
    expect(await callTool(context, { target: "echo.add", args: { b: 2 }, pairs, raw: false })).toEqual({
      server: "echo",
      tool: "add",
      value: { sum: 3 },
    })
  })

  test("ends when the context's signal says so", async () => {
    await using folder = await createFolder({ echo })
    const controller = new AbortController()
    const { context } = contextIn(folder, { signal: controller.signal })
    await using _ = context
    const call = callTool(context, { target: "echo.sleep", args: { ms: 20_000 }, pairs: [], raw: false })
    setTimeout(() => controller.abort(), 100)
    await expect(call).rejects.toMatchObject({ code: "E_TOOL_CANCELLED" })
  })

  test("reports progress to the context", async () => {
    await using folder = await createFolder({ everything: official("everything") })
    const seen: number[] = []
    await using context = createContext({
      cwd: folder.path,
      env: { PATH: process.env.PATH },
      log: () => {},
      onProgress: ({ progress }) => void seen.push(progress),
    })
    const args = { duration: 0.2, steps: 2 }
    await callTool(context, { target: "everything.trigger-long-running-operation", args, pairs: [], raw: false })
    expect(seen).toEqual([1, 2])
  })
})
