// A question in words → weighted terms, together and by clause. Knows no index.
import { isStopWord } from "./stop-words.ts"
import { stem, words } from "./tokenize.ts"
import { fileTypeWeight, numberWeight, quotedWeight, valueKindWeight } from "./weights.ts"

export interface Query {
  /** Each term of the query with its weight, at most 1. */
  terms: Map<string, number>
  /** Terms that together may be one word in the index, as "zip code" is "zipcode": by each of the two. */
  joined: Map<string, string[]>
  /** The same terms by clause; a query of one clause has one. */
  clauses: Map<string, number>[]
}

interface Piece {
  text: string
  weight: number
  /** Values are not split into clauses. */
  isValue: boolean
}

// An agent's question has no more; a pasted document would only cost time.
const mostCharacters = 4_000
const mostTerms = 100

const value = new RegExp(
  [
    /https?:\/\/\S+/,
    /[^\s@]{1,64}@[^\s@]{1,255}\.\w+/,
    /(?<![\p{L}\p{N}/])(?:[A-Za-z]:\\|~\/|\.{0,2}\/)[^\s,;'"`]+/u,
    /(?<!\p{L})'[^'\n]{1,200}'(?!\p{L})|"[^"\n]{1,200}"|“[^”\n]{1,200}”|‘[^’\n]{1,200}’|`[^`\n]{1,200}`/u,
    /\[[^\]\n]{1,400}\]/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
)
const clauseEnd = /(?<=[.?!;:])\s+|[。？！；，、\n]+|,\s|\b(?:and|then|also|additionally|finally)\b/iu
// Encoded data, not words. Longer than paths and names are.
const blob = /[A-Za-z0-9+/=_-]{100,}/g

/** Reads a query. Whatever is given, it gives terms, or none. */
export function parseQuery(text: string): Query {
  const query = parse(text, isStopWord)
  // Whoever asks for "show" or "help" alone means the word.
  return query.terms.size > 0 ? query : parse(text, () => false)
}

function parse(text: string, isIgnored: (word: string) => boolean): Query {
  const query: Query = { terms: new Map(), joined: new Map(), clauses: [] }
  let clause = new Map<string, number>()
  for (const { text: piece, weight, isValue } of pieces(text.slice(0, mostCharacters).replace(blob, " "))) {
    for (const [index, part] of (isValue ? [piece] : piece.split(clauseEnd)).entries()) {
      if (index > 0) {
        query.clauses.push(clause)
        clause = new Map()
      }
      addTerms(query, clause, words(part), weight, isIgnored)
    }
  }
  query.clauses.push(clause)
  // A clause of nothing but values is no request.
  query.clauses = query.clauses.filter((terms) => Math.max(0, ...terms.values()) === 1)
  return query
}

function addTerms(
  { terms, joined }: Query,
  clause: Map<string, number>,
  found: readonly string[],
  weight: number,
  isIgnored: (word: string) => boolean,
): void {
  for (const [index, word] of found.entries()) {
    const next = found[index + 1]
    if (next !== undefined) {
      for (const part of [word, next]) {
        if (!isIgnored(part)) joined.set(stem(part), [...(joined.get(stem(part)) ?? []), stem(word + next)])
      }
    }
    if (isIgnored(word) || terms.size >= mostTerms) continue
    const term = stem(word)
    const own = /^\p{N}+$/u.test(word) ? weight * numberWeight : weight
    for (const map of [terms, clause]) map.set(term, Math.max(own, map.get(term) ?? 0))
  }
}

/** Text and values in turn. A value counts little itself; what kind of value it is stands beside it. */
function pieces(text: string): Piece[] {
  const found: Piece[] = []
  let end = 0
  for (const match of text.matchAll(value)) {
    found.push({ text: text.slice(end, match.index), weight: 1, isValue: false }, ...describeValue(match[0]))
    end = match.index + match[0].length
    // A path takes the full stop of its sentence along.
    if (/[.?!]$/.test(match[0])) found.push({ text: "\n", weight: 1, isValue: false })
  }
  found.push({ text: text.slice(end), weight: 1, isValue: false })
  return found
}

function describeValue(text: string): Piece[] {
  const kind = (words: string, weight = valueKindWeight): Piece => ({ text: words, weight, isValue: true })
  if (/^https?:/.test(text)) return [kind("url web"), kind(text.replace(/^https?:/, ""), quotedWeight)]
  if (/^[A-Za-z]:\\|^~?\.{0,2}\//.test(text)) {
    const type = /\.(\w{1,5})[.,;?!]*$/.exec(text)?.[1]
    return type === undefined ? [kind("directory path")] : [kind("file path"), kind(type, fileTypeWeight)]
  }
  if (/^[^\s@]+@/.test(text)) return [kind("email")]
  return [kind(text, quotedWeight)]
}
