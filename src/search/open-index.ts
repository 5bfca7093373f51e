// Sections → one index. Runs at the start of every search, so it does next to nothing: what a section says about
// a term is read when a query asks for it.
import { type ServerSection, sectionFormat } from "./section.ts"
import { serverAboutWeight, serverNameWeight } from "./weights.ts"

export interface SearchIndex {
  /** In the order of their names, whatever the order of the sections. */
  servers: IndexedServer[]
  toolCount: number
  /** Terms of servers' names and descriptions → which servers, and what it counts for their tools. */
  serverTerms: Map<string, Map<number, number>>
}

export interface IndexedServer {
  name: string
  tools: string[]
  /** Tools are numbered through all servers. */
  firstTool: number
  buckets: string[]
}

type Sections = ReadonlyMap<string, ServerSection> | Iterable<[string, ServerSection]>

/** Puts sections together. One that is damaged or of another format is left out. */
export function openIndex(sections: Sections): SearchIndex {
  const index: SearchIndex = { servers: [], toolCount: 0, serverTerms: new Map() }
  for (const [name, section] of [...sections].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!isSection(section)) continue
    addServerTerms(index, section)
    index.servers.push({ name, tools: section.tools, firstTool: index.toolCount, buckets: section.buckets })
    index.toolCount += section.tools.length
  }
  return index
}

function isSection(section: Partial<ServerSection> | null | undefined): section is ServerSection {
  if (section?.format !== sectionFormat || !Array.isArray(section.tools) || !Array.isArray(section.buckets))
    return false
  const texts = [section.name, section.about, ...section.tools, ...section.buckets]
  return texts.every((text) => typeof text === "string")
}

function addServerTerms({ serverTerms, servers }: SearchIndex, { name, about }: ServerSection): void {
  const add = (term: string, weight: number) => {
    const having = serverTerms.get(term) ?? new Map<number, number>()
    serverTerms.set(term, having.set(servers.length, weight))
  }
  for (const term of split(about)) add(term, serverAboutWeight)
  for (const term of split(name)) add(term, serverNameWeight)
}

function split(list: string): string[] {
  return list === "" ? [] : list.split(" ")
}
