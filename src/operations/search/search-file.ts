// servers/_search.json: what a search must know of each server, made when its files are. A section
// belongs to one server and carries that server's hash, so that those who were not asked keep theirs.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Server } from "../../catalog.ts"
import type { Manifest } from "../../codegen/print-server.ts"
import { indexServer, type ServerSection, sectionFormat } from "../../search/section.ts"

export const searchFile = "_search.json"

interface Stored {
  /** The server's hash in the manifest. */
  hash: string
  section: ServerSection
}

interface SearchFile {
  format: 1
  servers: Record<string, Stored>
}

/** Its text for the servers in the manifest. Those that are not offered now keep what they had. */
export function printSearchFile(manifest: Manifest, offered: readonly Server[], directory: string): string {
  const previous = readSearchFile(directory)?.servers ?? {}
  const known = new Map(offered.map((server) => [server.name, server]))
  const servers: [string, Stored][] = []
  for (const [name, { hash }] of Object.entries(manifest.servers)) {
    const stored = storedSection(previous, name, hash)
    const server = known.get(name)
    if (stored !== undefined) servers.push([name, stored])
    else if (server !== undefined) servers.push([name, { hash, section: indexServer(server) }])
  }
  servers.sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify({ format: 1, servers: Object.fromEntries(servers) } satisfies SearchFile)}\n`
}

/** A server's section, if it was made of what the server offers by a program that made them as this one does. */
export function storedSection(servers: SearchFile["servers"], name: string, hash: string): Stored | undefined {
  const stored = Object.hasOwn(servers, name) ? servers[name] : undefined
  return stored?.hash === hash && stored.section?.format === sectionFormat ? stored : undefined
}

/** What was written last; undefined when there is nothing, or nothing that can be read. */
export function readSearchFile(directory: string): SearchFile | undefined {
  try {
    const file: unknown = JSON.parse(readFileSync(join(directory, searchFile), "utf8"))
    return isSearchFile(file) ? file : undefined
  } catch {
    return undefined // missing or broken: made anew by the next `generate`
  }
}

function isSearchFile(value: unknown): value is SearchFile {
  const { format, servers } = (value ?? {}) as Partial<SearchFile>
  return format === 1 && typeof servers === "object" && servers !== null
}
