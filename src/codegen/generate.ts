// The generator: what servers offer → the text of every file in servers/. Pure: the same catalog gives
// the same bytes, nothing is read or written here, and nothing a server says is ever run.
import type { Catalog, Server } from "../catalog.ts"
import { namesOf, type Offer, offerOf } from "./named-offer.ts"
import { type GivenNames, nameServers, type ToolName } from "./names.ts"
import { originOf } from "./origin.ts"
import { type PrintedFile, printPrompts } from "./print-prompts.ts"
import { printReadme } from "./print-readme.ts"
import { printResources } from "./print-resources.ts"
import {
  filesHash,
  generatedPaths,
  type Manifest,
  type ManifestServer,
  manifestServer,
  type PrintedTool,
  printIndex,
  printManifest,
  printUtils,
} from "./print-server.ts"
import { printWrapper } from "./print-wrapper.ts"
import { manifestFile } from "./read-manifest.ts"

export interface GenerateOptions {
  /** The text of `_runtime.ts`, which every wrapper imports. */
  runtime: string
  /** Per server the tools whose result types are in its types.discovered.ts. */
  discovered?: ReadonlyMap<string, ReadonlySet<string>>
  /** What the manifest said of servers last time: what has a name keeps it. */
  previous?: ReadonlyMap<string, ManifestServer>
  /** The folder of every server, where that has been decided. */
  folders?: ReadonlyMap<string, string>
  /** Servers whose files stay as they are: the manifest keeps what it says of them. */
  kept?: ReadonlyMap<string, ManifestServer>
  /** Files of others that must change together with these. */
  beside?: (manifest: Manifest) => ReadonlyMap<string, string>
}

/** All files, by their path in servers/ (always with `/`), sorted; the manifest comes last. */
export function generateFiles(catalog: Catalog, options: GenerateOptions): Map<string, string> {
  const { runtime, discovered, previous, kept = new Map<string, ManifestServer>() } = options
  const files = new Map<string, string>([["_runtime.ts", runtime]])
  const folders = options.folders ?? nameServers([...catalog.servers.map(({ name }) => name), ...kept.keys()])
  const entries: [string, ManifestServer][] = [...kept]
  const seen = new Set(kept.keys())
  for (const server of catalog.servers) {
    if (seen.has(server.name)) continue
    seen.add(server.name)
    const directory = folders.get(server.name) as string
    const known = discovered?.get(server.name)
    const offer = offerOf(server)
    const names = namesOf(offer, previous?.get(server.name))
    const tools = printTools(server, offer, names, known)
    const others = printOthers(server, offer, names)
    const entry = manifestServer(server, directory, { offer, names, tools })
    for (const { name, wrapper } of tools) files.set(`${directory}/${name.file}.ts`, wrapper.text)
    for (const [file, { text }] of others) files.set(`${directory}/${file}.ts`, text)
    files.set(`${directory}/README.md`, printReadme(server, tools, entry))
    files.set(`${directory}/index.ts`, printIndex(tools, others))
    const texts = generatedPaths(entry).map((path) => files.get(path) ?? "")
    files.set(`${directory}/utils.ts`, printUtils())
    const { hash, ...origin } = originOf(server, known)
    entries.push([server.name, { ...entry, hash, files: filesHash(texts), ...origin }])
  }
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  const manifest: Manifest = { format: 1, servers: Object.fromEntries(entries) }
  const all = [...files, ...(options.beside?.(manifest) ?? [])]
  const sorted = new Map(all.sort(([a], [b]) => (a < b ? -1 : 1)))
  return sorted.set(manifestFile, printManifest(manifest))
}

function printTools(
  server: Server,
  { tools }: Offer,
  names: GivenNames,
  discovered: ReadonlySet<string> | undefined,
): PrintedTool[] {
  return tools.map((tool) => {
    const name = names.tools.get(tool.name) as ToolName
    return { tool, name, wrapper: printWrapper(server, tool, name, discovered?.has(tool.name) ?? false) }
  })
}

/** The files beside the tools, by name. */
function printOthers({ name }: Server, offer: Offer, names: GivenNames): Map<string, PrintedFile> {
  const prompts = printPrompts(name, offer.prompts, names.prompts)
  const resources = printResources(name, offer, names.templates)
  return new Map([
    ...(prompts ? [["prompts", prompts] as const] : []),
    ...(resources ? [["resources", resources] as const] : []),
  ])
}
