// The steps that write one file each, besides the configuration.
import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import type { MappedFile } from "../../codegen/mapping.ts"
import type { Config } from "../../config/schema.ts"
import { leadsOutside } from "../leads-outside.ts"
import { addIgnored } from "./ignore-file.ts"
import type { InitStep } from "./init.ts"
import { type AgentFile, freshInstructions, withInstructions } from "./instructions.ts"
import { putFile, readIfThere } from "./put-file.ts"

export interface WriteContext {
  directory: string
  /** Replace what differs from ours. */
  force: boolean
  /** True for a file that may be replaced although it is somebody else's. */
  mayReplace(path: string): boolean
}

/** `.gitignore`: what is generated, and what scripts write. */
export function ignoreGenerated(config: Config | undefined, { directory }: WriteContext): InitStep {
  const path = ".gitignore"
  const workspace = config && relative(directory, config.workspace).replaceAll("\\", "/")
  const isInside = workspace !== undefined && workspace !== "" && !/^(\.\.|\/|\w:)/.test(workspace)
  const existing = readIfThere(join(directory, path))
  const lines = ["/servers/", "/.servers.*", ...(isInside ? [`/${workspace}/`] : [])]
  return put(path, existing, addIgnored(existing, lines), directory)
}

/** package.json, tsconfig.json, deno.json: where `#servers/…` and `mcp-exec` are. */
export async function mapNames(file: MappedFile, { directory }: WriteContext): Promise<InitStep> {
  const { mapServers } = await import("../../codegen/mapping.ts")
  const isCommented = file === "deno.json" && !existsSync(join(directory, file))
  const path = isCommented && existsSync(join(directory, "deno.jsonc")) ? "deno.jsonc" : file
  const existing = readIfThere(join(directory, path))
  const { text, problems } = mapServers(file, existing)
  const step = put(path, existing, text, directory)
  if (problems.length === 0) return step
  return { ...step, state: text === undefined ? "kept" : step.state, detail: `${path} ${problems.join("; ")}` }
}

/** A first skill, which works with the servers that are configured. */
export async function writeSkill(config: Config | undefined, context: WriteContext): Promise<InitStep | undefined> {
  const server = config?.servers.filesystem
  const name = server?.type === "builtin" ? "search-files" : "tool-report"
  const { shippedSkill } = await import("../../skills/shipped.ts")
  const text = await shippedSkill(name)
  if (text === undefined) return undefined
  const path = `skills/${name}.ts`
  const existing = readIfThere(join(context.directory, path))
  if (existing !== undefined && existing !== text && !context.force) {
    return { path, state: "kept", detail: "it differs from the shipped one; --force replaces it" }
  }
  return put(path, existing, existing === text ? undefined : text, context.directory)
}

/** What an agent is told, in the file where its program looks for it. */
export function writeInstructions(file: AgentFile, { directory, mayReplace }: WriteContext): InitStep {
  const { path } = file
  const existing = readIfThere(join(directory, path))
  const text = withInstructions(file, existing) ?? (mayReplace(path) ? freshInstructions(file) : undefined)
  if (text === undefined) return { path, state: "refused", detail: "it is there, and was not made by mcp-exec" }
  return put(path, existing, text === existing ? undefined : text, directory)
}

function put(path: string, existing: string | undefined, text: string | undefined, directory: string): InitStep {
  if (text === undefined) return { path, state: "unchanged" }
  if (leadsOutside(join(directory, path), directory)) {
    return { path, state: "kept", detail: "it is behind a link to somewhere outside this folder" }
  }
  putFile(join(directory, path), text)
  return { path, state: existing === undefined ? "created" : "updated" }
}
