// The files beside a server's wrappers: its index, and the manifest of all servers.
import type { Server, Tool } from "../catalog.ts"
import { commentText } from "./escape.ts"
import { isListable, type Offer } from "./named-offer.ts"
import type { ExportName, GivenNames, ToolName } from "./names.ts"
import type { Origin } from "./origin.ts"
import type { PrintedFile } from "./print-prompts.ts"
import { describeResource, describeTemplate } from "./print-resources.ts"
import { header, type TypeQuality, tagsOf, type Wrapper } from "./print-wrapper.ts"
import { hashOf } from "./settle-names.ts"

export interface Manifest {
  format: 1
  servers: Record<string, ManifestServer>
}

export interface ManifestServer extends Pick<Origin, "hash">, Partial<Pick<Origin, "offer" | "config">> {
  directory: string
  description?: string
  version?: string
  /** Of the files themselves. */
  files: string
  tools: Record<string, ManifestTool>
  /** By their own names; all in `<directory>/prompts.ts`. */
  prompts?: Record<string, ManifestPrompt>
  /** In `<directory>/resources.ts`. */
  resources?: ManifestResources
}

export interface ManifestPrompt {
  export: string
  description: string
}

export interface ManifestResources {
  count: number
  /** URI → description, when they are few. */
  listed?: Record<string, string>
  /** By URI template. One that could not be understood has no function. */
  templates?: Record<string, { export?: string; description: string }>
}

export interface ManifestTool {
  /** Seen from the manifest. */
  file: string
  export: string
  description: string
  hash: string
  /** Where the result's type comes from. */
  result: TypeQuality
  /** readonly, destructive, idempotent */
  tags?: string[]
}

/** What a server offers, and what was made of its tools. */
export interface PrintedOffer {
  offer: Offer
  names: GivenNames
  tools: readonly PrintedTool[]
}

/** A tool and all that was made of it. */
export interface PrintedTool {
  tool: Tool
  name: ToolName
  wrapper: Wrapper
}

const mostListed = 5
// As much as tells tools apart; the rest is in the tool's own file.
const maxBrief = 200

/** `<server>/index.ts`; `others` are the files beside the tools, by name. */
export function printIndex(tools: readonly PrintedTool[], others: ReadonlyMap<string, PrintedFile>): string {
  const wrappers = tools.map(({ name, wrapper }) => {
    return printExport([name.export, ...wrapper.types.map((type) => `type ${type}`)], name.file)
  })
  const rest = [...others].flatMap(([file, { exports }]) => exports.map((names) => printExport(names, file)))
  const lines = [...wrappers, ...rest]
  return `${header}${lines.length === 0 ? "export {}\n" : lines.join("")}`
}

/** `<server>/utils.ts`, as it is before its owner writes in it. */
export function printUtils(): string {
  return "// Your own helpers for this server. Made once by mcp-exec, and never written again.\nexport {}\n"
}

/** The manifest's text: a line per tool, because it is read by every `ls`, `cat` and `search`. */
export function printManifest({ format, servers }: Manifest): string {
  const entries = Object.entries(servers).map(([name, { tools, ...server }]) => {
    const lines = Object.entries(tools).map(([tool, entry]) => `${JSON.stringify(tool)}:${JSON.stringify(entry)}`)
    return `${JSON.stringify(name)}:{${JSON.stringify(server).slice(1, -1)},"tools":{\n${lines.join(",\n")}}}`
  })
  return `{"format":${format},"servers":{\n${entries.join(",\n")}}}\n`
}

/** What the manifest says of one server, apart from its hashes. */
export function manifestServer(
  server: Server,
  directory: string,
  { offer, names, tools: printed }: PrintedOffer,
): Omit<ManifestServer, "hash" | "files"> {
  const { description } = server
  const entries = printed.map(({ tool, name, wrapper }): [string, ManifestTool] => {
    const tags = tagsOf(tool).map((tag) => tag.slice(1))
    return [
      tool.name,
      {
        file: `${directory}/${name.file}.ts`,
        export: name.export,
        description: brief(commentText(tool.description || tool.title || "")),
        hash: hashOf(wrapper.text),
        result: wrapper.quality,
        ...(tags.length > 0 && { tags }),
      },
    ]
  })
  return {
    directory,
    ...(description && { description: commentText(description) }),
    ...(server.version && { version: commentText(server.version) }),
    // Object.fromEntries makes `__proto__` a member like any other.
    tools: Object.fromEntries(entries),
    ...(offer.prompts.length > 0 && { prompts: manifestPrompts(offer, names) }),
    ...(offer.resources.length + offer.templates.length > 0 && { resources: manifestResources(offer, names) }),
  }
}

function brief(text: string): string {
  return text.length <= maxBrief ? text : `${text.slice(0, maxBrief - 1).toWellFormed()}…`
}

/** Tells whether a server's files are as they were generated. Takes their texts, sorted by path. */
export function filesHash(texts: readonly string[]): string {
  return hashOf(texts.join("\0"))
}

/** The files of a server that are generated anew each time, sorted. */
export function generatedPaths({
  directory,
  tools,
  prompts,
  resources,
}: Omit<ManifestServer, "hash" | "files">): string[] {
  const others = ["README.md", "index.ts", ...(prompts ? ["prompts.ts"] : []), ...(resources ? ["resources.ts"] : [])]
  return [...Object.values(tools).map(({ file }) => file), ...others.map((file) => `${directory}/${file}`)].sort()
}

function manifestPrompts({ prompts }: Offer, names: GivenNames): Record<string, ManifestPrompt> {
  const entries = prompts.map(({ name, title, description }): [string, ManifestPrompt] => {
    const { export: exported } = names.prompts.get(name) as ExportName
    return [name, { export: exported, description: commentText(description || title || "") }]
  })
  return Object.fromEntries(entries)
}

function manifestResources({ resources, templates }: Offer, names: GivenNames): ManifestResources {
  const areFew = resources.length <= mostListed && isListable(resources.map(({ uri }) => uri))
  const listed = areFew ? resources.map((resource) => [resource.uri, describeResource(resource)]) : []
  const ofTemplates = isListable(templates.map(({ uriTemplate }) => uriTemplate)) ? templates : []
  return {
    count: resources.length,
    ...(listed.length > 0 && { listed: Object.fromEntries(listed) }),
    ...(ofTemplates.length > 0 && {
      templates: Object.fromEntries(
        ofTemplates.map((template) => {
          const name = names.templates.get(template.uriTemplate)
          const description = describeTemplate(template)
          return [template.uriTemplate, { ...(name && { export: name.export }), description }]
        }),
      ),
    }),
  }
}

function printExport(names: readonly string[], file: string): string {
  return `export { ${names.join(", ")} } from "./${file}.ts"\n`
}
