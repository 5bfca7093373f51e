// A query's term → the terms of the index that may stand for it.
import { editDistance } from "../suggest.ts"
import { findPostings, termsBeside } from "./buckets.ts"
import type { SearchIndex } from "./open-index.ts"
import type { Query } from "./query.ts"
import { synonymsOf } from "./synonyms.ts"
import { stem } from "./tokenize.ts"
import { guessFactor } from "./weights.ts"

// Shorter words are a letter away from too many others.
const shortestGuessed = 4
const shortestWithTwoErrors = 8
const shortestPart = 3
const mostGuesses = 3

/** A term, its synonyms and the compounds it is part of, each with how much it counts. */
export function alternativesOf(term: string, query: Query): Map<string, number> {
  const alternatives = synonymsOf(term)
  for (const joined of query.joined.get(term) ?? []) alternatives.set(joined, 1)
  return alternatives.set(term, 1)
}

/** What a term that no tool has may have been meant to be: two words, or one with a letter wrong. */
export function guessesFor(index: SearchIndex, term: string): Map<string, number> {
  if (term.length < shortestGuessed) return new Map()
  const guesses = twoWords(index, term) ?? nearest(index, term)
  return new Map(guesses.map((guess) => [guess, guessFactor]))
}

function twoWords(index: SearchIndex, term: string): string[] | undefined {
  for (let middle = shortestPart; middle <= term.length - shortestPart; middle++) {
    const parts = [stem(term.slice(0, middle)), stem(term.slice(middle))]
    if (parts.every((part) => isKnown(index, part))) return parts
  }
  return undefined
}

function isKnown(index: SearchIndex, term: string): boolean {
  return index.serverTerms.has(term) || index.terms.some(({ buckets }) => findPostings(buckets, term) !== "")
}

/** The terms with the fewest errors among those that begin alike, or with the first two letters swapped. */
function nearest(index: SearchIndex, term: string): string[] {
  let limit = term.length < shortestWithTwoErrors ? 2 : 3
  let found = new Set<string>()
  for (const candidate of candidatesFor(index, term)) {
    if (Math.abs(candidate.length - term.length) >= limit || found.has(candidate)) continue
    const distance = editDistance(term, candidate, limit)
    if (distance >= limit) continue
    if (distance < limit - 1) found = new Set()
    limit = distance + 1
    found.add(candidate)
  }
  return [...found].slice(0, mostGuesses)
}

function* candidatesFor(index: SearchIndex, term: string): Iterable<string> {
  const swapped = `${term.charAt(1)}${term.charAt(0)}`
  for (const { buckets } of index.terms) {
    yield* termsBeside(buckets, term)
    yield* termsBeside(buckets, swapped)
  }
  yield* index.serverTerms.keys()
}
