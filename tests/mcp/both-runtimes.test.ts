// Servers from npm do the same on Node and on our own Bun.
import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { mkdirSync, readlinkSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ClientManager } from "../../src/mcp/manager.ts"
import { repository } from "../fixtures/project.ts"
import { startManager, temporaryDirectory } from "./manager-fixture.ts"

setDefaultTimeout(120_000)

interface Case {
  package: string
  args?(folder: string): string[]
  env?(folder: string): Record<string, string>
  /** Calls whose results must be the same. Each runtime has a folder of its own, so paths are cut to their ends. */
  calls(folder: string): [tool: string, args: Record<string, unknown>][]
}

const entity = { name: "Ada", entityType: "person", observations: ["wrote the first program"] }

const cases: Case[] = [
  {
    package: "@modelcontextprotocol/server-filesystem",
    args: (folder) => [folder],
    calls: (folder) => [
      ["write_file", { path: join(folder, "b.txt"), content: "zwölf Boxkämpfer 🥊\n".repeat(2000) }],
      ["read_text_file", { path: join(folder, "b.txt"), head: 3 }],
      ["read_text_file", { path: join(folder, "b.txt") }],
      ["read_media_file", { path: join(folder, "dot.png") }],
      ["edit_file", { path: join(folder, "a.txt"), edits: [{ oldText: "one", newText: "two" }] }],
      ["directory_tree", { path: join(folder, "inner") }],
      ["search_files", { path: folder, pattern: "**/*.txt" }],
      ["list_directory", { path: folder }],
      ["read_text_file", { path: "/etc/passwd" }],
      ["read_text_file", {}],
    ],
  },
  {
    package: "@modelcontextprotocol/server-memory",
    env: (folder) => ({ MEMORY_FILE_PATH: join(folder, "memory.jsonl") }),
    calls: () => [
      ["create_entities", { entities: [entity] }],
      ["create_relations", { relations: [{ from: "Ada", to: "Ada", relationType: "knows" }] }],
      ["search_nodes", { query: "program" }],
      ["read_graph", {}],
      ["delete_entities", { entityNames: ["Ada"] }],
      ["read_graph", {}],
    ],
  },
  {
    package: "@modelcontextprotocol/server-everything",
    args: () => ["stdio"],
    calls: () => [
      ["echo", { message: "hi" }],
      ["get-sum", { a: 1, b: 2 }],
      ["get-sum", { a: "x" }],
      ["get-tiny-image", {}],
      ["get-structured-content", { location: "Chicago" }],
      ["get-annotated-message", { messageType: "error", includeImage: true }],
      ["trigger-long-running-operation", { duration: 0.1, steps: 2 }],
    ],
  },
  {
    package: "@cyanheads/git-mcp-server",
    env: () => ({ MCP_LOG_LEVEL: "error", GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.com" }),
    calls: (folder) => [
      ["git_init", { path: join(folder, "repository") }],
      ["git_status", { path: join(folder, "repository") }],
      ["git_branch", { path: join(folder, "repository"), operation: "list" }],
    ],
  },
]

for (const each of cases) {
  describe(each.package, () => {
    test("has the same tools on both, and they give the same", async () => {
      const onNode = await outcomes("node", each)
      const onBun = await outcomes("bun", each)
      expect(onNode.tools.length).toBeGreaterThan(2)
      expect(onNode.answers.filter((answer) => answer.startsWith("{"))).not.toBeEmpty()
      expect(onBun).toEqual(onNode)
    })
  })
}

async function outcomes(runtime: "node" | "bun", { package: name, args, env, calls }: Case) {
  using temporary = temporaryDirectory()
  const folder = join(realpathSync(temporary.path), "work")
  mkdirSync(join(folder, "inner"), { recursive: true })
  writeFileSync(join(folder, "a.txt"), "one\nmore\n")
  writeFileSync(join(folder, "dot.png"), Buffer.from("iVBORw0KGgo=", "base64"))
  const program = `${repository}/node_modules/${name}/dist/index.js`
  const own = { ...(env && { env: env(folder) }) }
  const rest = args?.(folder) ?? []
  const server =
    runtime === "bun"
      ? { type: "stdio" as const, command: "npx", args: ["-y", name, ...rest], runtime, cwd: repository, ...own }
      : { type: "stdio" as const, command: "node", args: [program, ...rest], cwd: repository, ...own }
  const options = { env: { PATH: process.env.PATH, HOME: temporary.path }, directory: folder, workspace: folder }
  await using manager = await startManager({ one: server }, options)
  const tools = await manager.listTools("one")
  if (process.platform === "linux") expect(await programOfChild()).toEndWith(runtime === "bun" ? "bun" : "node")
  const answers: string[] = []
  for (const [tool, input] of calls(folder)) answers.push(await answerOf(manager, tool, input, folder))
  return { tools, answers }
}

/** The program that our youngest child runs. */
async function programOfChild(): Promise<string> {
  const children = (await Bun.file(`/proc/${process.pid}/task/${process.pid}/children`).text()).trim().split(" ")
  return readlinkSync(`/proc/${children.at(-1)}/exe`).replace(realpathSync(process.execPath), "bun")
}

async function answerOf(manager: ClientManager, tool: string, input: Record<string, unknown>, folder: string) {
  const answer = await manager.callTool("one", tool, input, { raw: true }).catch((error) => ({ error: String(error) }))
  const text = JSON.stringify(answer).replaceAll(folder, "")
  // Node gives the files of a folder in the order of their names, Bun as the system does.
  return /^(list|search)_/.test(tool) ? [...new Set(text.match(/[\w.]+/g))].sort().join(" ") : text
}
