// The generated servers, for those who want to know what a skill uses.
import { join } from "node:path"
import { readManifest } from "../../codegen/read-manifest.ts"
import type { KnownServer, KnownServers } from "../../skills/used-tools.ts"

/** What servers/index.json says; empty when nothing has been generated. */
export function readServers(project: string): KnownServers {
  const entries = Object.entries(readManifest(join(project, "servers"))?.servers ?? {})
  return new Map(entries.filter(([, entry]) => isServer(entry)))
}

function isServer(entry: Partial<KnownServer> | null): boolean {
  return typeof entry?.directory === "string" && typeof entry.tools === "object" && entry.tools !== null
}
