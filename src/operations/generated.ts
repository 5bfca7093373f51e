// What `generate` has left in servers/, for those who read it back: no server is started, and neither
// the SDK nor the schema of the configuration is loaded.
import { join } from "node:path"
import type { ManifestServer, ManifestTool } from "../codegen/print-server.ts"
import { readManifest } from "../codegen/update.ts"
import { type ExecSettings, readExecSettings } from "../config/receipt.ts"
import { McpExecError, ServerError, ToolError } from "../errors.ts"
import { nearMiss } from "../suggest.ts"
import type { OperationContext } from "./context.ts"

export interface Generated {
  /** servers/ */
  directory: string
  servers: Map<string, ManifestServer>
  settings: ExecSettings
}

/** Reads the manifest. Throws when nothing has been generated. */
export async function readGenerated(context: OperationContext): Promise<Generated> {
  const { cwd, cacheDirectory } = context
  const settings = await readExecSettings({ file: await context.configFile(), cwd, cacheDirectory })
  context.warn(settings.warnings)
  const directory = join(settings.directory, "servers")
  const manifest = readManifest(directory)
  if (manifest === undefined) {
    throw new McpExecError("E_USAGE", `Nothing has been generated in ${directory}`, {
      hint:
        settings.file === undefined
          ? "No mcp_config.json was found: go to its folder or name it with --config, then run mcp-exec generate."
          : "Run mcp-exec generate first.",
    })
  }
  return {
    directory,
    servers: new Map(Object.entries(manifest.servers).filter(([, entry]) => isEntry(entry))),
    settings,
  }
}

/** A generated server by its name, or by that of its folder. */
export function findServer(generated: Generated, name: string): { name: string; entry: ManifestServer } {
  const exact = generated.servers.get(name)
  if (exact !== undefined) return { name, entry: exact }
  for (const [other, entry] of generated.servers) if (entry.directory === name) return { name: other, entry }
  throw new ServerError("E_SERVER_UNKNOWN", name, `There is no server '${name}' among the generated ones`, {
    hint: whereToLook(generated, name),
  })
}

function whereToLook({ servers, settings }: Generated, name: string): string {
  if (settings.serverNames.includes(name)) return `It is configured: run mcp-exec generate ${name}.`
  if (servers.size === 0) return "There are none. Run mcp-exec generate."
  for (const [server, { tools }] of servers) {
    const tool = Object.entries(tools).find(([original, { export: exported }]) => [original, exported].includes(name))
    if (tool !== undefined) return `Did you mean the tool ${server}.${tool[1].export}?`
  }
  return nearMiss(name, [...servers.keys()], "There are")
}

/** A tool by its own name or that of its function, in any spelling that fits only one. */
export function findTool(server: string, entry: ManifestServer, name: string): { name: string; tool: ManifestTool } {
  const tools = Object.entries(entry.tools)
  const found =
    tools.find(([original]) => original === name) ??
    tools.find(([, tool]) => tool.export === name) ??
    onlyOne(tools.filter(([original, tool]) => [original, tool.export].map(plain).includes(plain(name))))
  if (found !== undefined) return { name: found[0], tool: found[1] }
  const names = tools.map(([, tool]) => tool.export)
  throw new ToolError("E_TOOL_UNKNOWN", server, name, `Server '${server}' has no generated tool '${name}'`, {
    hint: names.length === 0 ? "It has no tools." : nearMiss(name, names, "It has"),
  })
}

function isEntry(entry: unknown): boolean {
  const { directory, tools } = (entry ?? {}) as Partial<ManifestServer>
  return typeof directory === "string" && typeof tools === "object" && tools !== null
}

function onlyOne<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined
}

/** The letters and digits alone. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")
}
