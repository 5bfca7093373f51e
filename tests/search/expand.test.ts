import { describe, expect, test } from "bun:test"
import { guessesFor } from "../../src/search/expand.ts"
import { stem } from "../../src/search/tokenize.ts"
import { indexOf, server, tool } from "./catalog.ts"

// Enough terms for many buckets, so that words of other beginnings are elsewhere.
const filler = Array.from({ length: 26 * 26 }, (_, number) => `${letter(number / 26)}${letter(number)}qqqzzz`)
const index = indexOf(
  server("weather", tool("forecast", "Temperature and humidity"), tool("filler", filler.slice(0, 390).join(" "))),
  server("files", tool("system", "Keeps a file"), tool("more", filler.slice(390).join(" "))),
)

function letter(number: number): string {
  return String.fromCharCode(97 + (Math.floor(number) % 26))
}

describe("a word that no tool has is guessed at", () => {
  const cases: { name: string; given: string; want: string[] }[] = [
    { name: "one letter too many", given: "humiddity", want: ["humid"] },
    { name: "two letters swapped", given: "forceast", want: ["forecast"] },
    { name: "the first two swapped", given: "ofrecast", want: ["forecast"] },
    { name: "two errors in a long word", given: "tempratrue", want: ["temperatur"] },
    { name: "one error in a server's name", given: "wheather", want: ["weather"] },
    { name: "two words in one", given: "filesystem", want: ["file", "system"] },
    { name: "too different", given: "telescope", want: [] },
    { name: "two errors in a short word", given: "fiex", want: [] },
    { name: "too short", given: "fle", want: [] },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => expect([...guessesFor(index, stem(given)).keys()]).toEqual(want))
  }
})
