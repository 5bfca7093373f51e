import { describe, expect, test } from "bun:test"
import type { Catalog } from "../../src/catalog.ts"
import { generateFiles } from "../../src/codegen/generate.ts"
import { combinationCases } from "./cases/combinations.ts"
import { generatorCases } from "./cases/generators.ts"
import { quirkCases } from "./cases/quirks.ts"
import { referenceCases } from "./cases/references.ts"
import { structureCases } from "./cases/structures.ts"
import { valueCases } from "./cases/values.ts"
import { hostileCatalog } from "./hostile.ts"
import { deepFreeze, runtime, toolOf, typeCheck } from "./typescript.ts"

const cases = [
  ...valueCases,
  ...structureCases,
  ...combinationCases,
  ...referenceCases,
  ...quirkCases,
  ...generatorCases,
]
const catalog: Catalog = {
  servers: [
    { name: "whole", tools: cases.map(({ name, given }) => toolOf(name, given)) },
    {
      name: "member",
      tools: cases.map(({ name, given }) => toolOf(name, { type: "object", properties: { it: given } })),
    },
    ...hostileCatalog.servers,
  ],
}

describe("everything that the cases generate", () => {
  test("type-checks in one strict program", async () => {
    expect(await typeCheck(generateFiles(catalog, { runtime }))).toBe("")
  }, 120_000)

  test("is the same when generated again, and in another order", () => {
    const reversed = {
      servers: catalog.servers.toReversed().map((server) => ({
        ...server,
        tools: server.tools.toReversed(),
        prompts: server.prompts?.toReversed() ?? [],
        resources: server.resources?.toReversed() ?? [],
        resourceTemplates: server.resourceTemplates?.toReversed() ?? [],
      })),
    }
    const files = [...generateFiles(catalog, { runtime })]
    expect([...generateFiles(catalog, { runtime })]).toEqual(files)
    expect([...generateFiles(reversed, { runtime })]).toEqual(files)
  })

  test("leaves its input as it was", () => {
    const copy = structuredClone(catalog)
    generateFiles(deepFreeze(copy), { runtime })
    expect(copy).toEqual(catalog)
  })

  test("has no any", () => {
    const code = [...generateFiles(catalog, { runtime })]
      .filter(([path]) => path.endsWith(".ts"))
      .map(([, text]) => text)
    const typed = code.join("").replace(/\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"/g, "")
    expect(typed).not.toMatch(/\bany\b/)
  })
})

describe("a hostile server", () => {
  const files = generateFiles(hostileCatalog, { runtime })
  const code = [...files].filter(([path]) => path.endsWith(".ts") && path !== "_runtime.ts")

  test("writes only where it may, in names that every file system can hold", () => {
    for (const path of files.keys())
      expect(path).toMatch(/^(?:[A-Za-z0-9][\w.-]{0,78}\/)?[A-Za-z0-9_][\w.-]{0,78}\.(?:ts|md|json)$/)
    for (const path of files.keys())
      expect(path).not.toMatch(/(?:^|\/)(?:con|aux|nul|prn|com\d|lpt\d)(?:\.|\/|$)|\.\.|\.\//i)
    const folded = [...files.keys()].map((path) => path.toLowerCase())
    expect(new Set(folded).size).toBe(folded.length)
  })

  test("says nothing outside comments and strings", () => {
    for (const [, text] of code) {
      const rest = text.replace(/"(?:[^"\\\n]|\\.)*"/g, '""').replace(/\/\*[\s\S]*?\*\//g, "")
      expect(rest).not.toMatch(/owned =|process\.|exit\(|URL=|`/)
    }
  })

  test("hides nothing: no control, direction or invisible characters", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be absent
    const hidden = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/u
    for (const [path, text] of files) if (!path.endsWith(".json")) expect(text).not.toMatch(hidden)
  })

  test("is called by its own names", () => {
    const calls = code.flatMap(([, text]) => [...text.matchAll(/callTool<\w+>\((".*"), (".*"), params, options\)/gu)])
    const called = calls.filter(([, server]) => server === '"all"').map(([, , tool]) => JSON.parse(tool as string))
    const given = hostileCatalog.servers.find(({ name }) => name === "all")?.tools.map(({ name }) => name) ?? []
    expect(called.length).toBeGreaterThan(60)
    for (const name of called) expect(given).toContain(name)
  })

  test("is asked for its prompts and resources by its own names too", () => {
    const all = hostileCatalog.servers.find(({ name }) => name === "all")
    const prompts = [
      ...(files.get("all/prompts.ts") ?? "").matchAll(/^ {2}return get\("all", (".*"), params, options\)$/gm),
    ]
    expect(prompts.map(([, name]) => JSON.parse(name as string)).sort()).toEqual(
      [...new Set(all?.prompts?.map(({ name }) => name))].sort(),
    )
    const uris = [...(files.get("all/resources.ts") ?? "").matchAll(/^ {2}\| (".*")$/gm)]
    expect(uris.map(([, uri]) => JSON.parse(uri as string)).sort()).toEqual(
      [...new Set(all?.resources?.map(({ uri }) => uri))].sort(),
    )
  })
})
