// What `generate` has left in servers/, for those who read it back: no server is started, and neither
// the SDK nor the schema of the configuration is loaded.
import type { Manifest, ManifestServer } from "../codegen/print-server.ts"
import { readManifest } from "../codegen/read-manifest.ts"
import type { ExecSettings } from "../config/receipt.ts"
import { McpExecError, ServerError, ToolError } from "../errors.ts"
import { mayExist } from "../platform/may-exist.ts"
import { within } from "../platform/paths.ts"
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
  const generated = await findGenerated(context)
  if (generated.isThere) return generated
  throw new McpExecError("E_USAGE", `Nothing has been generated in ${generated.directory}`, {
    hint:
      generated.settings.file === undefined
        ? "No mcp_config.json was found. Run mcp-exec init, which makes one, or go to its folder and run mcp-exec generate."
        : "Run mcp-exec generate first.",
  })
}

/** The same for those who can do without: then there are no servers. */
export async function findGenerated(context: OperationContext): Promise<Generated & { isThere: boolean }> {
  const settings = await context.settings()
  context.warn(settings.warnings)
  const directory = within(settings.directory, "servers")
  const manifest = readManifest(directory) ?? (await readRepaired(directory))
  const entries = Object.entries(manifest?.servers ?? {}).filter(([, entry]) => isEntry(entry))
  return { directory, servers: new Map(entries), settings, isThere: manifest !== undefined }
}

/** A generator that was killed may have left servers/ aside, where the system cannot exchange folders. */
async function readRepaired(directory: string): Promise<Manifest | undefined> {
  if (mayExist(directory)) return undefined
  const { repairTree } = await import("../codegen/write-tree.ts")
  try {
    repairTree(directory)
  } catch {
    return undefined // it may not be ours to write; then nothing is there for us
  }
  return readManifest(directory)
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

/** Something that a server offers, and the function for it. */
export interface GeneratedFunction {
  kind: "tool" | "prompt" | "resource"
  /** As the server calls it; of a template, its URI. */
  name: string
  export: string
  /** Seen from servers/. */
  file: string
}

/** A tool, a prompt or a template by its own name or that of its function, in any spelling that fits only one. */
export function findFunction(server: string, entry: ManifestServer, name: string): GeneratedFunction {
  const all = functionsOf(entry)
  const found =
    all.find((each) => each.name === name) ??
    all.find((each) => each.export === name) ??
    onlyOne(all.filter((each) => [each.name, each.export].map(plain).includes(plain(name))))
  if (found !== undefined) return found
  const names = all.map((each) => each.export)
  throw new ToolError("E_TOOL_UNKNOWN", server, name, `Server '${server}' has no generated tool '${name}'`, {
    hint: names.length === 0 ? "It has no tools." : nearMiss(name, names, "It has"),
  })
}

function functionsOf({ directory, tools, prompts, resources }: ManifestServer): GeneratedFunction[] {
  const [ofPrompts, ofResources] = [`${directory}/prompts.ts`, `${directory}/resources.ts`]
  return [
    ...Object.entries(tools).map(([name, { export: exported, file }]): GeneratedFunction => {
      return { kind: "tool", name, export: exported, file }
    }),
    ...Object.entries(prompts ?? {}).map(([name, { export: exported }]): GeneratedFunction => {
      return { kind: "prompt", name, export: exported, file: ofPrompts }
    }),
    ...Object.entries(resources?.templates ?? {}).flatMap(([name, { export: exported }]): GeneratedFunction[] => {
      return exported === undefined ? [] : [{ kind: "resource", name, export: exported, file: ofResources }]
    }),
    ...(!resources
      ? []
      : [{ kind: "resource" as const, name: "readResource", export: "readResource", file: ofResources }]),
  ]
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
