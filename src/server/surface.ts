// What a client sees of this server before it calls anything: a few tools, always the same, whatever is
// configured. Plain data that loads nothing, because the answer to the first tools/list must not wait for
// anything. Every task pays for each of these words.
import type { Tool } from "@modelcontextprotocol/server"

export const toolNames = ["search_tools", "execute_script", "generate_wrappers", "discover_schemas"] as const

export type ToolName = (typeof toolNames)[number]

const text = { type: "string" }
const texts = { type: "array", items: text }
const flag = { type: "boolean" }
const whole = { type: "integer" }

type ToolSurface = Tool & { name: ToolName }

/** The answer to tools/list. */
export const tools: ToolSurface[] = [
  {
    name: "search_tools",
    description:
      'First: find tools and skills by words. detail "full" gives the import line and types to write code with. An empty query lists skills and servers, or the tools of `server`.',
    inputSchema: {
      type: "object",
      properties: { query: text, detail: { enum: ["name", "description", "full"] }, server: text, limit: whole },
      required: ["query"],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: "execute_script",
    description:
      'Then: run TypeScript that calls them, or a skill, or a file (path): `import { listIssues } from "#servers/github"`. Loop, filter and combine in code: you see only what it prints, or its last value.',
    inputSchema: {
      type: "object",
      properties: {
        code: text,
        skill: text,
        path: text,
        args: { anyOf: [{ type: "object" }, texts], description: "of a skill or file" },
        timeout: { type: "number", description: "seconds" },
        sandbox: flag,
        check: { type: "boolean", description: "all types first; false: not even calls" },
        session: { type: "string", description: "name: variables of code stay for the next call" },
        reset: { type: "boolean", description: "session anew" },
        maxTokens: whole,
      },
    },
    outputSchema: {
      type: "object",
      properties: {
        ok: flag,
        exitCode: whole,
        output: text,
        error: { type: "object" },
        durationMs: { type: "number" },
        toolCalls: { type: "array" },
        artifacts: { type: "array" },
      },
      required: ["ok", "exitCode", "output", "durationMs", "toolCalls"],
    },
  },
  {
    name: "generate_wrappers",
    description: "When tools are missing or have changed: ask the servers, and write their functions anew.",
    inputSchema: {
      type: "object",
      properties: { servers: texts, check: { type: "boolean", description: "only tell what is stale" } },
    },
  },
  {
    name: "discover_schemas",
    description: "When a result is `unknown`: call harmless tools (server.tool) to learn the types of their results.",
    inputSchema: { type: "object", properties: { tools: texts } },
  },
]

export const instructions =
  "The tools of all MCP servers are TypeScript functions. Find them with search_tools, run code that calls them with execute_script; results too long to show become resources that can be read in slices."

export const capabilities = {
  tools: {},
  resources: { listChanged: true },
  prompts: {},
  logging: {},
}

export const serverName = "mcp-exec"

/** How long a client may rely on what never changes while this version runs. */
export const constantHint = { ttlMs: 3_600_000, cacheScope: "public" } as const
