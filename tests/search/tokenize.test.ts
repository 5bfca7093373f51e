import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { compactName, createReader, stem, words } from "../../src/search/tokenize.ts"

describe("words", () => {
  const cases: { name: string; given: string; want: string[] }[] = [
    { name: "snake case", given: "list_open_issues", want: ["list", "open", "issues"] },
    { name: "camel case", given: "listOpenIssues", want: ["list", "open", "issues"] },
    { name: "kebab case and dots", given: "github.list-issues", want: ["github", "list", "issues"] },
    { name: "capitals before a word", given: "parseHTMLPage", want: ["parse", "html", "page"] },
    { name: "a number after a long word", given: "point1", want: ["point", "1"] },
    { name: "short names with a digit", given: "s3 k8s mp3", want: ["s3", "k8s", "mp3"] },
    { name: "possessives and short forms", given: "today's isn't we’ll", want: ["today", "isn", "we"] },
    { name: "accents", given: "Café naïve", want: ["cafe", "naive"] },
    { name: "Chinese as pairs", given: "必应搜索", want: ["必应", "应搜", "搜索"] },
    { name: "a single Chinese character", given: "用", want: ["用"] },
    { name: "Japanese beside English", given: "Slackに送る", want: ["slack", "に送", "送る"] },
    { name: "Korean by spaces", given: "파일 읽기", want: ["파일", "읽기"] },
    { name: "Cyrillic and Greek", given: "Создать файл, αρχείο", want: ["создать", "фаил", "αρχειο"] },
    { name: "no words", given: "🚀 ... \n\t (*)[", want: [] },
    { name: "nothing", given: "", want: [] },
  ]
  for (const { name, given, want } of cases) {
    test(`of ${name}`, () => expect(words(given)).toEqual(want))
  }
})

test("plain text has the same words as beside text that is not plain", () => {
  const piece = fc.constantFrom(
    "it's",
    "'s",
    "’ll",
    "n't",
    "'T",
    "HTMLPage",
    "aB",
    "B",
    "k8s",
    "9",
    "_",
    " ",
    "—",
    "→",
    "x",
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 12 }), (pieces) => {
      const text = pieces.join("")
      expect(words(`${text} 。`)).toEqual(words(text))
    }),
  )
})

test("a reader finds the same words and stems as without it, also when asked again", () => {
  const reader = createReader()
  for (const text of ["Lists repositories", "Lists issues", "Lists repositories", ""]) {
    expect(reader.words(text)).toEqual(words(text))
    expect(reader.words(text).map(reader.stem)).toEqual(words(text).map(stem))
  }
})

test("stem joins the forms of English words and leaves others alone", () => {
  expect(["issues", "listing", "repositories"].map(stem)).toEqual(["issue", "list", "repository"].map(stem))
  expect(["必应", "k8s", "id"].map(stem)).toEqual(["必应", "k8s", "id"])
})

test("compactName makes one of all spellings of a name", () => {
  const spellings = ["list_issues", "listIssues", "List Issues", "list-issues", "list.issues "]
  expect(new Set(spellings.map(compactName))).toEqual(new Set(["listissues"]))
})
