// Which directories a server is told to work in. A server may replace what its arguments allow by
// these (server-filesystem does), so the directories named in the arguments come before the workspace.
import type { Config, ServerConfig } from "../config/schema.ts"

export interface Root {
  uri: string
  name: string
}

/** The roots offered to a server: the config's, else the directories its arguments name, else the workspace. */
export async function rootsOf(server: ServerConfig, config: Config): Promise<Root[]> {
  const { basename, resolve } = await import("node:path")
  const { pathToFileURL } = await import("node:url")
  const configured = await Promise.all((server.roots ?? []).map((path) => absolutePath(path, config.directory)))
  const directories = configured.length > 0 ? configured : await namedDirectories(server, config)
  return [...new Set(directories.length > 0 ? directories : [resolve(config.workspace)])].map((path) => ({
    uri: pathToFileURL(path).href,
    name: basename(path) || path,
  }))
}

/** A path of the config as an absolute one. `~/` is the user's home. */
export async function absolutePath(path: string, base: string): Promise<string> {
  const { join, resolve } = await import("node:path")
  if (path !== "~" && !path.startsWith("~/")) return resolve(base, path)
  const { homedir } = await import("node:os")
  return join(homedir(), path.slice(1))
}

async function namedDirectories(server: ServerConfig, config: Config): Promise<string[]> {
  if (!("args" in server)) return []
  const { stat } = await import("node:fs/promises")
  // The server itself resolves its arguments against its working directory.
  const base =
    server.type === "stdio" && server.cwd !== undefined
      ? await absolutePath(server.cwd, config.directory)
      : config.directory
  const found = await Promise.all(
    server.args.map(async (argument) => {
      if (argument === "" || argument.startsWith("-")) return undefined
      const path = await absolutePath(argument, base)
      const entry = await stat(path).catch(() => undefined)
      return entry?.isDirectory() ? path : undefined
    }),
  )
  return found.filter((path) => path !== undefined)
}
