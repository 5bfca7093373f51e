import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { nameOffer } from "../../src/codegen/names.ts"
import { settle, withHash } from "../../src/codegen/settle-names.ts"

type Names = Map<string, string>

/** The exports of tools, given those of an earlier run. */
function exportsOf(tools: readonly string[], held: Names = new Map()): Names {
  return new Map([...nameOffer({ tools }, { tools: held }).tools].map(([tool, name]) => [tool, name.export]))
}

const suffixed = /^listIssues_[0-9a-f]{6}$/

describe("who has a name keeps it", () => {
  test("when a tool comes that has a better claim", () => {
    const before = exportsOf(["list-issues"])
    expect(before.get("list-issues")).toBe("listIssues")
    const after = exportsOf(["list-issues", "list_issues"], before)
    expect(after.get("list-issues")).toBe("listIssues")
    expect(after.get("list_issues")).toMatch(suffixed)
    // Without a memory it is the more natural spelling that gets the name.
    expect(exportsOf(["list-issues", "list_issues"]).get("list_issues")).toBe("listIssues")
  })

  test("when the tool goes that had the plain name, which then waits for it or for a newcomer", () => {
    const both = exportsOf(["list-issues", "list_issues"])
    const one = exportsOf(["list-issues"], both)
    expect(one.get("list-issues")).toMatch(suffixed)
    expect(one.get("list-issues")).toBe(both.get("list-issues") as string)
    expect(exportsOf(["list-issues", "list_issues"], one)).toEqual(both)
    expect(exportsOf(["list-issues", "LIST ISSUES"], one).get("LIST ISSUES")).toBe("listIssues")
  })

  test("when a tool is removed and comes back after its name has been given away", () => {
    const first = exportsOf(["list_issues"])
    const second = exportsOf(["list-issues"], exportsOf([], first))
    const third = exportsOf(["list_issues", "list-issues"], second)
    expect(third.get("list-issues")).toBe("listIssues")
    expect(third.get("list_issues")).toMatch(suffixed)
  })

  test("when two come at once: both are told apart by their own names", () => {
    const before = exportsOf(["listIssues"])
    const after = exportsOf(["listIssues", "list_issues", "list.issues"], before)
    expect(after.get("listIssues")).toBe("listIssues")
    for (const newcomer of ["list_issues", "list.issues"]) {
      expect(after.get(newcomer)).toMatch(suffixed)
      expect(after.get(newcomer)).toBe(exportsOf(["listIssues", newcomer], before).get(newcomer) as string)
    }
    expect(new Set(after.values()).size).toBe(3)
  })

  test("but not a name that it cannot have got here", () => {
    const claims = ["../../etc/passwd", "default", "getUser", "listIssues_000000", "ListIssues", "", "listIssues "]
    for (const claim of claims) {
      expect(exportsOf(["list_issues", "get_user"], new Map([["list_issues", claim]]))).toEqual(
        exportsOf(["list_issues", "get_user"]),
      )
    }
    const greedy = new Map(["list_issues", "list-issues"].map((tool) => [tool, "listIssues"]))
    expect(new Set(exportsOf([...greedy.keys()], greedy).values()).size).toBe(2)
  })
})

test("names that were made to have the same hash still differ", () => {
  const wish = (owner: string) => ({ owner, identity: "same", name: "x", rank: 0 })
  const [given] = settle([[[wish("a"), wish("b"), wish("c"), wish("d")], undefined]])
  expect(new Set(given?.values()).size).toBe(4)
  expect([...(given ?? [])].map(([, name]) => name).slice(0, 2)).toEqual(["x", withHash("x", "same")])
})

describe("any tools", () => {
  const name = fc.oneof(
    fc
      .tuple(fc.constantFrom("list", "LIST", "List", "delete", "2"), fc.constantFrom("", "_", "-", ".", " ", "Issues"))
      .map((parts) => parts.join("")),
    fc.constantFrom("index", "con", "prompts", "then", "__proto__", "constructor", "日本", "é", "e\u0301", "", "🙂"),
    fc.string({ unit: "grapheme", maxLength: 6 }),
    fc.constantFrom("x", "X").map((letter) => letter.repeat(300)),
  )
  const names = fc.uniqueArray(name, { maxLength: 12 })
  const settings = { seed: 20_261_116, numRuns: 2_000 }

  test("adding tools to any set renames nobody, and no two have the same name", () => {
    fc.assert(
      fc.property(names, names, (tools, more) => {
        const before = exportsOf(tools)
        const after = exportsOf([...new Set([...more, ...tools])], before)
        for (const [tool, exported] of before) expect(after.get(tool)).toBe(exported)
        const folded = [...after.values()].map((exported) => exported.toLowerCase())
        expect(new Set(folded).size).toBe(folded.length)
      }),
      settings,
    )
  })

  test("nor does removing some, and the files and types stay too", () => {
    fc.assert(
      fc.property(names, fc.nat(12), (tools, count) => {
        const before = nameOffer({ tools }).tools
        const held = new Map([...before].map(([tool, { export: exported }]) => [tool, exported]))
        const after = nameOffer({ tools: tools.slice(count) }, { tools: held }).tools
        for (const [tool, given] of after) expect(given).toEqual(before.get(tool) as never)
      }),
      settings,
    )
  })

  test("their order makes no difference, with a memory or without", () => {
    fc.assert(
      fc.property(names, names, (tools, more) => {
        const all = [...new Set([...tools, ...more])]
        expect(exportsOf(all.toReversed())).toEqual(exportsOf(all))
        const held = exportsOf(tools)
        expect(exportsOf(all.toReversed(), held)).toEqual(exportsOf(all, held))
      }),
      settings,
    )
  })
})
