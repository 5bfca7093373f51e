// What a model must know to use the tools: that it can write code, and which servers there are.
import type { McpExec } from "mcp-exec/library"

/** The system message. Reads what has been generated; starts no server. */
export async function instructions(mcp: McpExec): Promise<string> {
  const { servers, skills } = await mcp.list()
  return [
    "You can run TypeScript. To do so, reply with one ```ts block; you get back what it prints.",
    'Tools are functions: import { callTool, searchTools } from "mcp-exec". Find them with',
    'searchTools("words", { detail: "full" }), call them with await callTool("server.tool", { … }).',
    "Loop, filter and combine in code, and print only what you need. When you know the answer, reply without code.",
    `Servers: ${servers.map(({ name, tools }) => `${name} (${tools} tools)`).join(", ") || "none"}.`,
    ...(skills.length === 0 ? [] : [`Skills: ${skills.map(({ name }) => name).join(", ")}.`]),
  ].join("\n")
}
