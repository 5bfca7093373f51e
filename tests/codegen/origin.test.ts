import { expect, test } from "bun:test"
import type { Server, Tool } from "../../src/catalog.ts"
import { offerHash, originOf } from "../../src/codegen/origin.ts"

const first: Tool = { name: "first", description: "One", inputSchema: { type: "object" } }
const second: Tool = { name: "second", description: "", inputSchema: {}, title: "Two", annotations: { title: "2" } }
const server: Server = { name: "s", tools: [first, second] }

test("what is remembered of the tools is what a later look at them alone gives", () => {
  for (const tools of [[], [first], [second, first], [first, first], [first, { ...first }]]) {
    expect(originOf({ ...server, tools }).offer).toBe(offerHash(tools))
  }
})

test("neither hash depends on the order of the tools", () => {
  expect(originOf({ ...server, tools: [second, first] })).toEqual(originOf(server))
})

test("the hash changes with whatever the files depend on, that of the offer with the tools alone", () => {
  const { hash, offer } = originOf(server)
  const others: Record<string, Server> = {
    name: { ...server, name: "t" },
    description: { ...server, description: "About" },
    version: { ...server, version: "2" },
    prompts: { ...server, prompts: [{ name: "ask" }] },
    resources: { ...server, resources: [{ uri: "a:b", name: "b" }] },
  }
  for (const [what, other] of Object.entries(others)) {
    expect([what, originOf(other).hash === hash, originOf(other).offer]).toEqual([what, false, offer])
  }
  expect(originOf(server, new Set(["first"])).hash).not.toBe(hash)
  expect(originOf(server, new Set(["second"])).hash).not.toBe(originOf(server, new Set(["first"])).hash)
  const changed = originOf({ ...server, tools: [{ ...first, description: "Uno" }, second] })
  expect([changed.hash === hash, changed.offer === offer]).toEqual([false, false])
})
