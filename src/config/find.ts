// Which configuration file counts. On the path of every command, so it reads nothing and loads
// neither the parser nor the schema.
import { ConfigError } from "../errors.ts"
import { mayExist } from "../platform/may-exist.ts"
import { parentOf, resolveWithin } from "../platform/paths.ts"
import { isDirectory, isFile } from "./files.ts"

/** The names looked for in each folder, the first one wins. */
export const configFileNames = ["mcp_config.json", "mcp-config.json", ".mcp.json"]

export interface FindOptions {
  /** The value of --config. */
  flag?: string | undefined
  env: Record<string, string | undefined>
  cwd: string
}

/** The absolute path of the configuration: the flag, MCP_EXEC_CONFIG, or the nearest file from the cwd upward. */
export function findConfigFile({
  flag,
  env,
  cwd,
}: FindOptions): Promise<string> | Promise<string | undefined> | undefined {
  if (flag !== undefined) return namedFile(flag, "--config", cwd)
  const variable = env.MCP_EXEC_CONFIG
  // As with most tools, a variable set to nothing is the way to unset it for one command.
  if (variable !== undefined && variable !== "") return namedFile(variable, "MCP_EXEC_CONFIG", cwd)
  return searchUpward(cwd)
}

/** Not a promise when there is none, which a plain script would wait for. */
function searchUpward(start: string): Promise<string | undefined> | undefined {
  for (let directory: string | undefined = start; directory !== undefined; directory = parentOf(directory)) {
    const prefix = directory.endsWith("/") ? directory : `${directory}/`
    for (const name of configFileNames) {
      if (mayExist(prefix + name)) return firstFile(directory, name)
    }
  }
  return undefined
}

/** What was seen is most likely the file; a folder of that name does not count. */
async function firstFile(directory: string, name: string): Promise<string | undefined> {
  const prefix = directory.endsWith("/") ? directory : `${directory}/`
  if (await isFile(prefix + name)) return prefix + name
  for (const other of configFileNames.slice(configFileNames.indexOf(name) + 1)) {
    if (await isFile(prefix + other)) return prefix + other
  }
  const parent = parentOf(directory)
  return parent === undefined ? undefined : await searchUpward(parent)
}

async function namedFile(name: string, source: string, cwd: string): Promise<string> {
  const file = resolveWithin(cwd, name)
  if (name !== "" && (await isFile(file))) return file
  const problem =
    name === ""
      ? `${source} names no file`
      : (await isDirectory(file))
        ? `${source} names a directory, not a file: ${file}`
        : `${source} names a file that does not exist: ${file}`
  throw new ConfigError("E_CONFIG_NOT_FOUND", problem, {
    hint:
      source === "--config"
        ? `Give --config the path of a configuration file, such as ${configFileNames[0]}.`
        : `Point ${source} at a configuration file, or unset it to have ${configFileNames[0]} searched for.`,
    details: { source, file },
  })
}
