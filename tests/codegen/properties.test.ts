// What holds for every catalog. The cases are the same each time; more, or others: FC_RUNS=20000 FC_SEED=7.
import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv"
import fc from "fast-check"
import { noSample, sampleOf } from "../../bench/corpus/sample.ts"
import type { Catalog, JsonSchema, Server, Tool } from "../../src/catalog.ts"
import { generateFiles } from "../../src/codegen/generate.ts"
import type { Manifest } from "../../src/codegen/print-server.ts"
import { anyCatalog } from "./arbitrary-catalog.ts"
import { hostileMark, schemaDocument } from "./arbitrary-schema.ts"
import { callIn } from "./call-in.ts"
import { deepFreeze, runtime, typeCheck } from "./typescript.ts"

const seed = Number(process.env.FC_SEED ?? 1)
const numRuns = Number(process.env.FC_RUNS ?? 120)
const toolsPerProgram = 1_000
setDefaultTimeout(30_000 + 100 * numRuns)

const generate = (catalog: Catalog) => generateFiles(catalog, { runtime })

describe("whatever servers say", () => {
  always("the same catalog gives the same files, in whatever order it comes", (catalog) => {
    const files = JSON.stringify([...generate(catalog)])
    expect(JSON.stringify([...generate(structuredClone(catalog))])).toBe(files)
    expect(JSON.stringify([...generate(reversed(catalog))])).toBe(files)
  })

  always("the catalog stays as it was", (catalog) => {
    const before = JSON.stringify(catalog)
    generate(deepFreeze(catalog))
    expect(JSON.stringify(catalog)).toBe(before)
  })

  always("files have names that every file system can hold, none of them twice", (catalog) => {
    const paths = [...generate(catalog).keys()]
    for (const path of paths) {
      expect(path).toMatch(/^(?:[A-Za-z0-9][\w.-]{0,78}\/)?[A-Za-z0-9_][\w.-]{0,78}\.(?:ts|md|json)$/)
      expect(path).not.toMatch(/(?:^|\/)(?:con|aux|nul|prn|com\d|lpt\d)(?:\.|\/|$)|\.\.|\.\//i)
    }
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length)
  })

  always("without its types a wrapper is one function that makes one call, by the names as given", (catalog) => {
    const files = generate(catalog)
    const { servers } = JSON.parse(files.get("index.json") ?? "") as Manifest
    for (const [server, { tools }] of Object.entries(servers)) {
      for (const [tool, { file, export: name }] of Object.entries(tools)) {
        expect(callIn(files.get(file) ?? "")).toEqual({ name, given: [server, tool] })
      }
    }
  })

  always("no text leaves its comment or string, nothing is hidden, and there is no any", (catalog) => {
    for (const [path, file] of generate(catalog)) {
      if (!path.endsWith(".json")) expect(file).not.toMatch(hidden)
      if (!path.endsWith(".ts")) continue
      const code = file.replace(/\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)*`/g, "")
      expect(code).not.toContain(hostileMark)
      expect(code).not.toMatch(/\bany\b|["'`]/)
    }
  })

  test("all files are accepted by TypeScript", async () => {
    const catalogs = fc.sample(anyCatalog, { seed, numRuns: Math.ceil(numRuns / 4) })
    const servers = catalogs.flatMap((catalog) => catalog.servers).map((server, at) => ({ ...server, name: `s${at}` }))
    expect(await typeCheck(generate({ servers }))).toBe("")
  })

  test("types are accepted by TypeScript, and take the values that their schemas take", async () => {
    const documents = fc.sample(fc.tuple(schemaDocument, schemaDocument), { seed, numRuns })
    let checked = 0
    for (let from = 0; from < documents.length; from += toolsPerProgram) {
      const tools = documents.slice(from, from + toolsPerProgram).map(([inputSchema, outputSchema], at) => {
        return { name: `tool${from + at}`, description: "", inputSchema, outputSchema }
      })
      const files = generate({ servers: [{ name: "any", tools }] })
      const samples = tools.flatMap((tool) => assignments(tool, files.get(`any/${tool.name}.ts`) ?? ""))
      checked += samples.length
      const complaints = await typeCheck(new Map([...files, ["samples.ts", `${samples.join("\n")}\n`]]))
      expect(complaints === "" ? "" : explain(complaints, tools, samples)).toBe("")
    }
    expect(checked).toBeGreaterThan(numRuns / 4)
  })
})

/** A property of every catalog. */
function always(title: string, check: (catalog: Catalog) => void): void {
  test(title, () => fc.assert(fc.property(anyCatalog, check), { seed, numRuns }))
}

/** The same offers, the last one first. */
function reversed({ servers }: Catalog): Catalog {
  const lists = (server: Server) => Object.entries(server).filter(([, offers]) => Array.isArray(offers))
  const back = (server: Server) =>
    Object.fromEntries(lists(server).map(([name, offers]) => [name, offers.toReversed()]))
  return { servers: servers.map((server) => ({ ...server, ...back(server) })).toReversed() }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be absent
const hidden = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/u

/** Lines that give values to the types of a wrapper. */
function assignments({ name, inputSchema, outputSchema }: Tool, wrapper: string): string[] {
  const values = {
    Params: samplesOf(inputSchema).filter((sample) => Object.prototype.toString.call(sample) === "[object Object]"),
    Result: outputSchema ? samplesOf(outputSchema) : [],
  }
  return Object.entries(values).flatMap(([kind, samples]) => {
    const type = `${name.replace("t", "T")}${kind}`
    const known = wrapper.includes(`export type ${type} =`) ? samples : []
    return known.map((sample, at) => {
      return `export const ${name}${kind}${at}: import("./any/${name}.ts").${type} = ${quoted(sample)}`
    })
  })
}

/** JSON on one line, also by TypeScript's idea of lines. */
function quoted(sample: unknown): string {
  return JSON.stringify(sample).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
}

/** Values that a schema admits, by the word of somebody who knows. */
function samplesOf(schema: JsonSchema): unknown[] {
  const made = [false, true].map((full) => sampleOf(schema, schema, { full })).filter((sample) => sample !== noSample)
  try {
    // It warns of every format that it does not know.
    const plain = JSON.stringify(schema, (keyword, part) => (keyword === "format" ? undefined : part))
    const validate = new AjvJsonSchemaValidator().getValidator(JSON.parse(plain))
    return made.filter((sample) => validate(sample).valid)
  } catch {
    return [] // not a schema by its own standard
  }
}

/** The complaints, and the schema that the first is about. */
function explain(complaints: string, tools: Tool[], samples: string[]): string {
  const [first = ""] = complaints.split("\n")
  const line = samples[Number(/samples\.ts[(:](\d+)/.exec(first)?.[1] ?? 0) - 1]
  const name = /\btool\d+/.exec(line ?? first)?.[0]
  const tool = tools.find((each) => each.name === name)
  return [`seed ${seed}`, complaints.slice(0, 2_000), line, JSON.stringify(tool)].join("\n")
}
