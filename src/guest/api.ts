// What `import … from "mcp-exec"` gives a script. No dependencies, and only what exists in Bun,
// Deno and Node, so that the same script runs in all three.
import { stateOf } from "./broker-state.ts"
import type { Guest } from "./guest.ts"
import { guest } from "./instance.ts"
import type { State } from "./state.ts"
import { prepareWorkspace } from "./workspace.ts"

export type { Prompt, Resource, Tool } from "../catalog.ts"
export { McpExecError, ServerError, ToolError } from "../errors.ts"
export type {
  Arguments,
  CallOptions,
  FoundTool,
  ListOptions,
  PromptResult,
  ResourceResult,
  SearchOptions,
  ServerInfo,
} from "./guest.ts"
export { log } from "./log.ts"
export type { ArgumentDeclaration, Skill, SkillContext, SkillDeclaration, State } from "./skill.ts"
export { arg, skill } from "./skill.ts"

// One by one, each with its type: tools that look at a file alone must be able to tell what it exports.
export const callTool: Guest["callTool"] = guest.callTool
export const listServers: Guest["listServers"] = guest.listServers
export const listTools: Guest["listTools"] = guest.listTools
export const listResources: Guest["listResources"] = guest.listResources
export const readResource: Guest["readResource"] = guest.readResource
export const listPrompts: Guest["listPrompts"] = guest.listPrompts
export const getPrompt: Guest["getPrompt"] = guest.getPrompt
export const searchTools: Guest["searchTools"] = guest.searchTools
export const keep: Guest["keep"] = guest.keep

/** The folder where a script may write. */
export const workspace: string = prepareWorkspace(process.env)

/** A folder for files that need not last: in a sandbox in memory, otherwise the workspace. See `keep`. */
export const scratch: string = process.env.MCP_EXEC_SCRATCH ?? workspace

/** Small values that are still there in the next run of this script. In a skill, use its context's. */
export const state: State = stateOf(workspace, nameOf(process.argv[1] ?? ""))

function nameOf(file: string): string {
  return file.replace(/^.*[\\/]/, "").replace(/\.\w+$/, "")
}
