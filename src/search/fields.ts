// A tool as the texts that are searched.
import type { JsonSchema, Tool } from "../catalog.ts"
import { isStopWord } from "./stop-words.ts"
import { stem, words } from "./tokenize.ts"

/** The stems of each part of a tool, most telling first. */
export type Fields = readonly [name: string[], description: string[], parameters: string[], explanations: string[]]

// Long texts say more about how a tool is called than about what it is for.
const mostWords = 400
const deepestSchema = 4
const shortestPart = 3
const shortestCompound = 7

/** The stems of a tool's name, description, parameter names and parameter descriptions. */
export function toolFields(tool: Tool): Fields {
  const parameters: string[] = []
  const explanations: string[] = []
  collectParameters(tool.inputSchema, parameters, explanations, 0)
  const name = words(tool.name)
  const description = wordsOf([tool.title ?? tool.annotations?.title ?? "", tool.description])
  const parameterWords = wordsOf(parameters)
  const explanationWords = wordsOf(explanations)
  const known = new Set([...description, ...parameterWords, ...explanationWords])
  const split = (word: string) => [word, ...partsOf(word, known)]
  return [
    name.flatMap(split).map(stem),
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
  for (const part of [schema.items, schema.anyOf, schema.oneOf, schema.allOf].flat()) {
    collectParameters(part, names, explanations, depth + 1)
  }
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function wordsOf(texts: readonly unknown[]): string[] {
  const found: string[] = []
  for (const text of texts) {
    if (found.length >= mostWords) break
    if (typeof text === "string") found.push(...words(text))
  }
  return found.slice(0, mostWords)
}

function stems(found: readonly string[]): string[] {
  return found.filter((word) => !isStopWord(word)).map(stem)
}

/** The words that a compound is made of, as far as the tool's own texts know them: "languagedetection". */
function partsOf(word: string, known: ReadonlySet<string>): string[] {
  if (word.length < shortestCompound) return []
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
function endOfPart(word: string, start: number, known: ReadonlySet<string>): number {
  for (let end = word.length; end >= start + shortestPart; end--) {
    const part = word.slice(start, end)
    if (part === word) continue
    if (known.has(part) || known.has(`${part}s`) || (part.endsWith("s") && known.has(part.slice(0, -1)))) return end
  }
  return start
}
