// Text → words → stems, the same way for tools and for queries. Knows no index.
import { stemmer } from "stemmer"

// Scripts that put no spaces between words: their text is taken as overlapping pairs of characters.
const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}"
const run = new RegExp(`[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+`, "gu")
const startsUnspaced = new RegExp(`^[${unspaced}]`, "u")

// ASCII, dashes, quotation marks and arrows.
const isPlain = /^[\0-\x7f\u2010-\u2027\u2190-\u21ff]*$/

// Names such as s3, k8s or mp3 stay whole; in longer ones, as in point1, the number is only a suffix.
const longestMixedWord = 4

/** The words of a text in lower case, split on case, separators and digits, without accents. */
export function words(text: string): string[] {
  return isPlain.test(text) ? plainWords(text) : anyWords(text)
}

function anyWords(text: string): string[] {
  const found: string[] = []
  for (const [piece] of simplify(text).matchAll(run)) {
    if (startsUnspaced.test(piece)) found.push(...pairs(piece))
    else if (piece.length <= longestMixedWord) found.push(piece)
    else found.push(...(piece.match(/\p{N}+|[^\p{N}]+/gu) ?? []))
  }
  return found
}

/** What remains of a name when case and separators are ignored: listIssues, list_issues and "list issues" are one. */
export function compactName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")
}

/** The stem of an English word; any other word is its own. */
export function stem(word: string): string {
  return /^[a-z]{3,}$/.test(word) ? stemmer(word) : word
}

/** `words` and `stem` for many texts, which have most words in common, and of which many are the same. */
export interface Reader {
  words(text: string): readonly string[]
  stem(word: string): string
}

/** A reader that remembers all that it has read. */
export function createReader(): Reader {
  return { words: remember(words), stem: remember(stem) }
}

function remember<Result>(find: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    let found = known.get(text)
    if (found === undefined) {
      found = find(text)
      known.set(text, found)
    }
    return found
  }
}

/** The same in half the time, for the texts that most tools have. */
function plainWords(text: string): string[] {
  const spaced = text.replace(/[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, "$& ").toLowerCase()
  const whole = spaced.replace(/([a-z])['’](?:s|t|re|ve|ll|d|m)(?![a-z])/g, "$1")
  const found = whole.match(/[a-z\d]+/g) ?? []
  if (!/\d/.test(whole)) return found
  return found.flatMap((piece) => (piece.length <= longestMixedWord ? piece : (piece.match(/\d+|[a-z]+/g) ?? [])))
}

function simplify(text: string): string {
  return text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/(\p{L})['’](?:s|t|re|ve|ll|d|m)(?!\p{L})/gu, "$1")
}

function pairs(text: string): string[] {
  const characters = [...text]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
