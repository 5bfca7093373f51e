import { afterAll, describe, expect, test } from "bun:test"
import { packageServer } from "../fixtures/config.ts"
import { shippedSkill } from "./shipped.ts"

const skill = shippedSkill("tool-report", {
  servers: {
    echo: { type: "builtin", name: "echo" },
    everything: packageServer("@modelcontextprotocol/server-everything/dist/index.js", "stdio"),
    gone: { command: "/nowhere/server" },
    off: { command: "/nowhere/server", disabled: true },
  },
})
afterAll(() => skill[Symbol.dispose]())

describe("tool-report", () => {
  test("has a line for each server, the heaviest first, and their sum", async () => {
    const { code, stdout, stderr } = await skill.run()
    expect(code).toBe(0)
    const [head, rule, ...rows] = stdout.trimEnd().split("\n").map(cells)
    expect([head, rule]).toEqual([
      ["server", "tools", "tokens (estimated)", "typed results"],
      ["---", "---", "---", "---"],
    ])
    expect(rows.map(([name]) => name)).toEqual(["everything", "echo", "gone", "**all**"])
    const [everything, echo, gone, all] = rows.map((row) => row.slice(1))
    expect([echo?.[0], gone?.[0]]).toEqual(["4", "cannot be reached"])
    for (const column of [0, 1])
      expect(Number(all?.[column])).toBe(Number(everything?.[column]) + Number(echo?.[column]))
    expect(Number(everything?.[1])).toBeGreaterThan(100)
    expect(everything?.[2]).toMatch(/^[1-9]\d* of \d+$/)
    expect(stderr).toContain("[WARNING] gone: ")
  })

  test("has a line for each tool if asked", async () => {
    const { stdout } = await skill.run("--only=echo", "--by=tool")
    const names = stdout.split("\n").map((line) => cells(line)[0])
    expect(names.slice(2, 6).sort()).toEqual(["echo.add", "echo.echo", "echo.fail", "echo.sleep"])
  })

  test("fails for a server that is not there", async () => {
    const { code, stderr } = await skill.run("--only=ehco")
    expect(code).toBe(1)
    expect(stderr).toContain("There is no server ehco in the configuration")
  })
})

function cells(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim())
}
