import { describe, expect, test } from "bun:test"
import { loadQuicktype } from "../../src/discovery/infer.ts"
import { printDiscovered } from "../../src/discovery/print.ts"
import { addSample, emptyShape, type ToolShape } from "../../src/discovery/shape.ts"
import { settleWords } from "../../src/discovery/words.ts"
import { typeCheck } from "../codegen/typescript.ts"
import { assignment } from "./assignment.ts"
import { hostileKeys } from "./samples.ts"

const quicktype = await loadQuicktype()

function shapeOf(samples: readonly unknown[]): ToolShape {
  const shape = emptyShape()
  for (const [at, sample] of samples.entries()) addSample(shape, { at }, sample)
  settleWords(shape)
  return shape
}

/** The types of a tool called `list`, without comments. */
function typesOf(...samples: unknown[]): string {
  const text = printDiscovered(quicktype, [{ tool: "list", type: "List", shape: shapeOf(samples) }])
  return text.replace(/^(?:\/\/|\/\*\*).*\n/gm, "").trim()
}

const tree = (...children: unknown[]) => ({ name: "x", children })
const issue = (at: number) => ({ id: at, state: at % 2 === 0 ? "open" : "closed" })

describe("types", () => {
  const cases: { name: string; given: unknown[]; want: string }[] = [
    { name: "a text", given: ["a", "b"], want: "export type ListResult = string" },
    { name: "a number", given: [1, 2.5], want: "export type ListResult = number" },
    {
      name: "several kinds",
      given: [1, "x", true, null],
      want: "export type ListResult = boolean | number | string | null",
    },
    { name: "nothing but null, which says nothing", given: [null, null], want: "export type ListResult = unknown" },
    { name: "an empty array", given: [[], []], want: "export type ListResult = unknown[]" },
    { name: "an empty object", given: [{}, {}], want: "export type ListResult = { [key: string]: unknown }" },
    {
      name: "one sample: every member is optional",
      given: [{ a: 1, b: { c: "x" } }],
      want: "export type ListResult = {\n  a?: number\n  b?: ListB\n}\n\nexport type ListB = { c?: string }",
    },
    {
      name: "a member that is missing in a sample",
      given: [{ a: 1, b: 2 }, { a: 1 }],
      want: "export type ListResult = {\n  a: number\n  b?: number\n}",
    },
    {
      name: "a member that is missing in an element",
      given: [[{ a: 1, b: 2 }, { a: 1 }], [{ a: 3 }]],
      want: "export type ListResult = ListItem[]\n\nexport type ListItem = {\n  a: number\n  b?: number\n}",
    },
    {
      name: "members of which none is in all samples: there may be others",
      given: [{ rows: [{ id: 1, city: "x" }] }, { rows: [{ total: 1 }] }],
      want: "export type ListResult = { rows: ListRow[] }\n\nexport type ListRow = {\n  city?: string\n  id?: number\n  total?: number\n  [key: string]: unknown\n}",
    },
    {
      name: "members of which none is in all samples, at the top",
      given: [{ a: 1 }, { b: 1 }],
      want: "export type ListResult = {\n  a?: number\n  b?: number\n  [key: string]: unknown\n}",
    },
    {
      name: "members that are all missing in a sample",
      given: [{ a: 1 }, {}],
      want: "export type ListResult = { a?: number }",
    },
    {
      name: "a member that may be null",
      given: [{ a: null }, { a: "x" }],
      want: "export type ListResult = { a: string | null }",
    },
    {
      name: "a date, which is a text",
      given: [{ at: "2026-01-01T00:00:00Z" }, { at: "2026-01-02T00:00:00Z" }],
      want: "export type ListResult = { at: string }",
    },
    {
      name: "texts that look like something else",
      given: [
        { a: "1", b: "true", c: "550e8400-e29b-41d4-a716-446655440000" },
        { a: "2", b: "false", c: "x" },
      ],
      want: "export type ListResult = {\n  a: string\n  b: string\n  c: string\n}",
    },
    {
      name: "a map by its keys",
      given: [{ byId: { "1001": { n: 1 }, "1002": { n: 2 } } }, { byId: { "1003": { n: 3 } } }],
      want: "export type ListResult = { byId: { [key: string]: ListById } }\n\nexport type ListById = { n: number }",
    },
    {
      name: "a tree, of any depth",
      given: [tree(tree(), tree(tree())), tree()],
      want: "export type ListResult = {\n  children: ListResult[]\n  name: string\n}",
    },
    {
      name: "a tree of two kinds of nodes, of any depth",
      given: [{ folder: [{ file: 1 }, { folder: [{ file: 2 }, { folder: [] }] }] }, { file: 3 }],
      want: "export type ListResult = {\n  file?: number\n  folder?: ListResult[]\n  [key: string]: unknown\n}",
    },
    {
      name: "keys exactly as they arrive",
      given: [
        { "a-b": 1, a_b: 2, "A b": 3, aB: 4 },
        { "a-b": 1, a_b: 2, "A b": 3, aB: 4 },
      ],
      want: 'export type ListResult = {\n  "A b": number\n  "a-b": number\n  aB: number\n  a_b: number\n}',
    },
    {
      name: "an enum, where the evidence is strong",
      given: [1, 2, 3].map(() => ({ issues: Array.from({ length: 30 }, (_, at) => issue(at)) })),
      want: 'export type ListResult = { issues: ListIssue[] }\n\nexport type ListIssue = {\n  id: number\n  state: "closed" | "open"\n}',
    },
    {
      name: "no enum, where it is not",
      given: [{ issues: [issue(1), issue(2)] }, { issues: [issue(1)] }],
      want: "export type ListResult = { issues: ListIssue[] }\n\nexport type ListIssue = {\n  id: number\n  state: string\n}",
    },
  ]
  for (const { name, given, want } of cases) test(`of ${name}`, () => expect(typesOf(...given)).toBe(want))

  test("of all these cases are accepted by TypeScript, and take their samples", async () => {
    const tools = cases.map(({ given }, at) => ({ tool: `t${at}`, type: `T${at}`, shape: shapeOf(given) }))
    const lines = cases.flatMap(({ given }, at) => given.map((sample) => assignment(`T${at}Result`, sample)))
    expect(await check(printDiscovered(quicktype, tools), lines)).toBe("")
  })

  test("of hostile keys stay types of these keys", async () => {
    const keys = hostileKeys()
    const samples = [Object.fromEntries(keys.map((key) => [key, 1])), ...keys.map((key) => ({ [key]: { [key]: "x" } }))]
    const single = keys.map((key, at) => ({
      tool: `t${at}*/ `,
      type: `T${at}`,
      shape: shapeOf([
        { [key]: 1, name: "" },
        { [key]: 2, name: "" },
      ]),
    }))
    const all = { tool: "all\n*/ export const pwned = 1", type: "All", shape: shapeOf(samples) }
    const text = printDiscovered(quicktype, [...single, all])
    const lines = [
      ...samples.map((sample) => assignment("AllResult", sample)),
      ...keys.map((key, at) => assignment(`T${at}Result`, { [key]: 1, name: "" })),
    ]
    expect(await check(text, lines)).toBe("")
    const exported = [...text.matchAll(/^\s*export (\w+) (\w+)/gm)].map(([, kind, name]) => `${kind} ${name}`)
    expect(exported.filter((each) => !/^type (?:All|T\d+)\w*$/.test(each))).toEqual([])
  })

  test("of two tools never have the same name", async () => {
    const users = [
      { users: [{ id: 1 }], usersResult: { a: 1 } },
      { users: [{ id: 2 }], usersResult: { a: 2 } },
    ]
    const tools = [
      { tool: "list", type: "List", shape: shapeOf(users) },
      { tool: "list_users", type: "ListUsers", shape: shapeOf(users) },
      { tool: "list_users_result", type: "ListUsersResult", shape: shapeOf(users) },
    ]
    const text = printDiscovered(quicktype, tools)
    const names = [...text.matchAll(/^export type (\w+)/gm)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(printDiscovered(quicktype, tools.toReversed())).toBe(text)
    expect(await check(text, [])).toBe("")
  })

  test("say how many samples they rest on", () => {
    const print = (samples: unknown[]) =>
      printDiscovered(quicktype, [{ tool: "list", type: "List", shape: shapeOf(samples) }])
    expect(print([1])).toContain("/** What list answers: 1 sample */\nexport type ListResult")
    expect(print([1, 2])).toContain("/** What list answers: 2 samples */")
    expect(print([1])).toContain("after one sample only, all are")
  })

  test("of a shape that quicktype cannot take are unknown, and the others are not", () => {
    let runs = 0
    const failing = {
      ...quicktype,
      quicktypeMultiFileSync(...given: Parameters<typeof quicktype.quicktypeMultiFileSync>) {
        if (++runs === 1) throw new Error("Internal error")
        return quicktype.quicktypeMultiFileSync(...given)
      },
    }
    const tools = ["A", "B"].map((type) => ({ tool: type, type, shape: shapeOf([{ a: 1 }, { a: 2 }]) }))
    const text = printDiscovered(failing, tools)
    expect(text).toContain("export type AResult = unknown /* no type could be inferred */")
    expect(text).toContain("export type BResult = { a: number }")
  })

  test("may have nothing but optional members, where that is wished", () => {
    const shape = shapeOf([{ a: 1 }, { a: 2 }])
    const text = printDiscovered(quicktype, [{ tool: "list", type: "List", shape }], { allOptional: true })
    expect(text).toContain("export type ListResult = { a?: number }")
  })
})

function check(types: string, lines: readonly string[]): Promise<string> {
  const samples = `import type * as types from "./types.discovered.ts"\nexport type Used = typeof types\n${lines.join("\n")}\n`
  return typeCheck(
    new Map([
      ["types.discovered.ts", types],
      ["samples.ts", samples],
    ]),
  )
}
