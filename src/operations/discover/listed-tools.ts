// The tools that discovery_config.json lists, and those of them that are meant.
import { join } from "node:path"
import type { DiscoveryConfig, ListedTool } from "../../discovery/config.ts"
import { ConfigError, McpExecError } from "../../errors.ts"
import { nearMiss } from "../../suggest.ts"
import type { OperationContext } from "../context.ts"

/** Reads the file beside the configuration. Without one there is nothing that may be called. */
export async function readListed(context: OperationContext): Promise<DiscoveryConfig & { file: string }> {
  const { directory, servers, file: config } = await context.config()
  if (config === undefined) throw noProject()
  const [{ discoveryFile, parseDiscoveryConfig }, { isFile, readConfigText }] = await Promise.all([
    import("../../discovery/config.ts"),
    import("../../config/files.ts"),
  ])
  const file = join(directory, discoveryFile)
  if (!(await isFile(file))) {
    throw new ConfigError("E_CONFIG_NOT_FOUND", `There is no ${file}, so no tool may be called`, {
      hint: "Run mcp-exec discover init: it writes one, with the tools that only read.",
    })
  }
  return { file, ...parseDiscoveryConfig(await readConfigText(file), file, Object.keys(servers)) }
}

/** The error of a folder where nothing is configured. */
export function noProject(): ConfigError {
  return new ConfigError("E_CONFIG_NOT_FOUND", "No mcp_config.json was found, so there is nothing to discover", {
    hint: "mcp-exec init makes one. If there is one elsewhere, go to its folder, or name it with --config.",
  })
}

/** Which of the names are meant by `server`, `server.tool` and their other spellings. All, when nothing is named. */
export function selectTools<Each extends Pick<ListedTool, "server" | "tool">>(
  tools: readonly Each[],
  targets: readonly string[],
  where: string,
  /** What to do about one that is not there. */
  advice = "",
): Each[] {
  if (targets.length === 0) return [...tools]
  const selected = new Set<Each>()
  for (const target of targets) {
    const found = tools.filter(({ server, tool }) => {
      return [server, ...[".", "__", "/"].map((sign) => `${server}${sign}${tool}`)].includes(target)
    })
    if (found.length === 0) throw notThere(target, tools, where, advice)
    for (const tool of found) selected.add(tool)
  }
  return tools.filter((tool) => selected.has(tool))
}

function notThere(
  target: string,
  tools: readonly Pick<ListedTool, "server" | "tool">[],
  where: string,
  advice: string,
): McpExecError {
  const names = [...new Set(tools.flatMap(({ server, tool }) => [server, `${server}.${tool}`]))]
  const known = names.length === 0 ? "There is nothing" : nearMiss(target, names, "There are")
  return new McpExecError("E_USAGE", `'${target}' is not ${where}`, { hint: `${advice}${known}` })
}
