// BM25 of one term of a query, over the fields of a tool and those of its server.
import { findPostings } from "./buckets.ts"
import type { SearchIndex } from "./open-index.ts"
import { unpackPostings } from "./postings.ts"
import { rarityPower, saturation } from "./weights.ts"

/** The tools that a term fits, and how well. */
export interface TermScores {
  tools: number[]
  scores: number[]
}

/** A tool's best score among a term and what may stand for it. */
export function scoreTerm(index: SearchIndex, alternatives: ReadonlyMap<string, number>): TermScores {
  const best = new Float64Array(index.toolCount)
  const weights = new Float64Array(index.toolCount)
  const tools: number[] = []
  let mostRarity = Number.POSITIVE_INFINITY
  for (const [term, factor] of [...alternatives].sort(([, a], [, b]) => b - a)) {
    const having = weighTerm(index, term, weights)
    // A rare synonym of a common word is no better evidence than the word itself.
    const rarity = Math.min(mostRarity, rarityOf(having.length, index.toolCount))
    if (factor === 1) mostRarity = rarity
    const most = factor * rarity * (1 + saturation)
    for (let place = 0; place < having.length; place++) {
      const tool = having[place] as number
      const weight = weights[tool] as number
      weights[tool] = 0
      const score = (most * weight) / (weight + saturation)
      const before = best[tool] as number
      if (before === 0) tools.push(tool)
      if (score > before) best[tool] = score
    }
  }
  return { tools, scores: tools.map((tool) => best[tool] as number) }
}

function rarityOf(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5)) ** rarityPower
}

/** Writes how much a term says about each tool to `weights`. Returns which tools have it. */
function weighTerm(index: SearchIndex, term: string, weights: Float64Array): number[] {
  const having: number[] = []
  for (const { buckets, firstTool } of index.terms) {
    unpackPostings(findPostings(buckets, term), firstTool, weights, having)
  }
  for (const [number, weight] of index.serverTerms.get(term) ?? []) {
    const { firstTool, tools } = index.servers[number] ?? { firstTool: 0, tools: [] }
    for (let tool = firstTool; tool < firstTool + tools.length; tool++) {
      if (weights[tool] === 0) having.push(tool)
      weights[tool] = (weights[tool] as number) + weight
    }
  }
  return having
}
