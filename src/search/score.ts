// How well each tool fits a query: BM25 over fields, for the whole query and for each clause, and for the server.
import { alternativesOf, guessesFor } from "./expand.ts"
import type { SearchIndex } from "./open-index.ts"
import type { Query } from "./query.ts"
import { scoreTerm, type TermScores } from "./score-term.ts"
import { clauseShare, coverPower, serverBestTools, serverShare } from "./weights.ts"

/** A score of each tool by its number, 0 for those that nothing speaks for. */
export function scoreTools(index: SearchIndex, query: Query): Float64Array {
  const byTerm = new Map<string, TermScores>()
  for (const [term, weight] of query.terms) {
    const scores = scoreTerm(index, alternativesOf(term, query))
    // A value, which counts less than 1, may well be a word that no tool has.
    const isUnknown = scores.tools.length === 0 && weight === 1
    byTerm.set(term, isUnknown ? scoreTerm(index, guessesFor(index, term)) : scores)
  }
  const scores = combine(index, query.terms, byTerm)
  const best = query.clauses.length > 1 ? new Float64Array(index.toolCount) : scores
  for (const clause of query.clauses.length > 1 ? query.clauses : []) {
    const own = combine(index, clause, byTerm)
    for (let tool = 0; tool < best.length; tool++) if (at(own, tool) > at(best, tool)) best[tool] = at(own, tool)
  }
  for (let tool = 0; tool < scores.length; tool++) {
    if (at(scores, tool) === 0) continue
    scores[tool] = (1 - clauseShare) * at(scores, tool) ** coverPower + clauseShare * at(best, tool) ** coverPower
  }
  addServerShare(index, scores)
  return scores
}

/** The sum over terms as a share of the best tool's, so that each clause of a query has an equal say. */
function combine(
  index: SearchIndex,
  terms: ReadonlyMap<string, number>,
  byTerm: ReadonlyMap<string, TermScores>,
): Float64Array {
  const sums = new Float64Array(index.toolCount)
  for (const [term, weight] of terms) {
    const { tools, scores } = byTerm.get(term) ?? { tools: [], scores: [] }
    for (let place = 0; place < tools.length; place++) {
      const tool = tools[place] as number
      sums[tool] = at(sums, tool) + weight * (scores[place] as number)
    }
  }
  let best = 0
  for (let tool = 0; tool < sums.length; tool++) if (at(sums, tool) > best) best = at(sums, tool)
  for (let tool = 0; tool < sums.length; tool++) if (at(sums, tool) > 0) sums[tool] = at(sums, tool) / best
  return sums
}

/** A tool among others that fit is more likely meant than one whose server has nothing else to offer. */
function addServerShare(index: SearchIndex, scores: Float64Array): void {
  for (const { firstTool, tools } of index.servers) {
    const end = firstTool + tools.length
    const best = new Float64Array(serverBestTools)
    for (let tool = firstTool; tool < end; tool++) {
      if (at(scores, tool) <= at(best, 0)) continue
      best[0] = at(scores, tool)
      best.sort()
    }
    const gain = (serverShare * best.reduce((sum, score) => sum + score, 0)) / serverBestTools
    for (let tool = firstTool; tool < end; tool++) if (at(scores, tool) > 0) scores[tool] = at(scores, tool) + gain
  }
}

function at(numbers: Float64Array, place: number): number {
  return numbers[place] as number
}
