// A part of the search index: some servers, and which of their tools have which terms. Plain JSON, the same for the
// same servers, and made so that a query reads a few texts of it, however many servers there are.
import type { Server } from "../catalog.ts"
import { fillBuckets, termsIn } from "./buckets.ts"
import { type Fields, toolFields } from "./fields.ts"
import { packPostings, unpackPostings } from "./postings.ts"
import { isStopWord } from "./stop-words.ts"
import { stem, words } from "./tokenize.ts"
import { fieldWeights, lengthWeights, typicalLengths } from "./weights.ts"

export interface Segment {
  /** Segments of another format are ignored until they are generated anew. */
  format: number
  /** In the order of their names. */
  servers: SegmentServer[]
  /** Of each term: which tools have it, numbered through all servers, and how much it says about them. */
  buckets: string[]
}

export interface SegmentServer {
  name: string
  /** Tells what the server offered. */
  hash: string
  /** Names, in the server's order, and what results say of each. */
  tools: string[]
  descriptions: string[]
  /** Stems of the server's name, and of its description. */
  nameTerms: string
  aboutTerms: string
}

/** A server outside of a segment: of each term, which of its tools have it, and how much it says about them. */
export interface ServerTerms {
  server: SegmentServer
  weights: TermWeights
}

type TermWeights = Map<string, Map<number, number>>

/** To be raised with every change of what a segment holds: its shape, the words, the weights of fields. */
export const segmentFormat = 2

/** What a server's tools can be found by. */
export function indexServer(server: Server, hash = "", descriptions = server.tools.map(descriptionOf)): ServerTerms {
  const weights: TermWeights = new Map()
  for (const [number, tool] of server.tools.entries()) {
    for (const [term, weight] of weighTerms(toolFields(tool))) addWeight(weights, term, number, weight)
  }
  const tools = server.tools.map(({ name }) => name)
  const nameTerms = distinctStems(server.name)
  const aboutTerms = distinctStems(server.description ?? "")
  return { server: { name: server.name, hash, tools, descriptions, nameTerms, aboutTerms }, weights }
}

/** Puts servers together. */
export function joinServers(parts: readonly ServerTerms[]): Segment {
  const sorted = parts.toSorted((a, b) => (a.server.name < b.server.name ? -1 : 1))
  const joined: TermWeights = new Map()
  let first = 0
  for (const { server, weights } of sorted) {
    for (const [term, ofTools] of weights) {
      for (const [tool, weight] of ofTools) addWeight(joined, term, first + tool, weight)
    }
    first += server.tools.length
  }
  const packed = new Map([...joined].map(([term, weights]) => [term, packPostings(weights)]))
  return { format: segmentFormat, servers: sorted.map(({ server }) => server), buckets: fillBuckets(packed) }
}

/** Takes servers apart again, to be put together with others. Nothing is lost. */
export function takeApart({ servers, buckets }: Segment): ServerTerms[] {
  const parts = servers.map((server): ServerTerms => ({ server, weights: new Map() }))
  const places = parts.flatMap((part) => part.server.tools.map((_, tool) => ({ part, tool })))
  const unpacked = new Float64Array(places.length)
  for (const [term, postings] of buckets.flatMap((bucket) => (typeof bucket === "string" ? termsIn(bucket) : []))) {
    const having: number[] = []
    unpackPostings(postings, 0, unpacked, having)
    for (const number of having) {
      const { part, tool } = places[number] as (typeof places)[number]
      addWeight(part.weights, term, tool, unpacked[number] as number)
    }
  }
  return parts
}

function addWeight(weights: TermWeights, term: string, tool: number, weight: number): void {
  let ofTools = weights.get(term)
  if (ofTools === undefined) {
    ofTools = new Map()
    weights.set(term, ofTools)
  }
  ofTools.set(tool, weight)
}

/** How often each term occurs, weighted by field; in a longer field than usual each time counts less. */
function weighTerms(fields: Fields): Map<string, number> {
  const weights = new Map<string, number>()
  for (const [field, terms] of fields.entries()) {
    const lengthWeight = lengthWeights[field] ?? 0
    const length = 1 - lengthWeight + (lengthWeight * terms.length) / (typicalLengths[field] ?? 1)
    const weight = (fieldWeights[field] ?? 0) / length
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + weight)
  }
  return weights
}

function distinctStems(text: string): string {
  const kept = words(text).filter((word) => !isStopWord(word))
  return [...new Set(kept.map(stem))].sort().join(" ")
}

function descriptionOf({ description }: { description: string }): string {
  return description
}
