// Which results have a type in a server's types.discovered.ts. That file is text to us: it is never run.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Server } from "../catalog.ts"
import { namesOf, offerOf } from "../codegen/named-offer.ts"
import { readManifest } from "../codegen/read-manifest.ts"

/** Per server the tools whose result's type has been discovered. */
export function readDiscovered(directory: string, servers: readonly Server[]): Map<string, Set<string>> {
  const generated = readManifest(directory)?.servers ?? {}
  const found = new Map<string, Set<string>>()
  for (const server of servers) {
    const { name } = server
    const previous = Object.hasOwn(generated, name) ? generated[name] : undefined
    const folder = typeof previous?.directory === "string" ? previous.directory : name
    const types = exportedTypes(join(directory, folder, "types.discovered.ts"))
    if (types.size === 0) continue
    const known = [...namesOf(offerOf(server), previous).tools].filter(([, { type }]) => types.has(`${type}Result`))
    found.set(name, new Set(known.map(([tool]) => tool)))
  }
  return found
}

function exportedTypes(file: string): Set<string> {
  try {
    const text = readFileSync(file, "utf8")
    return new Set([...text.matchAll(/^export (?:type|interface) ([\p{L}\p{N}_$]+)/gmu)].map(([, type]) => type ?? ""))
  } catch {
    return new Set() // most servers have none
  }
}
