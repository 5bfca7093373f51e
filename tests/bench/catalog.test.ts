import { describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fullSize, makeServers, supplyTools } from "../../bench/catalog.ts"

const madeUp = supplyTools(undefined)

describe("servers for a benchmark", () => {
  test.each([100, 2_250, fullSize.tools])("have %d tools in all, each name once on its server", (toolCount) => {
    const servers = makeServers(madeUp, toolCount)
    expect(servers.flatMap(({ tools }) => tools)).toHaveLength(toolCount)
    for (const { tools } of servers) expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
  })

  test("are as many as were captured at once", () => {
    expect(makeServers(madeUp, fullSize.tools)).toHaveLength(fullSize.servers)
  })

  test("say when their tools are made up", () => {
    expect(madeUp.origin).toBe("tools are made up")
  })

  test("are made of all captured tools, and say how many those are", () => {
    const directory = mkdtempSync(join(tmpdir(), "bench-test-"))
    try {
      const tool = (name: string) => ({ name, inputSchema: { type: "object" } })
      writeFileSync(join(directory, "a.json"), JSON.stringify({ tools: [tool("one"), tool("two")] }))
      writeFileSync(join(directory, "b.json"), JSON.stringify({ tools: [tool("three")] }))
      writeFileSync(join(directory, "README.md"), "not a capture")
      const supply = supplyTools(directory)
      expect(supply.tools.map(({ name }) => name).sort()).toEqual(["one", "three", "two"])
      expect(supply.origin).toBe("tools are 3 captured from 2 real servers, repeated under other names")
      const names = makeServers(supply, 100).flatMap(({ tools }) => tools.map(({ name }) => name))
      expect(names.slice(0, 3).sort()).toEqual(["one", "three", "two"])
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })

  test("cannot be made of a directory without captures", () => {
    expect(() => supplyTools(import.meta.dir)).toThrow("CAPTURES names a directory without a *.json that has tools")
  })
})
