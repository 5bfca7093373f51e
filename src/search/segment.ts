// A part of the search index: some servers, and which of their tools have which terms. Plain JSON, the same for the
// same servers, and made so that a query reads a few texts of it, however many servers there are.
import type { Server } from "../catalog.ts"
import { fillBuckets, termsIn } from "./buckets.ts"
import { type Fields, toolFields } from "./fields.ts"
import { packPostings, unpackPostings } from "./postings.ts"
import { isStopWord } from "./stop-words.ts"
import { createReader, stem, words } from "./tokenize.ts"
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

/** A server outside of a segment: of each of its tools, the terms, and how much they say about it. */
export interface ServerTerms {
  server: SegmentServer
  weights: TermWeights[]
}

type TermWeights = Map<string, number>

/** To be raised with every change of what a segment holds: its shape, the words, the weights of fields. */
export const segmentFormat = 2

/** What a server's tools can be found by. Whoever indexes many servers gives the same reader to all. */
export function indexServer(
  server: Server,
  hash = "",
  descriptions = server.tools.map(descriptionOf),
  reader = createReader(),
): ServerTerms {
  const weights = server.tools.map((tool) => weighTerms(toolFields(tool, reader)))
  const tools = server.tools.map(({ name }) => name)
  const nameTerms = distinctStems(server.name)
  const aboutTerms = distinctStems(server.description ?? "")
  return { server: { name: server.name, hash, tools, descriptions, nameTerms, aboutTerms }, weights }
}

/** Puts servers together. */
export function joinServers(parts: readonly ServerTerms[]): Segment {
  const sorted = parts.toSorted((a, b) => (a.server.name < b.server.name ? -1 : 1))
  const postings = new Map<string, number[]>()
  let number = 0
  for (const { weights } of sorted) {
    for (const ofTool of weights) {
      for (const [term, weight] of ofTool) {
        const known = postings.get(term)
        if (known === undefined) postings.set(term, [number, weight])
        else known.push(number, weight)
      }
      number++
    }
  }
  const packed = new Map([...postings].map(([term, ofTerm]) => [term, packPostings(ofTerm)]))
  return { format: segmentFormat, servers: sorted.map(({ server }) => server), buckets: fillBuckets(packed) }
}

/** Takes servers apart again, to be put together with others. Nothing is lost. */
export function takeApart({ servers, buckets }: Segment): ServerTerms[] {
  const parts = servers.map((server): ServerTerms => ({ server, weights: server.tools.map(() => new Map()) }))
  const tools = parts.flatMap(({ weights }) => weights)
  const unpacked = new Float64Array(tools.length)
  for (const [term, postings] of buckets.flatMap((bucket) => (typeof bucket === "string" ? termsIn(bucket) : []))) {
    const having: number[] = []
    unpackPostings(postings, 0, unpacked, having)
    for (const number of having) tools[number]?.set(term, unpacked[number] as number)
  }
  return parts
}

/** How often each term occurs, weighted by field; in a longer field than usual each time counts less. */
function weighTerms(fields: Fields): TermWeights {
  const weights: TermWeights = new Map()
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
