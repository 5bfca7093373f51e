// How good a ranking is, in percent, averaged over questions.
import type { DataSet, Question } from "./data-set.ts"

/** A question → ids of tools, best first. */
export type Ranker = (text: string) => string[]

export interface Quality {
  /** Normalised discounted cumulative gain of the first ten, binary relevance. */
  ndcg10: number
  /** The share of what is needed that is among the first five tools. */
  toolRecall5: number
  /** The share of what is needed whose server is among the first five different servers … */
  serverRecall5: number
  /** … and among the servers of the first five tools. */
  serverOfToolRecall5: number
}

/** Ranks every question, or those of one half: even places or odd ones. */
export function measure(set: DataSet, rank: Ranker, half?: 0 | 1): Quality {
  const chosen = set.questions.filter((_, place) => half === undefined || place % 2 === half)
  const all = chosen.map((question) => measureOne(set, question, rank(question.text)))
  const mean = (of: (quality: Quality) => number) =>
    (100 * all.reduce((sum, quality) => sum + of(quality), 0)) / all.length
  return {
    ndcg10: mean(({ ndcg10 }) => ndcg10),
    toolRecall5: mean(({ toolRecall5 }) => toolRecall5),
    serverRecall5: mean(({ serverRecall5 }) => serverRecall5),
    serverOfToolRecall5: mean(({ serverOfToolRecall5 }) => serverOfToolRecall5),
  }
}

function measureOne(set: DataSet, { wanted }: Question, ranked: string[]): Quality {
  const servers = ranked.map(set.serverOf)
  const wantedServers = wanted.map((ids) => ids.map(set.serverOf))
  return {
    ndcg10: gain(wanted, ranked.slice(0, 10)) / idealGain(Math.min(10, wanted.length)),
    toolRecall5: recall(wanted, ranked.slice(0, 5)),
    serverRecall5: recall(wantedServers, [...new Set(servers)].slice(0, 5)),
    serverOfToolRecall5: recall(wantedServers, servers.slice(0, 5)),
  }
}

function recall(wanted: readonly string[][], found: readonly string[]): number {
  return wanted.filter((any) => any.some((name) => found.includes(name))).length / wanted.length
}

/** Each need is met once: a second tool for the same one gains nothing. */
function gain(wanted: readonly string[][], ranked: readonly string[]): number {
  const open = new Set(wanted)
  let sum = 0
  for (const [place, id] of ranked.entries()) {
    const met = [...open].find((any) => any.includes(id))
    if (met === undefined) continue
    open.delete(met)
    sum += discount(place)
  }
  return sum
}

function idealGain(count: number): number {
  return Array.from({ length: count }, (_, place) => discount(place)).reduce((sum, share) => sum + share, 0)
}

function discount(place: number): number {
  return 1 / Math.log2(place + 2)
}
