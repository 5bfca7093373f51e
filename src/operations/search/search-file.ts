// servers/_search.json: all that a search must know of the generated servers, made when their files are. What a
// server offered is known by its hash, so that those who were not asked keep what they had.
import type { Server } from "../../catalog.ts"
import type { Manifest, ManifestServer } from "../../codegen/print-server.ts"
import { within } from "../../platform/paths.ts"
import { readWhole } from "../../platform/read-whole.ts"
import { isSegment } from "../../search/open-index.ts"
import { indexServer, joinServers, type Segment, type ServerTerms, takeApart } from "../../search/segment.ts"
import { createReader } from "../../search/tokenize.ts"

export const searchFile = "_search.json"

/** Its text for the servers in the manifest. */
export function printSearchFile(manifest: Manifest, offered: readonly Server[], directory: string): string {
  const previous = readSearchFile(directory)
  const entries = Object.entries(manifest.servers)
  const isSame = previous !== undefined && knowsExactly(previous, entries)
  return `${JSON.stringify(isSame ? previous : makeSegment(entries, offered, previous))}\n`
}

/** What was written last; undefined when there is nothing, or nothing that can be searched. */
export function readSearchFile(directory: string): Segment | undefined {
  try {
    const segment: unknown = JSON.parse(readWhole(within(directory, searchFile)))
    return isSegment(segment) ? segment : undefined
  } catch {
    return undefined // missing or broken: made anew by the next `generate`
  }
}

/** What the manifest alone says: enough to find tools, should the file be missing. */
export function segmentFromManifest(servers: Iterable<[string, ManifestServer]>): Segment {
  return joinServers([...servers].map(([name, entry]) => fromManifest(name, entry)))
}

function knowsExactly({ servers }: Segment, entries: readonly [string, ManifestServer][]): boolean {
  const hashes = new Map(servers.map(({ name, hash }) => [name, hash]))
  return hashes.size === entries.length && entries.every(([name, { hash }]) => hashes.get(name) === hash)
}

function makeSegment(
  entries: readonly [string, ManifestServer][],
  offered: readonly Server[],
  previous: Segment | undefined,
): Segment {
  const known = new Map(offered.map((server) => [server.name, server]))
  const kept = new Map((previous === undefined ? [] : takeApart(previous)).map((part) => [part.server.name, part]))
  const reader = createReader()
  const parts = entries.map(([name, entry]): ServerTerms => {
    const before = kept.get(name)
    if (before?.server.hash === entry.hash) return before
    const server = known.get(name)
    if (server === undefined) return fromManifest(name, entry)
    const descriptions = server.tools.map((tool) => entry.tools[tool.name]?.description ?? "")
    return indexServer(server, entry.hash, descriptions, reader)
  })
  return joinServers(parts)
}

function fromManifest(name: string, { hash, description, tools }: ManifestServer): ServerTerms {
  const named = Object.entries(tools).map(([tool, entry]) => {
    return { name: tool, description: entry.description, inputSchema: {} }
  })
  return indexServer({ name, ...(description !== undefined && { description }), tools: named }, hash)
}
