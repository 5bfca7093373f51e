// A tool as the texts that are searched.
import type { JsonSchema, Tool } from "../catalog.ts"
import { isStopWord } from "./stop-words.ts"
import { type Reader, words } from "./tokenize.ts"

/** The stems of each part of a tool, most telling first. */
export type Fields = readonly [name: string[], description: string[], parameters: string[], explanations: string[]]

// Long texts say more about how a tool is called than about what it is for.
const mostWords = 400
const deepestSchema = 4
const shortestPart = 3
const shortestCompound = 7
const beginnings = 1024

/** The stems of a tool's name, description, parameter names and parameter descriptions. */
export function toolFields(tool: Tool, reader: Reader): Fields {
  const parameters: string[] = []
  const explanations: string[] = []
  collectParameters(tool.inputSchema, parameters, explanations, 0)
  const name = words(tool.name)
  const description = wordsOf([tool.title ?? tool.annotations?.title ?? "", tool.description], words)
  // Tools are seldom described in the same words, but their parameters are.
  const parameterWords = wordsOf(parameters, reader.words)
  const explanationWords = wordsOf(explanations, reader.words)
  const known = knownWords([description, parameterWords, explanationWords])
  const split = (word: string) => (word.length < shortestCompound ? word : [word, ...partsOf(word, known)])
  const stems = (found: readonly string[]) => found.filter((word) => !isStopWord(word)).map(reader.stem)
  return [
    name.flatMap(split).map(reader.stem),
    stems(description),
    stems(parameterWords.flatMap(split)),
    stems(explanationWords),
  ]
}

function collectParameters(schema: unknown, names: string[], explanations: string[], depth: number): void {
  if (depth > deepestSchema || !isObject(schema)) return
  if (isObject(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      names.push(name)
      if (!isObject(property)) continue
      if (typeof property.description === "string") explanations.push(property.description)
      if (Array.isArray(property.enum)) explanations.push(...property.enum.filter((value) => typeof value === "string"))
      collectParameters(property, names, explanations, depth + 1)
    }
  }
  for (const parts of [schema.items, schema.anyOf, schema.oneOf, schema.allOf]) {
    if (Array.isArray(parts)) for (const part of parts) collectParameters(part, names, explanations, depth + 1)
    else collectParameters(parts, names, explanations, depth + 1)
  }
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function wordsOf(texts: readonly unknown[], wordsIn: Reader["words"]): string[] {
  const found: string[] = []
  for (const text of texts) {
    if (found.length >= mostWords) break
    if (typeof text === "string") for (const word of wordsIn(text)) found.push(word)
  }
  return found.slice(0, mostWords)
}

interface KnownWords {
  all: Set<string>
  /** How long the longest of those is that begin with the same two letters, or with two others of the same place. */
  longest: Uint32Array
}

function knownWords(lists: readonly (readonly string[])[]): KnownWords {
  const all = new Set<string>()
  const longest = new Uint32Array(beginnings)
  for (const list of lists) {
    for (const word of list) {
      all.add(word)
      const place = placeOf(word, 0)
      longest[place] = Math.max(longest[place] as number, word.length)
    }
  }
  return { all, longest }
}

function placeOf(word: string, at: number): number {
  return (word.charCodeAt(at) * 31 + word.charCodeAt(at + 1)) % beginnings || 0
}

/** The words that a compound is made of, as far as the tool's own texts know them: "languagedetection". */
function partsOf(word: string, known: KnownWords): string[] {
  const parts: string[] = []
  let start = 0
  while (start < word.length) {
    const end = endOfPart(word, start, known)
    if (end > start) parts.push(word.slice(start, end))
    start = Math.max(end, start + 1)
  }
  return parts.filter((part) => !isStopWord(part))
}

/** Where the longest known word ends that begins at `start`, or `start` when there is none. */
function endOfPart(word: string, start: number, { all, longest }: KnownWords): number {
  // A part may have an "s" more than the word that is known.
  const furthest = start + (longest[placeOf(word, start)] as number) + 1
  for (let end = Math.min(word.length, furthest); end >= start + shortestPart; end--) {
    const part = word.slice(start, end)
    if (part === word) continue
    if (all.has(part) || all.has(`${part}s`) || (part.endsWith("s") && all.has(part.slice(0, -1)))) return end
  }
  return start
}
