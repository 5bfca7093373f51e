// What everything is compared with: BM25 over each tool's whole text, stemmed, nothing else.
import { stemmer } from "stemmer"
import type { DataSet } from "./data-set.ts"
import type { Ranker } from "./measures.ts"

const k1 = 1.5
const b = 0.75
const stopWords = new Set("a an the of to in for on with and or is are be by at from this that it as".split(" "))

export function plainBm25(set: DataSet): Ranker {
  const texts = set.servers.flatMap(({ name: server, tools }) =>
    tools.map(({ name, description, inputSchema }) => {
      const properties = Object.entries((inputSchema.properties ?? {}) as Record<string, { description?: string }>)
      const parameters = properties.flatMap(([key, value]) => [key, value.description ?? ""])
      return { id: set.idOf(server, name), terms: termsOf([server, name, description, ...parameters].join(" ")) }
    }),
  )
  const meanLength = texts.reduce((sum, { terms }) => sum + terms.length, 0) / texts.length
  const postings = new Map<string, Map<number, number>>()
  for (const [place, { terms }] of texts.entries()) {
    for (const term of terms) {
      const posting = postings.get(term) ?? new Map<number, number>()
      postings.set(term, posting.set(place, (posting.get(place) ?? 0) + 1))
    }
  }
  return (text) => {
    const scores = new Map<number, number>()
    for (const term of termsOf(text)) {
      const posting = postings.get(term) ?? new Map<number, number>()
      const rarity = Math.log(1 + (texts.length - posting.size + 0.5) / (posting.size + 0.5))
      for (const [place, count] of posting) {
        const length = 1 - b + (b * (texts[place]?.terms.length ?? 0)) / meanLength
        scores.set(place, (scores.get(place) ?? 0) + (rarity * count * (k1 + 1)) / (count + k1 * length))
      }
    }
    const ranked = [...scores].sort(([one, a], [other, c]) => c - a || one - other)
    return ranked.map(([place]) => texts[place]?.id ?? "")
  }
}

function termsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.filter((word) => !stopWords.has(word)).map(stemmer)
}
