import { describe, expect, setDefaultTimeout, test } from "bun:test"
import type { LogEntry } from "../../src/mcp/manager.ts"
import { parseMessages } from "../../src/mcp/parse-message.ts"
import { TailBuffer } from "../../src/mcp/tail-buffer.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { failureOf, startManager } from "./manager-fixture.ts"

setDefaultTimeout(120_000)

describe.concurrent("what is not a message", () => {
  test("junk and blank lines are skipped, and told to those who debug", async () => {
    const log: LogEntry[] = []
    await using manager = await startManager({ junk: fixtureServer("junk") }, { onLog: (entry) => log.push(entry) })
    expect(await manager.callTool("junk", "noisy", {})).toBe("made it")
    expect(log[0]).toEqual({
      server: "junk",
      level: "debug",
      message: "printed a line that is not a message: Welcome to the junk server 1.0!",
    })
    expect(log.map(({ message }) => message).join("\n")).toContain("left-pad")
  })

  test("a message that comes byte by byte is put together", async () => {
    await using manager = await startManager({ junk: fixtureServer("junk") })
    expect(await manager.callTool("junk", "split", {})).toBe("ünïcödé ✓")
  })

  for (const tool of ["no-result", "text-result", "odd-error"]) {
    test(`a broken reply (${tool}) fails its call at once`, async () => {
      await using manager = await startManager({ junk: fixtureServer("junk") }, { callTimeoutMs: 10_000 })
      const error = await failureOf(manager.callTool("junk", tool, {}))
      expect(error).toMatchObject({ name: "ToolError", code: "E_SERVER_PROTOCOL", server: "junk", tool })
    })
  }

  test("a result beside an empty error, without a version, is a result", async () => {
    await using manager = await startManager({ junk: fixtureServer("junk") })
    expect(await manager.callTool("junk", "null-error", {})).toEqual({ ok: true })
  })

  test("a reply to a question nobody asked is ignored", async () => {
    await using manager = await startManager({ junk: fixtureServer("junk") })
    const error = await failureOf(manager.callTool("junk", "wrong-id", {}, { timeoutMs: 200 }))
    expect(error.code).toBe("E_TOOL_TIMEOUT")
    expect(await manager.callTool("junk", "noisy", {})).toBe("made it")
  })

  const cases: [line: string, messages: number | undefined][] = [
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 1],
    ['{"method":"notifications/x"}', 1],
    ['[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]', 2],
    ["[]", undefined],
    ["[1]", undefined],
    ['"text"', undefined],
    ["true", undefined],
    ['{"id":null,"error":{"code":-32700,"message":"parse error"}}', undefined],
    ["{", undefined],
  ]
  for (const [line, count] of cases) {
    test(`${line} holds ${count ?? "no"} messages`, () => expect(parseMessages(line)?.length).toBe(count as number))
  }
})

describe.concurrent("calls that a server refuses", () => {
  const codes: [rpc: number, code: string][] = [
    [-32602, "E_TOOL_ARGUMENTS"],
    [-32601, "E_SERVER_PROTOCOL"],
    [-32603, "E_SERVER_PROTOCOL"],
    [-32000, "E_SERVER_PROTOCOL"],
    [7, "E_SERVER_PROTOCOL"],
  ]
  for (const [rpc, code] of codes) {
    test(`with ${rpc} are ${code}, and the connection stays`, async () => {
      await using manager = await startManager({ echo: fixtureServer("echo") })
      const pid = await manager.callTool("echo", "pid", {})
      const error = await failureOf(manager.callTool("echo", "refuse", { code: rpc }))
      expect(error).toMatchObject({ name: "ToolError", code, server: "echo", tool: "refuse", details: { code: rpc } })
      expect(error.message).toBe(`Server 'echo' refused the call of 'refuse': not like this (${rpc})`)
      expect(await manager.callTool("echo", "pid", {})).toBe(pid)
    })
  }
})

describe.concurrent("arguments that are no JSON", () => {
  test("are refused without a word to the server", async () => {
    await using manager = await startManager({ echo: fixtureServer("echo") })
    const pid = await manager.callTool("echo", "pid", {})
    const circular: Record<string, unknown> = {}
    circular.self = circular
    for (const args of [circular, { big: 10n }]) {
      expect(await failureOf(manager.callTool("echo", "echo", args))).toMatchObject({
        name: "ToolError",
        code: "E_TOOL_ARGUMENTS",
        message: "The arguments of the call of 'echo' cannot be written as JSON",
      })
    }
    expect(await manager.callTool("echo", "pid", {})).toBe(pid)
  })
})

describe.concurrent("large messages", () => {
  test("a result of 100 MB arrives whole", async () => {
    await using manager = await startManager({ big: fixtureServer("big") })
    const bytes = 100 * 1024 * 1024
    const result = (await manager.callTool("big", "big", { bytes })) as string
    expect(result.length).toBe(bytes)
    expect(result.endsWith("xxx")).toBe(true)
  }, 120_000)

  test("arguments of 20 MB arrive whole", async () => {
    await using manager = await startManager({ big: fixtureServer("big") })
    expect(await manager.callTool("big", "size", { value: "y".repeat(20 * 1024 * 1024) })).toBe(20 * 1024 * 1024)
  }, 120_000)

  test("of a flood on stderr the end is kept", () => {
    const tail = new TailBuffer(100)
    const encode = (text: string) => new TextEncoder().encode(text)
    for (let line = 0; line < 1000; line++) tail.push(encode(`line ${line}\n`))
    expect(tail.text().length).toBe(100)
    expect(tail.text().endsWith("line 998\nline 999\n")).toBe(true)
    tail.push(encode("x".repeat(1000)))
    expect(tail.text()).toBe("x".repeat(100))
  })
})

describe.concurrent("calls that take too long", () => {
  test("time out with the call's own limit, and the server is told", async () => {
    await using manager = await startManager({ hang: fixtureServer("hang") })
    const error = await failureOf(manager.callTool("hang", "hang", {}, { timeoutMs: 150 }))
    expect(error).toMatchObject({ name: "ToolError", code: "E_TOOL_TIMEOUT", server: "hang", tool: "hang" })
    expect(error.message).toBe("Server 'hang' did not finish the call of 'hang' within 150 ms")
    expect(error.hint).toContain("`timeout`")
    await eventually(async () => {
      const { hanging, cancelled } = (await manager.callTool("hang", "state", {})) as Record<string, unknown[]>
      return hanging?.length === 1 && cancelled?.[0] === hanging[0]
    })
  })

  test("time out with the server's limit, which wins over the manager's", async () => {
    await using manager = await startManager(
      { hang: { ...fixtureServer("hang"), timeout: 1000 } },
      { callTimeoutMs: 60_000 },
    )
    expect((await failureOf(manager.callTool("hang", "hang", {}))).message).toContain("within 1 s")
  })

  test("time out with the manager's limit", async () => {
    await using manager = await startManager({ hang: fixtureServer("hang") }, { callTimeoutMs: 100 })
    expect((await failureOf(manager.callTool("hang", "hang", {}))).message).toContain("within 100 ms")
  })

  test("do not time out at once when the limit is longer than a timer can be", async () => {
    await using manager = await startManager({ echo: fixtureServer("echo") })
    const call = (timeoutMs: number) => manager.callTool("echo", "wait", { ms: 50 }, { timeoutMs })
    expect(await Promise.all([call(1e12), call(Number.POSITIVE_INFINITY)])).toEqual(["waited", "waited"])
  })

  test("are cancelled by their signal, and the server is told", async () => {
    await using manager = await startManager({ hang: fixtureServer("hang") })
    await manager.callTool("hang", "state", {})
    const controller = new AbortController()
    const call = failureOf(manager.callTool("hang", "hang", {}, { signal: controller.signal }))
    await Bun.sleep(50)
    controller.abort()
    expect(await call).toMatchObject({ name: "ToolError", code: "E_TOOL_CANCELLED", tool: "hang" })
    await eventually(async () => {
      const { cancelled } = (await manager.callTool("hang", "state", {})) as Record<string, unknown[]>
      return cancelled?.length === 1
    })
  })

  test("are cancelled before they begin, and while the server is starting", async () => {
    await using manager = await startManager({ slow: fixtureServer("slow-start", "600") })
    const aborted = await failureOf(manager.callTool("slow", "pid", {}, { signal: AbortSignal.abort() }))
    expect(aborted.code).toBe("E_TOOL_CANCELLED")
    const waiting = failureOf(manager.callTool("slow", "pid", {}, { signal: AbortSignal.timeout(100) }))
    const patient = manager.callTool("slow", "pid", {})
    const first = await Promise.race([waiting.then(({ code }) => code), patient])
    expect(first).toBe("E_TOOL_CANCELLED")
    expect(await patient).toBeNumber()
  })

  test("have failed when they have, though the list of tools that could explain it does not come", async () => {
    await using manager = await startManager({ hang: fixtureServer("hang", "list") })
    await manager.callTool("hang", "state", {})
    const started = performance.now()
    const failed = failureOf(manager.callTool("hang", "fail", {}))
    const controller = new AbortController()
    const cancelled = failureOf(manager.callTool("hang", "fail", {}, { signal: controller.signal }))
    // By then it has failed, and what is awaited is the list: its call can no longer be cancelled.
    await eventually(async () => {
      const { failed: times } = (await manager.callTool("hang", "state", {})) as { failed: number }
      return times === 2
    })
    controller.abort()
    expect([await cancelled, await failed]).toMatchObject(Array(2).fill({ code: "E_TOOL_FAILED", message: "no luck" }))
    // The list itself would be awaited for thirty seconds.
    expect(performance.now() - started).toBeLessThan(15_000)
  })

  test("do not stop other calls", async () => {
    await using manager = await startManager({ hang: fixtureServer("hang") })
    const hanging = failureOf(manager.callTool("hang", "hang", {}, { timeoutMs: 500 }))
    expect(await manager.callTool("hang", "state", {})).toMatchObject({ cancelled: [] })
    await hanging
  })
})
