import { describe, expect, test } from "bun:test"
import { homedir } from "node:os"
import { pathToFileURL } from "node:url"
import type { ElicitRequest, LogEntry } from "../../src/mcp/manager.ts"
import { fixtureServer, placeholder } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { failureOf, startManager, temporaryDirectory } from "./manager-fixture.ts"

describe.concurrent("progress and logs", () => {
  test("progress reaches the caller, also when it comes with the result", async () => {
    await using manager = await startManager({ talkative: fixtureServer("talkative") })
    const seen: object[] = []
    const onProgress = (progress: object) => void seen.push(progress)
    expect(await manager.callTool("talkative", "work", { steps: 4 }, { onProgress })).toBe("done")
    expect(seen).toEqual([1, 2, 3, 4].map((progress) => ({ progress, total: 4, message: `step ${progress}` })))
  })

  test("each call gets its own progress", async () => {
    await using manager = await startManager({ talkative: fixtureServer("talkative") })
    const counts = [1, 2, 3, 4, 5]
    const seen = await Promise.all(
      counts.map(async (steps) => {
        let progressed = 0
        await manager.callTool("talkative", "work", { steps }, { onProgress: () => void progressed++ })
        return progressed
      }),
    )
    expect(seen).toEqual(counts)
  })

  test("without a listener no progress is asked for", async () => {
    await using manager = await startManager({ talkative: fixtureServer("talkative") })
    expect(await manager.callTool("talkative", "work", {})).toBe("no token")
  })

  test("a listener that throws does not fail the call", async () => {
    await using manager = await startManager({ talkative: fixtureServer("talkative") })
    const onProgress = () => {
      throw new Error("not now")
    }
    expect(await manager.callTool("talkative", "work", {}, { onProgress })).toBe("done")
  })

  test("log messages reach the manager's log with their level and logger", async () => {
    const log: LogEntry[] = []
    await using manager = await startManager(
      { talkative: fixtureServer("talkative") },
      { onLog: (entry) => log.push(entry) },
    )
    await manager.callTool("talkative", "work", { steps: 0 })
    expect(log).toEqual([
      { server: "talkative", level: "warning", message: "worker: nearly done" },
      { server: "talkative", level: "error", message: '{"code":7}' },
    ])
  })
})

describe.concurrent("what servers ask for", () => {
  const form = {
    message: "Which branch?",
    requestedSchema: { type: "object", properties: { branch: { type: "string" } }, required: ["branch"] },
  }

  test("roots and elicitation are declared, sampling is not", async () => {
    await using manager = await startManager({ asks: fixtureServer("asks") })
    expect(await manager.callTool("asks", "capabilities", {})).toEqual({
      roots: {},
      elicitation: { form: {}, url: {} },
    })
  })

  test("a question is put to the user", async () => {
    const asked: ElicitRequest[] = []
    const elicit = async (request: ElicitRequest) => {
      asked.push(request)
      return { action: "accept" as const, content: { branch: "main" } }
    }
    await using manager = await startManager({ asks: fixtureServer("asks") }, { elicit })
    const answer = await manager.callTool("asks", "ask", { method: "elicitation/create", params: form })
    expect(answer).toEqual({ result: { action: "accept", content: { branch: "main" } } })
    expect(asked).toEqual([{ server: "asks", mode: "form", ...form }])
  })

  test("a request to visit a URL is put to the user", async () => {
    const asked: ElicitRequest[] = []
    const elicit = async (request: ElicitRequest) => {
      asked.push(request)
      return { action: "accept" as const }
    }
    await using manager = await startManager({ asks: fixtureServer("asks") }, { elicit })
    const params = { mode: "url", message: "Sign in", url: "https://example.com/auth", elicitationId: "1" }
    expect(await manager.callTool("asks", "ask", { method: "elicitation/create", params })).toEqual({
      result: { action: "accept" },
    })
    expect(asked).toEqual([{ server: "asks", message: "Sign in", mode: "url", url: "https://example.com/auth" }])
  })

  test("a question is declined when there is nobody to ask, and cancelled when asking fails", async () => {
    const ask = { method: "elicitation/create", params: form }
    await using alone = await startManager({ asks: fixtureServer("asks") })
    expect(await alone.callTool("asks", "ask", ask)).toEqual({ result: { action: "decline" } })
    const elicit = () => Promise.reject(new Error("the terminal is gone"))
    await using broken = await startManager({ asks: fixtureServer("asks") }, { elicit })
    expect(await broken.callTool("asks", "ask", ask)).toEqual({ result: { action: "cancel" } })
  })

  test("a question is taken back when its server dies, and the call fails at once", async () => {
    const asked = Promise.withResolvers<AbortSignal | undefined>()
    const elicit = (_: ElicitRequest, signal?: AbortSignal) => {
      asked.resolve(signal)
      return new Promise<never>(() => {})
    }
    await using manager = await startManager({ asks: fixtureServer("asks") }, { elicit })
    const pid = await manager.callTool("asks", "pid", {})
    const call = failureOf(manager.callTool("asks", "ask", { method: "elicitation/create", params: form }))
    const signal = await asked.promise
    expect(signal?.aborted).toBe(false)
    process.kill(Number(pid), "SIGKILL")
    expect(await call).toMatchObject({ code: "E_SERVER_CLOSED" })
    expect(signal?.aborted).toBe(true)
  })

  test("a question is taken back when its server says so", async () => {
    const asked = Promise.withResolvers<AbortSignal | undefined>()
    const elicit = (_: ElicitRequest, signal?: AbortSignal) => {
      asked.resolve(signal)
      return new Promise<never>(() => {})
    }
    await using manager = await startManager({ asks: fixtureServer("asks") }, { elicit })
    const call = manager.callTool("asks", "change-its-mind", { method: "elicitation/create", params: form })
    const signal = await asked.promise
    expect(await call).toBe("never mind")
    await eventually(() => signal?.aborted === true)
  })

  test("the time that the user takes to answer does not count", async () => {
    const elicit = async () => {
      await Bun.sleep(4000)
      return { action: "decline" as const }
    }
    await using manager = await startManager({ asks: fixtureServer("asks"), hang: fixtureServer("hang") }, { elicit })
    const ask = { method: "elicitation/create", params: form }
    expect(await manager.callTool("asks", "ask", ask, { timeoutMs: 3000 })).toEqual({ result: { action: "decline" } })
    const hanging = manager.callTool("hang", "hang", {}, { timeoutMs: 200 })
    expect((await failureOf(hanging)).code).toBe("E_TOOL_TIMEOUT")
    const cancelled = manager.callTool("hang", "hang", {}, { signal: AbortSignal.timeout(100) })
    expect((await failureOf(cancelled)).code).toBe("E_TOOL_CANCELLED")
  })

  test("sampling is declined with a clear error", async () => {
    await using manager = await startManager({ asks: fixtureServer("asks") })
    const params = { messages: [{ role: "user", content: { type: "text", text: "hi" } }], maxTokens: 10 }
    expect(await manager.callTool("asks", "ask", { method: "sampling/createMessage", params })).toEqual({
      error: {
        code: -32601,
        message: "Sampling is declined: mcp-exec has no model to sample from, and did not declare the capability",
      },
    })
    expect(await manager.callTool("asks", "ask", { method: "made/up" })).toMatchObject({ error: { code: -32601 } })
    expect(await manager.callTool("asks", "ask", { method: "ping" })).toEqual({ result: {} })
  })
})

describe.concurrent("roots", () => {
  const rootsOf = async (manager: Awaited<ReturnType<typeof startManager>>) => {
    const { result } = (await manager.callTool("asks", "ask", { method: "roots/list" })) as {
      result: { roots: unknown[] }
    }
    return result.roots
  }
  const root = (path: string, name: string) => ({ uri: pathToFileURL(path).href, name })

  test("are the workspace when nothing else is said", async () => {
    await using manager = await startManager({ asks: fixtureServer("asks") }, { workspace: "/somewhere/my work" })
    expect(await rootsOf(manager)).toEqual([root("/somewhere/my work", "my work")])
  })

  test("are the directories that the arguments name", async () => {
    using directory = temporaryDirectory()
    await Bun.write(`${directory.path}/docs/file.txt`, "")
    await using manager = await startManager(
      { asks: fixtureServer("asks", "docs", "docs/file.txt", "--flag", "", "missing", placeholder("ALSO")) },
      { directory: directory.path, env: { PATH: process.env.PATH, ALSO: directory.path } },
    )
    expect(await rootsOf(manager)).toEqual([
      root(`${directory.path}/docs`, "docs"),
      root(directory.path, directory.path.split("/").at(-1) as string),
    ])
  })

  test("are what the config says, whether it exists or not", async () => {
    using directory = temporaryDirectory()
    const server = { ...fixtureServer("asks", "/tmp"), roots: ["sub", "/absolute", "~/home"] }
    await using manager = await startManager({ asks: server }, { directory: directory.path })
    expect(await rootsOf(manager)).toEqual([
      root(`${directory.path}/sub`, "sub"),
      root("/absolute", "absolute"),
      root(`${homedir()}/home`, "home"),
    ])
  })
})

describe.concurrent("resources and prompts", () => {
  test("are listed, read and filled in", async () => {
    await using manager = await startManager({ catalog: fixtureServer("catalog") })
    expect(await manager.listResources("catalog")).toEqual([
      { uri: "memo://one", name: "One" },
      { uri: "memo://two", name: "memo://two", mimeType: "text/plain" },
    ])
    expect(await manager.listResourceTemplates("catalog")).toEqual([{ uriTemplate: "memo://{id}", name: "Memo" }])
    expect(await manager.readResource("catalog", "memo://one")).toEqual({
      contents: [{ uri: "memo://one", text: "text of memo://one" }],
    })
    expect(await manager.listPrompts("catalog")).toEqual([
      { name: "greet", arguments: [{ name: "who", required: true }] },
    ])
    expect(await manager.getPrompt("catalog", "greet", { who: "you" })).toEqual({
      messages: [{ role: "user", content: { type: "text", text: "greet you" } }],
    })
    expect(await manager.describeServer("catalog")).toEqual({
      name: "catalog",
      title: "fixture",
      version: "1",
      instructions: "Read first.",
      protocolVersion: "2025-06-18",
      capabilities: { resources: {}, prompts: {} },
    })
  })

  test("fail with an error of the server", async () => {
    await using manager = await startManager({ echo: fixtureServer("echo") })
    expect(await failureOf(manager.readResource("echo", "memo://x"))).toMatchObject({
      name: "ServerError",
      code: "E_SERVER_PROTOCOL",
      server: "echo",
      message: "Server 'echo' refused reading 'memo://x': no method resources/read (-32601)",
    })
  })
})
