// One server's part of the search index: plain JSON, the same for the same server, whatever else there is.
import type { Server } from "../catalog.ts"
import { fillBuckets } from "./buckets.ts"
import { type Fields, toolFields } from "./fields.ts"
import { packPostings } from "./postings.ts"
import { isStopWord } from "./stop-words.ts"
import { stem, words } from "./tokenize.ts"
import { fieldWeights, lengthWeights, typicalLengths } from "./weights.ts"

export interface ServerSection {
  /** Sections of another format are ignored until they are generated anew. */
  format: number
  /** Names, in the server's order. */
  tools: string[]
  /** Stems of the server's name, and of its description. */
  name: string
  about: string
  /** Of each term that tools have: which ones, and how much it says about them. */
  buckets: string[]
}

/** To be raised with every change of what a section holds: its shape, the words, the weights of fields. */
export const sectionFormat = 1

/** What a server's tools can be found by. */
export function indexServer(server: Server): ServerSection {
  const postings = new Map<string, Map<number, number>>()
  for (const [number, tool] of server.tools.entries()) {
    for (const [term, weight] of weighTerms(toolFields(tool))) {
      const posting = postings.get(term) ?? new Map<number, number>()
      postings.set(term, posting.set(number, weight))
    }
  }
  const packed = new Map([...postings].map(([term, weights]) => [term, packPostings(weights)]))
  return {
    format: sectionFormat,
    tools: server.tools.map(({ name }) => name),
    name: distinctStems(server.name),
    about: distinctStems(server.description ?? ""),
    buckets: fillBuckets(packed),
  }
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
