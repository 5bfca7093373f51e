// servers/index.json, which says what has been generated. Whoever reads it back needs nothing of the generator.
import { within } from "../platform/paths.ts"
import { readWhole } from "../platform/read-whole.ts"
import type { Manifest } from "./print-server.ts"

export const manifestFile = "index.json"

/** What was generated last; undefined when there is nothing, or nothing that can be understood. */
export function readManifest(directory: string): Manifest | undefined {
  try {
    const manifest: unknown = JSON.parse(readWhole(within(directory, manifestFile)))
    return isManifest(manifest) ? manifest : undefined
  } catch {
    return undefined // missing or broken: everything is generated anew
  }
}

function isManifest(value: unknown): value is Manifest {
  return typeof value === "object" && value !== null && "format" in value && value.format === 1 && "servers" in value
}
