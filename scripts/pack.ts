// Makes a few files of the many that code splitting gives. A file of its own costs each start a microsecond and
// each load a hundred; as a function in a large file it costs next to nothing until it is called, because
// bytecode is decoded function by function.
import { Part } from "./pack-part.ts"

export interface Chunk {
  name: string
  text: string
}

/**
 * The texts of the program's files: the first is the program, the others are `./1.js`, `./2.js`, … that it loads.
 * `wanted` lists the chunks of each file but the last, which holds the rest. What a chunk imports goes with it.
 */
export function pack(chunks: readonly Chunk[], entry: string, wanted: readonly string[][]): string[] {
  const parts = new Map(chunks.map(({ name, text }) => [name, new Part(name, text)]))
  const place = (name: string, shelf: number) => {
    const part = parts.get(name)
    if (part === undefined || part.shelf <= shelf) return
    part.shelf = shelf
    for (const needed of part.imports) place(needed, shelf)
  }
  place(entry, 0)
  for (const [shelf, names] of [...wanted, [...parts.keys()]].entries()) for (const name of names) place(name, shelf)
  const main = parts.get(entry) as Part
  parts.delete(entry)
  const shelves: Part[][] = []
  for (const part of parts.values()) {
    shelves[part.shelf] ??= []
    part.key = `${part.shelf}.${shelves[part.shelf]?.push(part)}`
  }
  const keyOf = (name: string) => JSON.stringify(parts.get(name)?.key)
  const [early = "", ...late] = shelves.map((shelf) => `{${shelf.map((part) => part.asProperty(keyOf)).join(",\n")}}`)
  const files = late.map((_, index) => `() => import("./${index + 1}.js")`)
  return [
    `const $use = import.meta.require
const $shelves = [${early}]
const $files = [${files.join(", ")}]
const $values = {}
const $part = (key) => $values[key] = $shelves[key[0]][key]()
const $later = async (key) => {
  for (let shelf = $shelves.length; shelf <= key[0]; shelf++) {
    const { parts } = await $files[shelf - 1]()
    $shelves[shelf] ??= parts($values, $part, $later)
  }
  return $values[key] ?? $part(key)
}
${main.body(keyOf)}`,
    ...late.map(
      (shelf) => `const $use = import.meta.require\nexport const parts = ($values, $part, $later) => (${shelf})`,
    ),
  ]
}
