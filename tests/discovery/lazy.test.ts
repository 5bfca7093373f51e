import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

const src = join(import.meta.dir, "../../src")
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), "utf8")]))

/** The files that import a file: at once, or when they need it. */
function importersOf(target: string, kind: "eager" | "lazy"): string[] {
  const pattern =
    kind === "lazy" ? /import\("(\.[^"]+)"\)/g : /^(?:import|export)\s+(?!type\b)(?:[^"'`;]*?\sfrom\s+)?"(\.[^"]+)"/gm
  return files.filter((file) =>
    [...(texts.get(file) ?? "").matchAll(pattern)].some(
      ([, path]) => relative(src, join(src, dirname(file), path ?? "")) === target,
    ),
  )
}

test("quicktype is loaded by discover alone", () => {
  const loading = [...texts].filter(([, text]) => /^import (?!type\b)[^"]*"quicktype-core"/m.test(text))
  expect(loading.map(([file]) => file)).toEqual([])
  const asked = [...texts].filter(([, text]) => text.includes('await import("quicktype-core")')).map(([file]) => file)
  expect(asked).toEqual(["discovery/infer.ts"])
  // From outside there is one door to it, and that is opened when somebody discovers.
  const reached = new Set(asked)
  for (const file of reached) for (const importer of importersOf(file, "eager")) reached.add(importer)
  const outside = [...reached].filter((file) => !/^(?:discovery|operations\/discover)\//.test(file))
  expect(outside).toEqual([])
  const doors = [...reached].filter((file) => importersOf(file, "lazy").length > 0)
  expect(doors).toEqual(["operations/discover/discover.ts"])
})
