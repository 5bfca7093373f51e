// Prompts and resources as they might come. The cases are the same each time; others: FC_SEED=7.
import { expect, test } from "bun:test"
import fc from "fast-check"
import type { Prompt, Resource, ResourceTemplate, Server } from "../../src/catalog.ts"
import { generateFiles } from "../../src/codegen/generate.ts"
import { text } from "./arbitrary-schema.ts"
import { runtime, typeCheck } from "./typescript.ts"

const seed = Number(process.env.FC_SEED ?? 1)
const names =
  "review review_prompt review-resource reviewPrompt read get prompts resources 2fa 日本 constructor __proto__"
const name = fc.oneof(fc.constantFrom(...names.split(" ")), text)
const expression = fc
  .tuple(fc.constantFrom("", "+", "#", ".", "/", ";", "?", "&"), fc.uniqueArray(name, { minLength: 1, maxLength: 3 }))
  .map(([operator, variables]) => `{${operator}${variables.join(",")}}`)
const uri = fc.array(fc.oneof(fc.constantFrom("memo://", "/"), text), { maxLength: 2 }).map((parts) => parts.join(""))
const about = { name, title: text, description: text, mimeType: text }
const options = { requiredKeys: ["name" as const], noNullPrototype: true }

const prompt: fc.Arbitrary<Prompt> = fc.record(
  {
    name,
    title: text,
    description: text,
    arguments: fc.array(
      fc.record({ name, description: text, required: fc.boolean() }, { requiredKeys: ["name"], noNullPrototype: true }),
      { maxLength: 4 },
    ),
  },
  options,
)
const resource: fc.Arbitrary<Resource> = fc
  .tuple(fc.record(about, options), uri)
  .map(([rest, of]) => ({ ...rest, uri: of }))
const template: fc.Arbitrary<ResourceTemplate> = fc
  .tuple(fc.record(about, options), uri, fc.array(expression, { maxLength: 3 }))
  .map(([rest, start, open]) => ({ ...rest, uriTemplate: start + open.join("/") }))
const server: fc.Arbitrary<Omit<Server, "name">> = fc.record({
  tools: fc.array(
    name.map((tool) => ({ name: tool, description: "", inputSchema: {} })),
    { maxLength: 3 },
  ),
  prompts: fc.array(prompt, { maxLength: 4 }),
  resources: fc.array(resource, { maxLength: 4 }),
  resourceTemplates: fc.array(template, { maxLength: 4 }),
})

const servers = fc.sample(server, { seed, numRuns: 200 }).map((offer, at) => ({ name: `s${at}`, ...offer }))
const files = generateFiles({ servers }, { runtime })

test("whatever prompts and resources a server has, they type-check in one strict program", async () => {
  const made = [...files.keys()].filter((path) => /\/(?:prompts|resources)\.ts$/.test(path))
  expect(made.length).toBeGreaterThan(300)
  expect(await typeCheck(files)).toBe("")
}, 120_000)

test("their text stays in comments and strings, and an index exports no name twice", () => {
  for (const [path, file] of files) {
    if (!path.endsWith(".ts") || path === "_runtime.ts") continue
    const code = file
      .replace(/\/\*[\s\S]*?\*\/|^\/\/.*|"(?:[^"\\\n]|\\.)*"/gm, "")
      .replace(/`[\w:/.?&=#%@+,;~-]*(?:\$\{string\}[\w:/.?&=#%@+,;~-]*)*`/g, "")
    expect(code).not.toMatch(/[`']|\bany\b|owned|process\./)
    if (!path.endsWith("/index.ts")) continue
    const exported = [...file.matchAll(/^export \{ (.*) \} from/gm)].flatMap(([, list]) => (list as string).split(", "))
    const plain = exported.map((each) => each.replace("type ", "").toLowerCase())
    expect(plain.filter((each, at) => plain.indexOf(each) !== at)).toEqual([])
  }
})
