import { describe, expect, test } from "bun:test"
import { combinationCases } from "./cases/combinations.ts"
import { generatorCases } from "./cases/generators.ts"
import { quirkCases } from "./cases/quirks.ts"
import { referenceCases } from "./cases/references.ts"
import { structureCases } from "./cases/structures.ts"
import { valueCases } from "./cases/values.ts"
import { typesOf } from "./typescript.ts"

const groups = {
  values: valueCases,
  structures: structureCases,
  combinations: combinationCases,
  references: referenceCases,
  quirks: quirkCases,
  generators: generatorCases,
}

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    for (const { name, given, want } of cases) {
      test(name, () => {
        expect(typesOf(given)).toBe(want)
      })
    }
  })
}

test("a schema without end has one", () => {
  let deep: unknown = { type: "string" }
  for (let level = 0; level < 5_000; level++) deep = { type: "array", items: deep }
  expect(typesOf(deep)).toContain("unknown /* the schema goes on too deep or too long */")
})

test("a schema that doubles with every definition stays small", () => {
  const $defs: Record<string, unknown> = { d0: { properties: { x: { type: "string" } } } }
  for (let level = 1; level < 40; level++) {
    const merged = { allOf: [{ $ref: `#/$defs/d${level - 1}` }, { properties: { y: { type: "number" } } }] }
    $defs[`d${level}`] = { properties: { left: merged, right: merged } }
  }
  expect(typesOf({ $ref: "#/$defs/d39", $defs }).length).toBeLessThan(500_000)
})

test("definitions that all merge each other end soon", () => {
  const names = Array.from({ length: 20 }, (_, at) => `d${at}`)
  const everybody = names.map((name) => ({ $ref: `#/$defs/${name}` }))
  const merged = (name: string) => ({ allOf: [{ properties: { [name]: everybody[7] } }, ...everybody] })
  const startedAt = performance.now()
  typesOf({ $ref: "#/$defs/d0", $defs: Object.fromEntries(names.map((name) => [name, merged(name)])) })
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

test("a schema with very many members is cut, not refused", () => {
  const properties = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`p${at}`, { type: "string" }]))
  expect(typesOf({ type: "object", properties })).toContain("p29999?: unknown /*")
})
