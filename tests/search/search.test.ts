import { describe, expect, test } from "bun:test"
import { searchIndex } from "../../src/search/search.ts"
import { files, github, indexOf, mail, server, tool } from "./catalog.ts"

const index = indexOf(github, files, mail)
const names = (query: string, options?: Parameters<typeof searchIndex>[2]) =>
  searchIndex(index, query, options).map((hit) => `${hit.server}.${hit.tool}`)

describe("the first hit", () => {
  const cases: { name: string; queries: string[]; want: string }[] = [
    {
      name: "is the tool of that name, in any spelling",
      queries: [
        "list_issues",
        "listIssues",
        "LIST ISSUES",
        "github.list_issues",
        "github list issues",
        "github/list_issues",
      ],
      want: "github.list_issues",
    },
    { name: "is a tool whose name begins so", queries: ["convertC", "convert_curr"], want: "mail.convertCurrency" },
    { name: "fits another form of the words", queries: ["deleting branches"], want: "github.delete_branch" },
    { name: "fits a synonym", queries: ["erase a branch", "drop branch"], want: "github.delete_branch" },
    { name: "fits a synonymous noun", queries: ["what is in this folder"], want: "filesystem.list_directory" },
    {
      name: "fits in spite of a typo",
      queries: ["curency", "convrt currencys", "ucrrency"],
      want: "mail.convertCurrency",
    },
    { name: "fits two words for one", queries: ["pullrequest"], want: "github.get_pull_request" },
    { name: "fits by a parameter", queries: ["recipients"], want: "mail.sendMessage" },
    { name: "fits a whole question", queries: ["How do I save text to /tmp/a.txt?"], want: "filesystem.write_file" },
  ]
  for (const { name, queries, want } of cases) {
    for (const query of queries) test(`${name}: ${query}`, () => expect(names(query)[0]).toBe(want))
  }
})

test("a tool whose name is the query goes before those whose names begin with it, and these before all others", () => {
  const many = indexOf(
    server("a", tool("find_all_search", "search search search"), tool("search_code", "Finds code")),
    server("b", tool("search", "Anything"), tool("lookup", "Search")),
  )
  const found = searchIndex(many, "search").map((hit) => hit.tool)
  expect(found.slice(0, 2)).toEqual(["search", "search_code"])
  expect(found.slice(2).sort()).toEqual(["find_all_search", "lookup"])
})

test("a word that the index knows is not taken for a typo", () => {
  const close = indexOf(server("s", tool("post_letter", "Post a letter"), tool("make_latter", "The latter of two")))
  expect(searchIndex(close, "letter").map((hit) => hit.tool)).toEqual(["post_letter"])
})

test("a rare synonym is no better than the common word that was asked for", () => {
  const common = Array.from({ length: 30 }, (_, number) => tool(`n${number}`, "Can list things"))
  const found = searchIndex(indexOf(server("s", tool("rare", "Can obtain things"), ...common)), "list things", {
    limit: 50,
  })
  expect(found.at(-1)?.tool).toBe("rare")
})

test("two words of the query are found where they are written as one", () => {
  const zip = indexOf(server("s", tool("a", "Any code"), tool("b", "Look up a zipcode"), tool("c", "Zip a folder")))
  expect(searchIndex(zip, "zip code")[0]?.tool).toBe("b")
})

test("each clause of a question finds its tool, however much more another clause says", () => {
  const question = "Create an issue with a title in the repository, list comments on the issue and convert money"
  expect(names(question, { limit: 3 })).toEqual([
    "github.create_issue",
    "github.list_issue_comments",
    "mail.convertCurrency",
  ])
})

test("of two tools alike, the one whose server has more that fits goes first", () => {
  const save = tool("save_note", "Save a note")
  const two = indexOf(server("alone", save, tool("ping")), server("zeta", save, tool("note_list"), tool("note_find")))
  expect(searchIndex(two, "save one more note")[0]?.server).toBe("zeta")
})

test("servers take turns when their tools fit alike", () => {
  const weather = (name: string) => server(name, tool("city_weather", "Forecast"), tool("town_weather", "Forecast"))
  const index = indexOf(weather("one"), weather("two"), weather("three"))
  const found = searchIndex(index, "weather forecast", { limit: 3 })
  expect(new Set(found.map((hit) => hit.server)).size).toBe(3)
})

test("a server's tools stay together when the others fit much worse", () => {
  expect(names("issues of a repository", { limit: 3 }).every((name) => name.startsWith("github."))).toBe(true)
})

test("only the tools of the server that was asked for are found", () => {
  expect(new Set(searchIndex(index, "list", { server: "mail" }).map((hit) => hit.server))).toEqual(new Set(["mail"]))
  expect(searchIndex(index, "list", { server: "nobody" })).toEqual([])
})

test("no more hits come than wanted, ten unless told, and they are the same ones", () => {
  const many = indexOf(
    server("s", ...Array.from({ length: 300 }, (_, number) => tool(`list_${number}`, "List things"))),
  )
  const all = searchIndex(many, "list things", { limit: 1_000 })
  expect(all).toHaveLength(300)
  expect(searchIndex(many, "list things")).toEqual(all.slice(0, 10))
  expect(searchIndex(many, "list things", { limit: 3 })).toEqual(all.slice(0, 3))
  for (const limit of [0, -1, Number.NaN]) expect(searchIndex(many, "list things", { limit })).toEqual([])
})

test("scores fall from hit to hit, and equal ones keep the server's order", () => {
  for (const query of ["list", "repository", "send a file to people and list issues"]) {
    const scores = searchIndex(index, query, { limit: 50 }).map((hit) => hit.score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(Math.min(...scores)).toBeGreaterThan(0)
  }
  const same = indexOf(server("s", ...["zeta", "alpha", "mid"].map((name) => tool(name, "The same words"))))
  expect(searchIndex(same, "same words").map((hit) => hit.tool)).toEqual(["zeta", "alpha", "mid"])
})

test("Chinese questions find Chinese tools", () => {
  const chinese = indexOf(
    server("bing", tool("a", "使用必应搜索指定的关键词"), tool("b", "获取对应网页的内容")),
    github,
  )
  expect(searchIndex(chinese, "网页内容")[0]?.tool).toBe("b")
  expect(searchIndex(chinese, "搜索关键词")[0]?.tool).toBe("a")
})

describe("odd queries", () => {
  const nothing = ["", "   ", "\n\t", "🚀🔥", "...", "(*)[", "\u0000", "zzqqxx"]
  for (const query of nothing) {
    test(`find nothing: ${JSON.stringify(query)}`, () => expect(searchIndex(index, query)).toEqual([]))
  }

  const hostile: [string, string][] = [
    ["100 KB of words", "list issues ".repeat(9_000)],
    ["100 KB without a space", "x".repeat(100_000)],
    ["100 KB of Chinese", "搜".repeat(100_000)],
    ["100 KB of quotes", `'"\`[‘“`.repeat(17_000)],
    ["100 KB of paths", "/a".repeat(50_000)],
    ["regular expressions", ".*+?^$ {}()|[]\\ (a+)+$ list"],
    ["lone surrogates", "\ud800 list \udfff"],
    ["names of object members", "constructor __proto__ toString hasOwnProperty valueOf"],
    ["separators of the index", "= == a=b list=AA"],
  ]
  for (const [name, query] of hostile) {
    test(`never throw and are soon answered: ${name}`, () => {
      const startedAt = performance.now()
      expect(Array.isArray(searchIndex(index, query))).toBe(true)
      // Far from what it takes: this is about queries that would never be answered.
      expect(performance.now() - startedAt).toBeLessThan(30_000)
    })
  }
})
