import { describe, expect, test } from "bun:test"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { agentNames, filesFor, freshInstructions, withInstructions } from "../../../src/operations/init/instructions.ts"

const [agents] = filesFor(["agents"])
const [claude] = filesFor(["claude"])
if (agents === undefined || claude === undefined) throw new Error("known agents have files")

describe("the instructions for agents", () => {
  test("cost at most 320 tokens, wherever they stand", () => {
    const costs = filesFor(agentNames).map((file) => encode(freshInstructions(file)).length)
    expect(Math.max(...costs)).toBeLessThanOrEqual(320)
    expect(Math.min(...costs)).toBeGreaterThan(200)
  })

  test("name the loop and the choice", () => {
    const text = freshInstructions(agents)
    for (const command of ["ls", "search", "cat", "call", "exec", "skills save"]) {
      expect(text).toContain(`mcp-exec ${command}`)
    }
  })

  test("stand where each program reads them", () => {
    const places = agentNames.map((name) => [name, filesFor([name])[0]?.path])
    expect(Object.fromEntries(places)).toEqual({
      agents: "AGENTS.md",
      claude: ".claude/skills/mcp-exec/SKILL.md",
      cline: "AGENTS.md",
      codex: "AGENTS.md",
      copilot: ".github/copilot-instructions.md",
      cursor: ".cursor/rules/mcp-exec.mdc",
      gemini: "GEMINI.md",
      goose: ".goosehints",
      opencode: "AGENTS.md",
      vscode: ".github/copilot-instructions.md",
      windsurf: ".windsurf/rules/mcp-exec.md",
      zed: "AGENTS.md",
    })
    expect(filesFor(["codex", "zed", "opencode"])).toHaveLength(1)
  })

  test("follow the rules of Agent Skills for Claude", () => {
    const [, front = ""] = /^---\n(.*?)\n---\n/s.exec(freshInstructions(claude)) ?? []
    const fields = Object.fromEntries(front.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)))
    expect(fields.name).toMatch(/^[a-z0-9-]{1,64}$/)
    expect(JSON.parse(fields.description ?? "").length).toBeWithin(1, 1025)
    expect(Object.keys(fields)).toEqual(["name", "description"])
  })

  test("refuse an agent that is not known", () => {
    expect(() => filesFor(["claud"])).toThrow("does not know where an agent 'claud'")
    expect(() => filesFor(["__proto__"])).toThrow("does not know")
  })
})

describe("a file that is there", () => {
  const section = freshInstructions(agents)

  test("gets the section at its end, once", () => {
    const added = withInstructions(agents, "# Rules\n\nBe kind.\n")
    expect(added).toBe(`# Rules\n\nBe kind.\n\n${section}`)
    expect(withInstructions(agents, added)).toBe(added as string)
  })

  test("keeps its line ends", () => {
    const once = withInstructions({ path: "AGENTS.md" }, "# Ours\r\n\r\nBe nice.\r\n") ?? ""
    expect(once).toStartWith("# Ours\r\n\r\nBe nice.\r\n\r\n<!-- mcp-exec:begin -->\r\n")
    expect(once.replaceAll("\r\n", "")).not.toContain("\n")
    expect(withInstructions({ path: "AGENTS.md" }, once)).toBe(once)
  })

  test("keeps what stands around an older section", () => {
    const old = "before\n<!-- mcp-exec:begin -->\nold text\n<!-- mcp-exec:end -->\nafter\n"
    expect(withInstructions(agents, old)).toBe(`before\n${section}after\n`)
  })

  test("with the end marker cut off gets a new section instead of losing its rest", () => {
    const broken = "<!-- mcp-exec:begin -->\nmine now\n"
    const mended = `<!-- mcp-exec:begin -->\nmine now\n\n${section}`
    expect(withInstructions(agents, broken)).toBe(mended)
    expect(withInstructions(agents, mended)).toBe(mended)
  })

  test("keeps a front matter that its owner has changed", () => {
    const changed = freshInstructions(claude).replace("name: mcp-exec", "name: mcp-exec\nmodel: fast")
    expect(withInstructions(claude, changed)).toBe(changed)
  })

  test("of somebody else, where all of it would be ours, is not touched", () => {
    expect(withInstructions(claude, "---\nname: mine\n---\ntext")).toBeUndefined()
  })
})
