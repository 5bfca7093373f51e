// Which directories a server is told to work in. A server may replace what its arguments allow by
// these (server-filesystem does), so the directories named in the arguments come before the workspace.
import type { Config, ServerConfig } from "../config/schema.ts"
import { absolutePath } from "../platform/absolute-path.ts"

export interface Root {
  uri: string
  name: string
}

/** The roots offered to a server: the config's, else the directories its arguments name, else the workspace. */
export async function rootsOf(server: ServerConfig, config: Config): Promise<Root[]> {
  const { basename, resolve } = await import("node:path")
  const { pathToFileURL } = await import("node:url")
  const configured = (server.roots ?? []).map((path) => absolutePath(path, config.directory))
  const directories = configured.length > 0 ? configured : await namedDirectories(server, config)
  return [...new Set(directories.length > 0 ? directories : [resolve(config.workspace)])].map((path) => ({
    uri: pathToFileURL(path).href,
    name: basename(path) || path,
  }))
}

async function namedDirectories(server: ServerConfig, config: Config): Promise<string[]> {
  if (!("args" in server)) return []
  const { stat } = await import("node:fs/promises")
  // The server itself resolves its arguments against its working directory.
  const base =
    server.type === "stdio" && server.cwd !== undefined ? absolutePath(server.cwd, config.directory) : config.directory
  const found = await Promise.all(
    server.args.map(async (argument) => {
      if (argument === "" || argument.startsWith("-")) return undefined
      const path = absolutePath(argument, base)
      const entry = await stat(path).catch(() => undefined)
      return entry?.isDirectory() ? path : undefined
    }),
  )
  return found.filter((path) => path !== undefined)
}
