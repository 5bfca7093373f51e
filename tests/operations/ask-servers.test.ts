import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { askServers } from "../../src/operations/ask-servers.ts"
import { createContext } from "../../src/operations/context.ts"
import { fixtureServer } from "../fixtures/config.ts"

const made: string[] = []
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true })
})

async function ask(...modes: string[]) {
  const directory = mkdtempSync(join(tmpdir(), "mcp-exec-ask-"))
  made.push(directory)
  const mcpServers = { it: { ...fixtureServer("partial", ...modes), timeout: 6000 } }
  writeFileSync(join(directory, "mcp_config.json"), JSON.stringify({ mcpServers }))
  const warnings: string[] = []
  await using context = createContext({
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: directory, MCP_EXEC_CACHE_DIR: join(directory, ".cache") },
    log: (level, message) => void (level === "warning" && warnings.push(message)),
  })
  const [answer] = await askServers(context, ["it"], 1)
  return { answer, warnings }
}

const prompts = [{ name: "ask" }]
const resources = [{ uri: "memo://one", name: "One" }]
const resourceTemplates = [{ uriTemplate: "memo://{id}", name: "Memo" }]

describe("a server is asked for", () => {
  const cases = [
    { name: "everything that it announces", modes: [], want: { prompts, resources, resourceTemplates }, warnings: [] },
    { name: "nothing that it does not announce", modes: ["announce=no", "prompts=silent"], want: {}, warnings: [] },
    {
      name: "templates, which it may not know",
      modes: ["templates=unknown"],
      want: { prompts, resources },
      warnings: [],
    },
    {
      name: "prompts that never come",
      modes: ["prompts=silent"],
      want: { resources, resourceTemplates },
      warnings: [/^it: generated without its prompts: .* 6 s/],
    },
    {
      name: "resources that are no list",
      modes: ["resources=broken", "templates=broken"],
      want: { prompts },
      warnings: [/^it: generated without its resource/, /^it: generated without its resource/],
    },
  ]
  for (const { name, modes, want, warnings } of cases) {
    test(name, async () => {
      const found = await ask(...modes)
      const { tools, version, ...rest } = found.answer?.server ?? {}
      expect(tools?.map((tool) => tool.name)).toEqual(["work"])
      expect(rest).toMatchObject({ name: "it", ...want })
      for (const key of ["prompts", "resources", "resourceTemplates"]) expect(key in rest).toBe(key in want)
      expect(found.warnings).toHaveLength(warnings.length)
      for (const [at, pattern] of warnings.entries()) expect(found.warnings[at]).toMatch(pattern)
    })
  }
})
