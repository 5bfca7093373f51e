import manifest from "../package.json" with { type: "json" }

/** The version of this program. */
export const version: string = manifest.version

/** Put in its place by the build: a hash of everything it is made of. */
declare const MCP_EXEC_BUILD: string

/** Tells one build of this program from another of the same version; from the source, where that is. */
export const build: string = typeof MCP_EXEC_BUILD === "string" ? MCP_EXEC_BUILD : import.meta.url
