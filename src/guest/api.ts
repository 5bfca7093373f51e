// What `import … from "mcp-exec"` gives a script. No dependencies, and only what exists in Bun,
// Deno and Node, so that the same script runs in all three.
import type { Guest } from "./guest.ts"
import { guest } from "./instance.ts"
import { prepareWorkspace } from "./workspace.ts"

export type { Prompt, Resource, Tool } from "../catalog.ts"
export { McpExecError, ServerError, ToolError } from "../errors.ts"
export type { Arguments, CallOptions, ListOptions, PromptResult, ResourceResult, ServerInfo } from "./guest.ts"
export { log } from "./log.ts"

// One by one, each with its type: tools that look at a file alone must be able to tell what it exports.
export const callTool: Guest["callTool"] = guest.callTool
export const listServers: Guest["listServers"] = guest.listServers
export const listTools: Guest["listTools"] = guest.listTools
export const listResources: Guest["listResources"] = guest.listResources
export const readResource: Guest["readResource"] = guest.readResource
export const listPrompts: Guest["listPrompts"] = guest.listPrompts
export const getPrompt: Guest["getPrompt"] = guest.getPrompt

/** The folder where a script may write. */
export const workspace: string = prepareWorkspace(process.env)
