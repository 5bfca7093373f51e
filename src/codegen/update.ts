// The generator with its memory: servers that offer what they offered last time are not generated
// again, and those that could not be asked keep what they had.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Catalog } from "../catalog.ts"
import { type GenerateOptions, generateFiles } from "./generate.ts"
import { namesOf, offerOf } from "./named-offer.ts"
import { type GivenNames, nameServers } from "./names.ts"
import { originOf } from "./origin.ts"
import { filesHash, generatedPaths, type ManifestServer } from "./print-server.ts"
import { readManifest } from "./read-manifest.ts"
import { planWrite, updateFolder, type WritePlan } from "./write.ts"

export interface UpdateOptions extends Omit<GenerateOptions, "previous" | "folders" | "kept"> {
  /** Servers that are configured but gave no answer. */
  unreachable?: readonly string[]
}

/** Brings servers/ up to date with what servers offer. */
export async function updateServers(directory: string, catalog: Catalog, options: UpdateOptions): Promise<WritePlan> {
  let kept: string[] = []
  const plan = await updateFolder(directory, (root) => {
    const made = generate(root, catalog, options)
    kept = made.kept
    return made
  })
  return { ...plan, unchanged: [...plan.unchanged, ...kept].sort() }
}

/** What `updateServers` would do. Writes nothing. */
export function checkServers(directory: string, catalog: Catalog, options: UpdateOptions): WritePlan {
  const { files, keep, kept } = generate(directory, catalog, options)
  const plan = planWrite(directory, files, { keep })
  return { ...plan, unchanged: [...plan.unchanged, ...kept].sort() }
}

function generate(directory: string, catalog: Catalog, { unreachable = [], ...options }: UpdateOptions) {
  const previous = new Map(Object.entries(readManifest(directory)?.servers ?? {}).filter(([, entry]) => isEntry(entry)))
  const names = [...catalog.servers.map(({ name }) => name), ...unreachable]
  const folders = nameServers(names, new Map([...previous].map(([name, entry]) => [name, entry.directory])))
  const hasFolder = (name: string) => previous.get(name)?.directory === folders.get(name)
  const kept = new Map<string, ManifestServer>()
  for (const name of unreachable) {
    const entry = previous.get(name)
    if (entry !== undefined && hasFolder(name)) kept.set(name, entry)
  }
  for (const server of catalog.servers) {
    const entry = previous.get(server.name)
    if (entry === undefined || !hasFolder(server.name)) continue
    const origin = originOf(server, options.discovered?.get(server.name))
    const sameOffer = entry.hash === origin.hash
    if (sameOffer && isTrue(entry, namesOf(offerOf(server), entry)) && isIntact(directory, entry)) {
      kept.set(server.name, { ...entry, ...origin })
    }
  }
  const entries = [...kept.values()]
  return {
    files: generateFiles(catalog, { ...options, previous, folders, kept }),
    keep: new Set(entries.map((entry) => entry.directory)),
    kept: entries.flatMap(generatedPaths),
  }
}

/** False when a manifest does not say what would be written: somebody has changed it. */
function isTrue({ directory, tools, prompts = {}, resources }: ManifestServer, names: GivenNames): boolean {
  const sameTools = [...names.tools].every(([tool, { export: exported, file }]) => {
    return tools[tool]?.export === exported && tools[tool].file === `${directory}/${file}.ts`
  })
  const samePrompts = [...names.prompts].every(([prompt, name]) => prompts[prompt]?.export === name.export)
  const templates = resources?.templates ?? {}
  const sameTemplates = [...names.templates].every(([uri, name]) => templates[uri]?.export === name.export)
  return sameTools && samePrompts && sameTemplates && Object.keys(tools).length === names.tools.size
}

function isIntact(directory: string, entry: ManifestServer): boolean {
  const paths = generatedPaths(entry).map((path) => join(directory, path))
  if (!existsSync(join(directory, entry.directory, "utils.ts"))) return false
  try {
    return filesHash(paths.map((path) => readFileSync(path, "utf8"))) === entry.files
  } catch {
    return false // one is missing
  }
}

function isEntry(value: unknown): boolean {
  if (!isObject(value)) return false
  const { directory, hash, files, tools, prompts = {}, resources = {} } = value as Partial<ManifestServer>
  return (
    [directory, hash, files].every((text) => typeof text === "string") &&
    [tools, prompts, resources].every(isObject) &&
    Object.values(tools ?? {}).every((tool) => typeof tool?.file === "string")
  )
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null
}
