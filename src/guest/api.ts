// What `import … from "mcp-exec"` gives a script. No dependencies, and only what exists in Bun,
// Deno and Node, so that the same script runs in all three.
import { guest } from "./instance.ts"
import { prepareWorkspace } from "./workspace.ts"

export type { Prompt, Resource, Tool } from "../catalog.ts"
export { McpExecError, ServerError, ToolError } from "../errors.ts"
export type { Arguments, CallOptions, ListOptions, PromptResult, ResourceResult, ServerInfo } from "./guest.ts"
export { log } from "./log.ts"

export const { callTool, listServers, listTools, listResources, readResource, listPrompts, getPrompt } = guest

/** The folder where a script may write. */
export const workspace: string = prepareWorkspace(process.env)
