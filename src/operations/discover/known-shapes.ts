// The shapes that are stored beside a server's generated files.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { ManifestServer } from "../../codegen/print-server.ts"
import { readManifest } from "../../codegen/read-manifest.ts"
import type { ToolShape } from "../../discovery/shape.ts"
import { readShapes } from "../../discovery/shape-file.ts"

export const shapesFile = "types.discovered.json"
export const typesFile = "types.discovered.ts"

/** The shapes of a server's tools. `folder` is that of the server in servers/. */
export function readKnownShapes(directory: string, folder: string): Map<string, ToolShape> {
  try {
    return readShapes(readFileSync(join(directory, folder, shapesFile), "utf8"))
  } catch {
    return new Map() // most servers have none
  }
}

/** The shapes from which the types of wrappers come. */
export function findUsedShapes(directory: string, server: string): Map<string, ToolShape> {
  const entry = entryOf(directory, server)
  if (entry === undefined) return new Map()
  const shapes = readKnownShapes(directory, entry.directory)
  return new Map([...shapes].filter(([tool]) => Object.hasOwn(entry.tools, tool) && isUsed(entry, tool)))
}

/** False for a tool that declares its results: nobody sees the type that was discovered. */
function isUsed({ tools }: ManifestServer, tool: string): boolean {
  return tools[tool]?.result === "discovered"
}

/** What the manifest says of a server. */
export function entryOf(directory: string, server: string): ManifestServer | undefined {
  const servers = readManifest(directory)?.servers ?? {}
  const entry = Object.hasOwn(servers, server) ? servers[server] : undefined
  return typeof entry?.directory === "string" && typeof entry.tools === "object" && entry.tools !== null
    ? entry
    : undefined
}
