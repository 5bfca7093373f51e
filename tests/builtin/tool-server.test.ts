import { expect, test } from "bun:test"
import { Client, InMemoryTransport } from "@modelcontextprotocol/client"
import { type BuiltinTool, serveTools } from "../../src/builtin/tool-server.ts"
import { version } from "../../src/version.ts"
import { connectBuiltin, connectInProcess, type RpcClient } from "./rpc.ts"

test("the SDK's own client shakes hands, lists, calls and pings", async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await serveTools("sample", [tool("greet", ({ who }) => `hello ${who}`)], theirs)
  const client = new Client({ name: "test", version: "1" })
  await client.connect(ours)
  expect(client.getServerVersion()).toEqual({ name: "mcp-exec-sample", version })
  expect(client.getServerCapabilities()).toEqual({ tools: {} })
  expect((await client.listTools()).tools).toMatchObject([{ name: "greet", inputSchema: { type: "object" } }])
  expect(await client.callTool({ name: "greet", arguments: { who: "you" } })).toMatchObject({
    content: [{ type: "text", text: "hello you" }],
  })
  expect(await client.ping()).toEqual({})
  await client.close()
})

test("the revision is the one that was asked for, or else the newest", async () => {
  await using client = await connectBuiltin("echo")
  const answers = ["2024-11-05", "2025-06-18", "2099-01-01", undefined].map(async (protocolVersion) => {
    const { result } = await client.request("initialize", { protocolVersion })
    return (result as { protocolVersion: string }).protocolVersion
  })
  expect(await Promise.all(answers)).toEqual(["2024-11-05", "2025-06-18", "2025-11-25", "2025-11-25"])
})

test("what is not known is refused, and what is not a request is ignored", async () => {
  await using client = await connectBuiltin("echo")
  client.notify("notifications/made-up")
  client.notify("notifications/cancelled", { requestId: 99 })
  client.notify("notifications/cancelled")
  expect((await client.request("resources/list")).error).toEqual({
    code: -32601,
    message: "Method not found: resources/list",
  })
  expect((await client.request("tools/call")).error).toEqual({ code: -32602, message: "Unknown tool: undefined" })
  expect((await client.request("tools/call", { name: "echo" })).result).toMatchObject({ structuredContent: {} })
})

test("a tool that throws fails its call, and no other", async () => {
  await using client = await connect([
    tool("broken", () => {
      throw new Error("the tool is broken")
    }),
    tool("rejecting", () => Promise.reject("no reason")),
    tool("good", () => "fine"),
  ])
  const [broken, rejecting, good] = await Promise.all(
    ["broken", "rejecting", "good"].map((name) => client.request("tools/call", { name })),
  )
  expect(broken?.error).toEqual({ code: -32603, message: "the tool is broken" })
  expect(rejecting?.error).toEqual({ code: -32603, message: "no reason" })
  expect(good?.error).toBeUndefined()
})

test("closing the connection cancels what is running", async () => {
  const signals: AbortSignal[] = []
  const client = await connect([
    {
      ...tool("wait", () => ""),
      call: (_args, { signal }) => {
        signals.push(signal)
        return new Promise(() => {})
      },
    },
  ])
  void client.request("tools/call", { name: "wait" })
  await Bun.sleep(1)
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  await client[Symbol.asyncDispose]()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test("a tool that asks late whether it was cancelled learns that it was", async () => {
  let aborted: boolean | undefined
  await using client = await connect([
    {
      ...tool("late", () => ""),
      async call(_args, context) {
        await Bun.sleep(5)
        aborted = context.signal.aborted
        return { content: [] }
      },
    },
  ])
  const { id } = client.request("tools/call", { name: "late" })
  client.notify("notifications/cancelled", { requestId: id })
  await Bun.sleep(30)
  expect(aborted).toBe(true)
})

function tool(name: string, say: (args: Record<string, unknown>) => string | Promise<string>): BuiltinTool {
  return {
    name,
    description: "",
    inputSchema: { type: "object" },
    async call(args) {
      return { content: [{ type: "text", text: await say(args) }] }
    },
  }
}

function connect(tools: BuiltinTool[]): Promise<RpcClient> {
  return connectInProcess((transport) => serveTools("sample", tools, transport))
}
