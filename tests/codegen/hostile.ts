// A catalog in which everything a server can say tries to break out of its place.
import type { Catalog, JsonSchema, Prompt, Resource, ResourceTemplate, Tool } from "../../src/catalog.ts"

const escapes = [
  "*/ export const owned = 1 /*",
  "`$".concat("{process.exit(1)}`"),
  '"; process.exit(1); "',
  "\u2028\u2029\r\n\0\u001b[31m",
  "\u202egnp.exe",
  "@ts-nocheck\n@ts-ignore\n@deprecated",
  "//# sourceMappingURL=file:///etc/passwd",
  "</script><img src=x onerror=alert(1)> ![x](https://tracker.test/x.png)",
  "\ud800 lone \udfff",
  "\\",
  "\\u002a/",
]

const names = [
  ..."list_issues list-issues listIssues list.issues LIST_ISSUES ListIssues delete Delete delete_ class default".split(
    " ",
  ),
  ..."index utils README types.discovered _runtime con CON aux nul com1 lpt9 __proto__ constructor then".split(" "),
  ..."callTool CallOptions Promise Array 2fa 123 .. . / ../../etc/passwd ..\\..\\x C:\\x a:b await".split(" "),
  ..."undefined NaN Infinity arguments eval let static import export async of get set type".split(" "),
  "",
  " ",
  "🙂",
  "日本語",
  "e\u0301t\u00e9",
  "\u00e9t\u00e9",
  "ﬁx",
  "İstanbul",
  "ß",
  "x".repeat(300),
  `${"x".repeat(300)}y`,
  "𝒳".repeat(60),
  ...escapes,
]

function schemaOf(text: string): JsonSchema {
  return {
    type: "object",
    title: text,
    description: text,
    properties: Object.fromEntries([
      [text, { type: "string", description: text, default: text, pattern: text, format: text, examples: [text] }],
      ["choice", { enum: [text, { [text]: text }, [text]] }],
      ["reference", { $ref: text, description: text }],
      [
        "named",
        { $ref: `#/$defs/${encodeURIComponent(text.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"))}` },
      ],
      ["map", { type: "object", additionalProperties: { const: text }, propertyNames: { pattern: text } }],
    ]),
    required: [text],
    $defs: Object.fromEntries([[text.toWellFormed(), { type: "object", properties: { [text]: { $ref: "#" } } }]]),
  }
}

function toolOf(name: string): Tool {
  const schema = schemaOf(name)
  const annotations = { title: name, readOnlyHint: true, idempotentHint: true }
  return { name, title: name, description: name, inputSchema: schema, outputSchema: schema, annotations }
}

function promptOf(name: string): Prompt {
  const args = ["__proto__", "constructor", "a b", name, name].map((arg) => ({ name: arg, description: name }))
  return { name, title: name, description: name, arguments: [...args, { name: `${name}!`, required: true }] }
}

function resourceOf(text: string): Resource {
  return { uri: text, name: text, title: text, description: text, mimeType: text }
}

/** One with everything that can be left open, and one with nothing but the text. */
function templatesOf(text: string): ResourceTemplate[] {
  const open = "{__proto__}{a,b.c}{+d}{#e}{.f}{/g*}{;h}{?constructor,j}{&k}"
  return [text, `${text}${open}`].map((uriTemplate) => ({ ...resourceOf(text), uriTemplate }))
}

export const hostileCatalog: Catalog = {
  servers: [
    ...["index.json", "_runtime.ts", "GitHub", "github", "con", "..", "__proto__", "a/b", "a\\b", "", ...escapes].map(
      (name) => ({
        name,
        description: name,
        version: name,
        instructions: name,
        tools: [toolOf("same"), toolOf("same")],
        resources: [resourceOf(name), resourceOf(name)],
        resourceTemplates: escapes.flatMap(templatesOf),
        prompts: [promptOf("same"), promptOf("same"), promptOf("same-prompt")],
      }),
    ),
    {
      name: "all",
      description: "Every name",
      tools: names.map(toolOf),
      prompts: names.map(promptOf),
      resources: names.map(resourceOf),
      resourceTemplates: escapes.map((name) => ({ name: "same", uriTemplate: `${name}{id}` })),
    },
  ],
}
