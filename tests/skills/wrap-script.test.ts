import { describe, expect, test } from "bun:test"
import { readDeclaration } from "../../src/skills/read-declaration.ts"
import type { NamedArgument } from "../../src/skills/script-arguments.ts"
import { describedBy, wrapScript } from "../../src/skills/wrap-script.ts"

const wrap = (code: string, args: NamedArgument[] = []) =>
  wrapScript({ declaration: { name: "it", description: "d" }, args, code, from: "/p/work/a.ts", folder: "/p/skills" })
const declared = (text: string) => readDeclaration(text, "it")

describe("a script as a skill", () => {
  const lifted: [string, string, Record<string, unknown>][] = [
    [
      "const url = process.argv[2]\nconsole.log(url)",
      "const url = args.url",
      { url: { kind: "string", required: true } },
    ],
    ['const url = process.argv[2] ?? "x"', 'args.url ?? "x"', { url: { kind: "string", default: "x" } }],
    ["const n = Number(process.argv[2])", "Number(args.n)", { n: { kind: "number", required: true } }],
    ["let n = parseInt(process.argv[2] || '3')", "parseInt(args.n || '3')", { n: { kind: "integer", default: 3 } }],
    ["console.log(process.argv[2])", "console.log(args.argument1)", { argument1: { kind: "string", required: true } }],
    [
      'await echo({ message: process.argv[2] ?? "hi", n: Number(process.argv[3]) })',
      'message: args.message ?? "hi", n: Number(args.n)',
      { message: { kind: "string", default: "hi" }, n: { kind: "number", required: true } },
    ],
    [
      "console.log({ a: process.argv[2] }, { a: process.argv[3] })",
      "{ a: args.a }, { a: args.argument2 }",
      { a: { kind: "string", required: true }, argument2: { kind: "string", required: true } },
    ],
    [
      "const x = ok ? y : process.argv[2]",
      "ok ? y : args.argument1",
      { argument1: { kind: "string", required: true } },
    ],
    [
      'const [, , a, b = "2"] = process.argv',
      '= ["", "", args.a, args.b]',
      { a: { kind: "string", required: true }, b: { kind: "string", default: "2" } },
    ],
    ["const [a] = process.argv.slice(2)", "= [args.a]", { a: { kind: "string", required: true } }],
    ['const [a = "."] = process.argv.slice(2)\nconsole.log(a)', "= [args.a]", { a: { kind: "string", default: "." } }],
    ["console.log(args)\nconst x = process.argv[2]", "options.x", { x: { kind: "string", required: true } }],
    [
      'const url = process.argv[2] // "process.argv[3]"',
      'args.url // "process.argv[3]"',
      { url: { kind: "string", required: true } },
    ],
  ]
  for (const [code, contains, args] of lifted) {
    test(`takes its arguments by name: ${code.split("\n").at(-1)}`, () => {
      const { text, form } = wrap(code)
      expect(form).toBe("skill")
      expect(text).toContain(contains)
      expect(declared(text)).toMatchObject({ form: "declared", problems: [], declaration: { args } })
    })
  }

  const kept = [
    'import { parseArgs } from "node:util"\nparseArgs({})',
    "console.log(Bun.argv)",
    "const args = process.argv.slice(2)",
    "process.argv.forEach(console.log)",
    "console.log(process.argv.slice(3))\nconst x = 1",
    "const x = process.argv[2]\nconsole.log(process . argv, x)",
    "console.log(process.argv[1])",
    'export * from "./b.ts"\nconsole.log(1)',
    "declare global { interface A {} }\nconsole.log(1)",
    "console.log(args, options, given, process.argv[2])",
    "async function main() {}\nmodule.exports = main",
    "exports.main = async () => 1",
    "function main() {}\nif (require.main === module) main()",
  ]
  for (const code of kept) {
    test(`keeps its form: ${code.split("\n").at(-1)}`, () => {
      const { text, form } = wrap(code)
      expect(form).toBe("plain")
      expect(text).toStartWith("// SKILL: it\n// DESCRIPTION: d\n")
      expect(declared(text)).toMatchObject({ form: "header", declaration: { description: "d" } })
    })
  }

  test("is indented only where that changes no string", () => {
    expect(wrap("if (1) {\n  a()\n}").text).toContain("\n    if (1) {\n      a()\n    }\n")
    expect(wrap("a(`x\ny`)").text).toContain("\na(`x\ny`)\n")
  })

  test("calls the function that was the run", () => {
    expect(wrap("export async function main(a: string, b = 'x') { return a + b }").text).toContain(
      "return await main(args.a, args.b)",
    )
    expect(wrap("export default async (url: string) => url").text).toContain(
      "const main = async (url: string) => url\n    return await main(args.url)",
    )
    expect(wrap("export default function run() { return 1 }").text).toContain(
      "function run() { return 1 }\n    return await run()",
    )
    const guarded = wrap("export async function main(a: string) {}\nif (import.meta.main) await main(process.argv[2])")
    expect(guarded.text).not.toContain("return await main")
    expect(guarded.text).toContain("if (import.meta.main) await main(args.argument1)")
    const values = wrap("export const a = 1\nconst b = 2\nexport { b }\nconsole.log(a, b)")
    expect(values.form).toBe("skill")
    expect(values.text).not.toMatch(/export (const|\{)/)
  })

  test("imports from where it stood", () => {
    const { text } = wrap(
      `import a from "./b.ts"; import { c } from '../servers/d/index.ts'\nimport "node:fs"\nimport { callTool, skill } from "mcp-exec"\nconst e = await import("./f.ts")\nconst text = 'import x from "./y.ts"'`,
    )
    expect(text).toStartWith(
      `import a from "../work/b.ts"\nimport { c } from '../servers/d/index.ts'\nimport "node:fs"\nimport { callTool, skill } from "mcp-exec"\n\nexport default skill(`,
    )
    expect(text).toContain('await import("../work/f.ts")')
    expect(text).toContain(`'import x from "./y.ts"'`)
  })

  test("requires from where it stood", () => {
    const { text, form } = wrap(
      'const { a } = require("./b.cjs")\nconst c = require("node:fs")\nconst d = require.resolve("../e.json")\nconsole.log(exports)',
    )
    expect(form).toBe("skill")
    expect(text).toContain('const { a } = require("../work/b.cjs")')
    expect(text).toContain('const c = require("node:fs")')
    expect(text).toContain('require.resolve("../e.json")')
  })

  test("stays as it is when it is a skill, but for its name", () => {
    const code = 'const other = { name: "a" }\nexport default skill({ name: "old", description: "x" }, () => other)\n'
    expect(wrap(code)).toEqual({ text: code.replace('"old"', '"it"'), form: "unchanged", args: [] })
  })
})

test("parameters keep their types and defaults", () => {
  const { text } = wrap("export function main(a: number, b = 3, c?: string, d = true, e: boolean, f = now()) {}")
  expect(declared(text).declaration.args).toEqual({
    a: { kind: "number", required: true },
    b: { kind: "number", default: 3 },
    c: { kind: "string" },
    d: { kind: "boolean", default: true },
    e: { kind: "boolean" },
    f: { kind: "string" },
  })
})

test("a script describes itself by the comment at its top", () => {
  expect(describedBy("// Counts things.\nx", "/a.ts")).toBe("Counts things.")
  expect(describedBy("#!/usr/bin/env bun\n/** Counts. */\nx", "/a.ts")).toBe("Counts.")
  expect(describedBy("// biome-ignore lint: x\nx", "/a.ts")).toBe("")
  expect(describedBy("x // y", "/a.ts")).toBe("")
})
