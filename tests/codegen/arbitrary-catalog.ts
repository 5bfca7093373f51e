// Servers and tools as they might come: any name, any word, any schema.
import fc from "fast-check"
import type { Catalog, Tool } from "../../src/catalog.ts"
import { schemaDocument, text } from "./arbitrary-schema.ts"

const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("list_issues", "listIssues", "list-issues", "LIST_ISSUES", "get", "Get") },
  {
    weight: 2,
    arbitrary: fc.constantFrom("delete", "index", "utils", "con", "__proto__", "constructor", "then", "2fa"),
  },
  { weight: 2, arbitrary: text },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 400 }).map((length) => "long_name".repeat(50).slice(0, length)) },
)

export const anyTool: fc.Arbitrary<Tool> = fc.record(
  {
    name,
    description: text,
    inputSchema: schemaDocument,
    title: text,
    outputSchema: schemaDocument,
    annotations: fc.record(
      { title: text, readOnlyHint: fc.boolean(), destructiveHint: fc.boolean(), idempotentHint: fc.boolean() },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
  { requiredKeys: ["name", "description", "inputSchema"], noNullPrototype: true },
)

const about = { title: text, description: text, mimeType: text }
const resource = described({ uri: text, name })
const uriTemplate = fc
  .tuple(text, fc.constantFrom("{id}", "{+path}", "{?q,r*}{&s}", "{/a,b}{#c:3}", "{__proto__}", "{", "{x y}", ""), text)
  .map((parts) => parts.join(""))
const template = described({ uriTemplate, name })
const prompt = fc.record(
  {
    name,
    title: text,
    description: text,
    arguments: fc.array(
      fc.record({ name, description: text, required: fc.boolean() }, { requiredKeys: ["name"], noNullPrototype: true }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ["name"], noNullPrototype: true },
)

const server = fc.record(
  {
    name,
    resources: fc.uniqueArray(resource, { maxLength: 3, selector: ({ uri }) => uri }),
    resourceTemplates: fc.uniqueArray(template, { maxLength: 3, selector: (each) => each.uriTemplate }),
    prompts: fc.uniqueArray(prompt, { maxLength: 3, selector: (each) => each.name }),
    tools: fc.uniqueArray(anyTool, { maxLength: 4, selector: (tool) => tool.name }),
    description: text,
    version: text,
    instructions: text,
  },
  { requiredKeys: ["name", "tools"], noNullPrototype: true },
)

export const anyCatalog: fc.Arbitrary<Catalog> = fc
  .uniqueArray(server, { maxLength: 3, selector: ({ name }) => name })
  .map((servers) => ({ servers }))

/** What names a resource, and anything that may be said of it. */
function described<T extends object>(model: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) {
  const more = fc.record(about, { requiredKeys: [], noNullPrototype: true })
  return fc.tuple(fc.record(model, { noNullPrototype: true }), more).map(([needed, words]) => ({ ...needed, ...words }))
}
