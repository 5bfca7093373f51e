import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import type { SkillDeclaration } from "../../src/guest/skill-declaration.ts"
import { describeSkill, usageLine } from "../../src/guest/skill-usage.ts"
import { readDeclaration } from "../../src/skills/read-declaration.ts"
import { repository } from "../fixtures/project.ts"

const names = readdirSync(join(repository, "skills"))
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.slice(0, -3))

test("five skills are shipped", () => {
  expect(names.sort()).toEqual(["compare-json", "multi-tool-pipeline", "search-files", "simple-fetch", "tool-report"])
})

for (const name of names) {
  describe(name, async () => {
    const { declaration }: { declaration: SkillDeclaration } = (await import(join(repository, `skills/${name}.ts`)))
      .default

    test("is named after its file, says when to use it, what it returns, and gives an example", () => {
      expect(declaration.name).toBe(name)
      for (const text of [declaration.description, declaration.whenToUse, declaration.returns]) {
        expect(text?.length).toBeGreaterThan(5)
      }
      const [start = ""] = usageLine(declaration).split(" -")
      expect(declaration.examples?.every((example) => example.startsWith(start.split(" [")[0] ?? ""))).toBe(true)
    })

    test("says the same of itself when it is read without being run", () => {
      const text = readFileSync(join(repository, `skills/${name}.ts`), "utf8")
      expect(readDeclaration(text, name)).toEqual({ form: "declared", declaration, problems: [] })
    })

    test("is described in at most 120 tokens", () => {
      expect(encode(describeSkill(declaration)).length).toBeLessThanOrEqual(120)
    })
  })
}
