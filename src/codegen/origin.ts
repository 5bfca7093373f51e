// What the manifest remembers of a server so that a later look can tell, without generating anything,
// whether its files are still what they would be.
import { createHash } from "node:crypto"
import type { Server, Tool } from "../catalog.ts"

export interface Origin {
  /** Of the tools alone, as the server listed them. */
  offer: string
  /** Of the server's configuration. */
  config?: string
}

/** Where a server's files come from. */
export function originOf({ tools, config }: Server): Origin {
  return { offer: offerHash(tools), ...(config !== undefined && { config }) }
}

/** The same for the same tools, in whatever order. */
export function offerHash(tools: readonly Tool[]): string {
  const offered = tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) =>
    JSON.stringify([name, title, description, inputSchema, outputSchema, annotations]),
  )
  return createHash("sha256").update(offered.sort().join("\n")).digest("hex").slice(0, 16)
}
