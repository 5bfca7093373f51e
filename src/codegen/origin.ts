// What the manifest remembers of a server so that a later look can tell, without generating anything,
// whether its files are still what they would be.
import type { Resource, ResourceTemplate, Server, Tool } from "../catalog.ts"
import { version } from "../version.ts"
import { isListable, offerOf } from "./named-offer.ts"
import { hashOf } from "./settle-names.ts"

export interface Origin {
  /** Of everything that the server's files depend on. */
  hash: string
  /** Of the tools alone, as the server listed them. */
  offer: string
  /** Of the server's configuration. */
  config?: string
}

/** Where a server's files come from. `discovered`: the tools whose result types are in types.discovered.ts. */
export function originOf(server: Server, discovered: ReadonlySet<string> = new Set()): Origin {
  // To write a schema as text takes long, and both hashes are of the same texts.
  const texts = server.tools.map(toolText)
  return {
    hash: schemaHash(server, texts, discovered),
    offer: hashOfTexts(texts),
    ...(server.config !== undefined && { config: server.config }),
  }
}

/** The same for the same tools, in whatever order. */
export function offerHash(tools: readonly Tool[]): string {
  return hashOfTexts(tools.map(toolText))
}

function hashOfTexts(texts: readonly string[]): string {
  return hashOf(texts.toSorted().join("\n"))
}

function toolText({ name, title, description, inputSchema, outputSchema, annotations }: Tool): string {
  // What is undefined would be written as null too, but in twice the time.
  return JSON.stringify([name, title ?? null, description, inputSchema, outputSchema ?? null, annotations ?? null])
}

/** The same as long as a server's files would be: of what it offers, and of this program. */
function schemaHash(server: Server, texts: readonly string[], discovered: ReadonlySet<string>): string {
  const { tools, prompts, resources, templates } = offerOf(server)
  const textOf = new Map(server.tools.map((tool, at) => [tool, texts[at]]))
  const ofTools = tools.map((tool) => `${textOf.get(tool)?.slice(0, -1)},${discovered.has(tool.name)}]`)
  const ofPrompts = prompts.map((prompt) => [prompt.name, prompt.title, prompt.description, prompt.arguments])
  const about = ({ name, title, description, mimeType }: Resource | ResourceTemplate) => {
    return [name, title, description, mimeType]
  }
  const uris = resources.map(({ uri }) => uri)
  // Of a long list only the length is written.
  const ofResources = isListable(uris) ? resources.map((each) => [each.uri, ...about(each)]) : uris.length
  const ofTemplates = templates.map((each) => [each.uriTemplate, ...about(each)])
  const first = JSON.stringify([version, server.name, server.description, server.version])
  const last = JSON.stringify([ofPrompts, ofResources, ofTemplates])
  return hashOf(`${first.slice(0, -1)},[${ofTools.join(",")}],${last.slice(1)}`)
}
