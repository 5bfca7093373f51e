// Segments → one index. Runs at the start of every search, so it does next to nothing: what a segment says about
// a term is read when a query asks for it.
import { type Segment, type SegmentServer, segmentFormat } from "./segment.ts"
import { serverAboutWeight, serverNameWeight } from "./weights.ts"

export interface SearchIndex {
  servers: IndexedServer[]
  toolCount: number
  /** Terms of tools, by segment; tools are numbered on from `firstTool`. */
  terms: { firstTool: number; buckets: string[] }[]
  /** Terms of servers' names and descriptions → which servers, and what it counts for their tools. */
  serverTerms: Map<string, Map<number, number>>
}

export interface IndexedServer {
  name: string
  tools: string[]
  descriptions: string[]
  /** Tools are numbered through all servers. */
  firstTool: number
}

/** Puts segments together. One that is damaged or of another format is left out. */
export function openIndex(segments: readonly unknown[]): SearchIndex {
  const index: SearchIndex = { servers: [], toolCount: 0, terms: [], serverTerms: new Map() }
  for (const segment of segments) {
    if (!isSegment(segment)) continue
    index.terms.push({ firstTool: index.toolCount, buckets: segment.buckets })
    for (const server of segment.servers) {
      addServerTerms(index, server)
      const { name, tools, descriptions } = server
      index.servers.push({ name, tools, descriptions, firstTool: index.toolCount })
      index.toolCount += tools.length
    }
  }
  return index
}

/** Whether it can be searched. Buckets are many: each is looked at when it is read. */
export function isSegment(segment: unknown): segment is Segment {
  const { format, servers, buckets } = (segment ?? {}) as Partial<Segment>
  return format === segmentFormat && Array.isArray(buckets) && Array.isArray(servers) && servers.every(isServer)
}

function isServer(server: Partial<SegmentServer> | null): boolean {
  const { name, hash, tools, descriptions, nameTerms, aboutTerms } = server ?? {}
  return (
    [name, hash, nameTerms, aboutTerms].every(isText) &&
    Array.isArray(tools) &&
    tools.every(isText) &&
    Array.isArray(descriptions)
  )
}

function isText(value: unknown): value is string {
  return typeof value === "string"
}

function addServerTerms({ serverTerms, servers }: SearchIndex, { nameTerms, aboutTerms }: SegmentServer): void {
  const add = (term: string, weight: number) => {
    const having = serverTerms.get(term) ?? new Map<number, number>()
    serverTerms.set(term, having.set(servers.length, weight))
  }
  for (const term of split(aboutTerms)) add(term, serverAboutWeight)
  for (const term of split(nameTerms)) add(term, serverNameWeight)
}

function split(list: string): string[] {
  return list === "" ? [] : list.split(" ")
}
