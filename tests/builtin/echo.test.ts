import { expect, test } from "bun:test"
import { connectBuiltin, textOf } from "./rpc.ts"

test("echo returns any object as structured content and as text", async () => {
  await using client = await connectBuiltin("echo")
  const args = { text: "ü", nested: { list: [1, null, "x"] } }
  const result = await client.call("echo", args)
  expect(result.structuredContent).toEqual(args)
  expect(JSON.parse(textOf(result))).toEqual(args)
  expect((await client.call("echo")).structuredContent).toEqual({})
})

test("add sums two numbers and says what is wrong with anything else", async () => {
  await using client = await connectBuiltin("echo")
  expect((await client.call("add", { a: 1, b: 2.5 })).structuredContent).toEqual({ sum: 3.5 })
  expect(await client.call("add", { a: 1, b: "2" })).toEqual({
    isError: true,
    content: [{ type: "text", text: "a and b must be numbers" }],
  })
})

test("fail is an error result with the message it was given", async () => {
  await using client = await connectBuiltin("echo")
  expect(await client.call("fail", { message: "as asked" })).toEqual({
    isError: true,
    content: [{ type: "text", text: "as asked" }],
  })
})

test("sleep answers after its time, and a cancelled one never answers", async () => {
  await using client = await connectBuiltin("echo")
  expect((await client.call("sleep", { ms: 5 })).structuredContent).toEqual({ ms: 5 })
  const long = client.request("tools/call", { name: "sleep", arguments: { ms: 20 } })
  client.notify("notifications/cancelled", { requestId: long.id, reason: "enough" })
  const first = await Promise.race([long.then(() => "answered"), client.call("sleep", { ms: 60 }).then(() => "silent")])
  expect(first).toBe("silent")
  expect((await client.call("sleep", { ms: -1 })).isError).toBe(true)
})

test("the list shows schemas and hints, and an unknown tool is a protocol error", async () => {
  await using client = await connectBuiltin("echo")
  const { result } = await client.request("tools/list")
  const { tools } = result as { tools: { name: string; annotations: object; call?: unknown }[] }
  expect(tools.map((tool) => tool.name)).toEqual(["echo", "add", "fail", "sleep"])
  for (const tool of tools) expect(tool.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false })
  const { error } = await client.request("tools/call", { name: "nothing", arguments: {} })
  expect(error).toEqual({ code: -32602, message: "Unknown tool: nothing" })
})

test("ten thousand calls, a hundred at a time, are all answered", async () => {
  await using client = await connectBuiltin("echo")
  let left = 10_000
  const answers: unknown[] = []
  const worker = async () => {
    while (left-- > 0) answers.push((await client.call("echo", { left })).structuredContent)
  }
  await Promise.all(Array.from({ length: 100 }, worker))
  expect(new Set(answers.map((answer) => (answer as { left: number }).left)).size).toBe(10_000)
})
