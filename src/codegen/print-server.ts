// The files beside a server's wrappers: its index, its list for readers, and the manifest of all servers.
import type { Server, Tool } from "../catalog.ts"
import { version } from "../version.ts"
import { commentText, markdownText } from "./escape.ts"
import { hashOf, type ToolName } from "./names.ts"
import { header, type TypeQuality, tagsOf, type Wrapper } from "./print-wrapper.ts"

export interface Manifest {
  format: 1
  servers: Record<string, ManifestServer>
}

export interface ManifestServer {
  directory: string
  description?: string
  version?: string
  /** Of everything that the server's files depend on. */
  hash: string
  /** Of the files themselves. */
  files: string
  tools: Record<string, ManifestTool>
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

/** A tool and all that was made of it. */
export interface PrintedTool {
  tool: Tool
  name: ToolName
  wrapper: Wrapper
}

export const manifestFile = "index.json"
const maxSummaryLength = 120

/** `<server>/index.ts` */
export function printIndex(tools: readonly PrintedTool[]): string {
  const lines = tools.map(({ name, wrapper }) => {
    const names = [name.export, ...wrapper.types.map((type) => `type ${type}`)]
    return `export { ${names.join(", ")} } from "./${name.file}.ts"\n`
  })
  return `${header}${lines.length === 0 ? "export {}\n" : lines.join("")}`
}

/** `<server>/README.md`: one line per tool. */
export function printReadme(server: Server, tools: readonly PrintedTool[]): string {
  const about = summary(server.description ?? "")
  const lines = tools.map(({ tool, name }) => {
    const text = summary(tool.description || tool.title || "")
    const tags = tagsOf(tool).map((tag) => ` ${tag}`)
    return `- \`${name.export}\`${text === "" ? "" : ` ${text}`}${tags.join("")}\n`
  })
  return `# ${markdownText(server.name)}\n${about === "" ? "" : `\n${about}\n`}${lines.length === 0 ? "" : `\n${lines.join("")}`}`
}

/** `<server>/utils.ts`, as it is before its owner writes in it. */
export function printUtils(): string {
  return "// Your own helpers for this server. Made once by mcp-exec, and never written again.\nexport {}\n"
}

/** What the manifest says of one server, apart from its hashes. */
export function manifestServer(
  server: Server,
  directory: string,
  printed: readonly PrintedTool[],
): Omit<ManifestServer, "hash" | "files"> {
  const { description } = server
  const entries = printed.map(({ tool, name, wrapper }): [string, ManifestTool] => {
    const tags = tagsOf(tool).map((tag) => tag.slice(1))
    return [
      tool.name,
      {
        file: `${directory}/${name.file}.ts`,
        export: name.export,
        description: commentText(tool.description || tool.title || ""),
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
  }
}

/** The same as long as a server's files would be: of what it offers, and of this program. */
export function schemaHash(server: Server, discovered: ReadonlySet<string> = new Set()): string {
  const tools = [...server.tools].sort((a, b) => (a.name < b.name ? -1 : 1))
  const offered = tools.map((tool) => [
    ...[tool.name, tool.title, tool.description, tool.inputSchema, tool.outputSchema, tool.annotations],
    discovered.has(tool.name),
  ])
  return hashOf(JSON.stringify([version, server.name, server.description, server.version, offered]))
}

/** Tells whether a server's files are as they were generated. Takes their texts, sorted by path. */
export function filesHash(texts: readonly string[]): string {
  return hashOf(texts.join("\0"))
}

/** The files of a server that are generated anew each time, sorted. */
export function generatedPaths({ directory, tools }: Pick<ManifestServer, "directory" | "tools">): string[] {
  return [...Object.values(tools).map(({ file }) => file), `${directory}/README.md`, `${directory}/index.ts`].sort()
}

function summary(text: string): string {
  const line = commentText(text)
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
  const short =
    sentence.length <= maxSummaryLength ? sentence : `${sentence.slice(0, maxSummaryLength - 1).toWellFormed()}…`
  return markdownText(short)
}
