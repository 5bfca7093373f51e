// What a server offers, in the order in which it is written, and the names of it.
import type { Prompt, Resource, ResourceTemplate, Server, Tool } from "../catalog.ts"
import { type GivenNames, type HeldNames, nameOffer } from "./names.ts"
import { parseUriTemplate } from "./uri-template.ts"

export interface Offer {
  tools: Tool[]
  prompts: Prompt[]
  resources: Resource[]
  templates: ResourceTemplate[]
}

const mostListed = 100
const mostLetters = 20_000

/** Everything sorted, and each name once: of two with the same name only the first can be asked for. */
export function offerOf({ tools, prompts = [], resources = [], resourceTemplates = [] }: Server): Offer {
  return {
    tools: sortedBy(tools, ({ name }) => name),
    prompts: sortedBy(prompts, ({ name }) => name),
    resources: sortedBy(resources, ({ uri }) => uri),
    templates: sortedBy(resourceTemplates, ({ uriTemplate }) => uriTemplate),
  }
}

/** False when there are so many resources or templates that a list of them would help nobody. */
export function isListable(uris: readonly string[]): boolean {
  return uris.length <= mostListed && uris.reduce((sum, uri) => sum + uri.length, 0) <= mostLetters
}

/** The templates for which there is a function. */
export function callableTemplates({ templates }: Offer): ResourceTemplate[] {
  if (!isListable(templates.map(({ uriTemplate }) => uriTemplate))) return []
  return templates.filter(({ uriTemplate }) => parseUriTemplate(uriTemplate) !== undefined)
}

/** The names of an offer. What has one in the server's last entry of the manifest keeps it. */
export function namesOf(offer: Offer, previous?: unknown): GivenNames {
  const { tools, prompts } = offer
  return nameOffer(
    {
      tools: tools.map(({ name }) => name),
      prompts: prompts.map(({ name }) => name),
      templates: callableTemplates(offer),
    },
    heldNames(previous),
  )
}

/** The manifest was read from disk: it may say anything. */
function heldNames(entry: unknown): HeldNames {
  return {
    tools: exportsIn(member(entry, "tools")),
    prompts: exportsIn(member(entry, "prompts")),
    templates: exportsIn(member(member(entry, "resources"), "templates")),
  }
}

function exportsIn(entries: unknown): Map<string, string> {
  const names = Object.entries(entries ?? {}).map(([name, entry]) => [name, member(entry, "export")] as const)
  return new Map(names.filter((pair): pair is [string, string] => typeof pair[1] === "string"))
}

function member(value: unknown, name: string): unknown {
  const isObject = typeof value === "object" && value !== null
  return isObject && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const first = new Map<string, T>()
  for (const item of items) if (!first.has(keyOf(item))) first.set(keyOf(item), item)
  return [...first].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
}
