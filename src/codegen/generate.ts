// The generator: what servers offer → the text of every file in servers/. Pure: the same catalog gives
// the same bytes, nothing is read or written here, and nothing a server says is ever run.
import type { Catalog, Server } from "../catalog.ts"
import { nameServers, nameTools, type ToolName } from "./names.ts"
import {
  filesHash,
  generatedPaths,
  type Manifest,
  type ManifestServer,
  manifestFile,
  manifestServer,
  type PrintedTool,
  printIndex,
  printReadme,
  printUtils,
  schemaHash,
} from "./print-server.ts"
import { printWrapper } from "./print-wrapper.ts"

export interface GenerateOptions {
  /** The text of `_runtime.ts`, which every wrapper imports. */
  runtime: string
  /** Per server the tools whose result types are in its types.discovered.ts. */
  discovered?: ReadonlyMap<string, ReadonlySet<string>>
  /** Servers whose files stay as they are: the manifest keeps what it says of them. */
  kept?: ReadonlyMap<string, ManifestServer>
}

/** All files, by their path in servers/ (always with `/`), sorted; the manifest comes last. */
export function generateFiles(catalog: Catalog, options: GenerateOptions): Map<string, string> {
  const { runtime, discovered, kept = new Map<string, ManifestServer>() } = options
  const files = new Map<string, string>([["_runtime.ts", runtime]])
  const servers = sortedByName(catalog.servers).filter(({ name }) => !kept.has(name))
  const directories = nameServers([...servers.map(({ name }) => name), ...kept.keys()])
  const entries: [string, ManifestServer][] = [...kept]
  for (const server of servers) {
    const directory = directories.get(server.name) as string
    const known = discovered?.get(server.name)
    const tools = printTools(server, known)
    const entry = manifestServer(server, directory, tools)
    for (const { name, wrapper } of tools) files.set(`${directory}/${name.file}.ts`, wrapper.text)
    files.set(`${directory}/README.md`, printReadme(server, tools))
    files.set(`${directory}/index.ts`, printIndex(tools))
    const texts = generatedPaths(entry).map((path) => files.get(path) ?? "")
    files.set(`${directory}/utils.ts`, printUtils())
    entries.push([server.name, { ...entry, hash: schemaHash(server, known), files: filesHash(texts) }])
  }
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  const manifest: Manifest = { format: 1, servers: Object.fromEntries(entries) }
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
  return sorted.set(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`)
}

function printTools(server: Server, discovered: ReadonlySet<string> | undefined): PrintedTool[] {
  const tools = sortedByName(server.tools)
  const names = nameTools(tools.map(({ name }) => name))
  return tools.map((tool) => {
    const name = names.get(tool.name) as ToolName
    return { tool, name, wrapper: printWrapper(server, tool, name, discovered?.has(tool.name) ?? false) }
  })
}

/** Sorted, and each name once: of two with the same name only the first can be called. */
function sortedByName<T extends { name: string }>(items: readonly T[]): T[] {
  const first = new Map<string, T>()
  for (const item of items) if (!first.has(item.name)) first.set(item.name, item)
  return [...first.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
