// The resources of a server → one file: their URIs as a type, a function that reads one, and one more for
// each template, which takes what the template leaves open.
import type { Resource, ResourceTemplate } from "../catalog.ts"
import { commentText, quote } from "./escape.ts"
import type { Type } from "./ir.ts"
import { callableTemplates, isListable, type Offer } from "./named-offer.ts"
import type { ExportName } from "./names.ts"
import type { PrintedFile } from "./print-prompts.ts"
import { printDefinition, printDocs } from "./print-types.ts"
import { header } from "./print-wrapper.ts"
import { isNamed, parseUriTemplate, type UriExpression, type UriTemplate, variablesOf } from "./uri-template.ts"

const maxDescription = 200
const textOrNumber: Type = {
  kind: "union",
  members: [
    { kind: "primitive", name: "string" },
    { kind: "primitive", name: "number" },
  ],
}
const addNamed = `/** What is given of these, by name. */
function named(first: string, separator: string, values: [name: string, value: unknown][]): string {
  const given = values.filter(([, value]) => value !== undefined)
  const parts = given.map(([name, value]) => name + "=" + encodeURIComponent(String(value)))
  return parts.length === 0 ? "" : first + parts.join(separator)
}
`

/** `<server>/resources.ts`; undefined when there are none. */
export function printResources(
  server: string,
  offer: Offer,
  names: ReadonlyMap<string, ExportName>,
): PrintedFile | undefined {
  if (offer.resources.length === 0 && offer.templates.length === 0) return undefined
  const templates = callableTemplates(offer)
  const readers = templates.map((each) => printReader(server, each, names.get(each.uriTemplate) as ExportName))
  // No template's function can be called `read`: all end in Resource, or in a hash.
  const imports = `import { type ListOptions, readResource as read, type ResourceResult } from "../_runtime.ts"\n`
  const readOne =
    "/** Reads a resource. */\n" +
    "export async function readResource(uri: ResourceUri, options?: ListOptions): Promise<ResourceResult> {\n" +
    `  return read(${quote(server)}, uri, options)\n}\n`
  const parts = [header + imports, printUris(server, offer), readOne, ...readers.map(({ text }) => text)]
  const expressions = templates.flatMap(({ uriTemplate }) => parseUriTemplate(uriTemplate) ?? [])
  if (expressions.some((part) => typeof part !== "string" && isNamed(part))) parts.push(addNamed)
  return {
    text: parts.join("\n"),
    exports: [["readResource", "type ResourceUri"], ...readers.map((each) => each.exports)],
  }
}

/** What is said of a resource in a line; its name only where the URI does not end in it. */
export function describeResource({ uri, name, title, description }: Resource): string {
  const label = title || name
  return shorten([uri.endsWith(label) ? "" : label, description ?? ""].filter((part) => part !== "").join(": "))
}

/** The same for a template, after which its function is named. */
export function describeTemplate({ name, title, description }: ResourceTemplate): string {
  return shorten(description || title || name)
}

function shorten(given: string): string {
  const text = commentText(given)
  return text.length <= maxDescription ? text : `${text.slice(0, maxDescription - 1).toWellFormed()}…`
}

function printUris(server: string, { resources, templates }: Offer): string {
  const all = [...resources.map(({ uri }) => uri), ...templates.map(({ uriTemplate }) => uriTemplate)]
  if (!isListable(all)) {
    const why = `There are ${all.length}: listResources(${quote(server)}) tells which.`
    return `${printDocs({ description: why, facts: [] }, "")}export type ResourceUri = string\n`
  }
  const members = [
    ...resources.map(printUri),
    ...templates.map(({ uriTemplate }) => `${printDocs({ facts: [uriTemplate] }, "  ")}  | ${openUri(uriTemplate)}\n`),
  ]
  return `export type ResourceUri =\n${members.join("")}`
}

function printUri(resource: Resource): string {
  const facts = resource.mimeType ? [resource.mimeType] : []
  return `${printDocs({ description: describeResource(resource), facts }, "  ")}  | ${quote(resource.uri)}\n`
}

/** Only plain letters may stand between backquotes. */
function openUri(uriTemplate: string): string {
  const parts = parseUriTemplate(uriTemplate) ?? []
  if (parts.length > 0 && parts.every((part) => typeof part === "string")) return quote(uriTemplate)
  const isPlain = parts.every((part) => typeof part !== "string" || /^[\w:/.?&=#%@+,;~-]+$/.test(part))
  if (parts.length === 0 || !isPlain) return "(string & {})"
  return `\`${parts.map((part) => (typeof part === "string" ? part : "$".concat("{string}"))).join("")}\``
}

function printReader(
  server: string,
  template: ResourceTemplate,
  name: ExportName,
): { text: string; exports: string[] } {
  const { uriTemplate, mimeType } = template
  const parsed = parseUriTemplate(uriTemplate) ?? []
  const type = `${name.type}Params`
  const properties = [...variablesOf(parsed)].map(([variable, { required }]) => {
    return { name: variable, type: textOrNumber, required, docs: { facts: [] } }
  })
  const takesAny = properties.length > 0
  const params = takesAny ? `params: ${type}${properties.some(({ required }) => required) ? "" : " = {}"}, ` : ""
  const facts = [...(mimeType ? [mimeType] : []), uriTemplate]
  return {
    text:
      (takesAny
        ? `${printDefinition({ name: type, type: { kind: "object", properties }, docs: { facts: [] } })}\n`
        : "") +
      printDocs({ description: describeTemplate(template), facts }, "") +
      `export async function ${name.export}(${params}options?: ListOptions): Promise<ResourceResult> {\n` +
      `  return read(${quote(server)}, ${printFilledIn(parsed)}, options)\n}\n`,
    exports: [name.export, ...(takesAny ? [`type ${type}`] : [])],
  }
}

/** An expression that gives the URI. */
function printFilledIn(template: UriTemplate): string {
  const parts = template.map((part) => (typeof part === "string" ? quote(part) : printExpression(part)))
  return parts.length === 0 ? '""' : parts.join(" + ")
}

function printExpression(expression: UriExpression): string {
  const { operator, variables } = expression
  const reserved = operator === "+" || operator === "#"
  const separator = operator === "" || reserved ? "," : operator === "?" ? "&" : operator
  const first = operator === "" || operator === "+" ? "" : operator
  const value = (name: string) => `params${/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${quote(name)}]`}`
  if (isNamed(expression)) {
    const pairs = variables.map((name) => `[${quote(name)}, ${value(name)}]`)
    return `named(${quote(first)}, ${quote(separator)}, [${pairs.join(", ")}])`
  }
  const values = variables.map((name) =>
    reserved ? `encodeURI(String(${value(name)}))` : `encodeURIComponent(${value(name)})`,
  )
  return `${first === "" ? "" : `${quote(first)} + `}${values.join(` + ${quote(separator)} + `)}`
}
