// The name of a tool across servers: server__tool, server.tool or server/tool.
import { McpExecError, ServerError } from "../errors.ts"
import { nearMiss } from "../suggest.ts"

const separators = ["__", ".", "/"] as const
const forms = "server.tool, server__tool or server/tool"

/** Splits an identifier. Of several servers whose names it begins with, the longest is meant. */
export function resolveIdentifier(identifier: string, servers: readonly string[]): { server: string; tool: string } {
  let found: { server: string; tool: string } | undefined
  for (const server of servers) {
    if (!identifier.startsWith(server) || server.length <= (found?.server.length ?? 0)) continue
    const rest = identifier.slice(server.length)
    const separator = separators.find((each) => rest.startsWith(each))
    if (separator !== undefined) found = { server, tool: rest.slice(separator.length) }
  }
  if (found !== undefined && found.tool !== "") return found
  const at = found === undefined ? firstSeparator(identifier) : -1
  if (at > 0) throw unknownServer(identifier.slice(0, at), servers)
  const isServer = servers.includes(found?.server ?? identifier)
  throw new McpExecError(
    "E_USAGE",
    isServer ? `'${identifier}' names a server, but no tool of it` : `'${identifier}' is not the name of a tool`,
    { hint: `Write ${forms}.` },
  )
}

/** The error of a server that is not in the config. */
export function unknownServer(server: string, servers: readonly string[]): ServerError {
  return new ServerError("E_SERVER_UNKNOWN", server, `There is no server '${server}' in the configuration`, {
    hint:
      servers.length === 0
        ? "No servers are configured. They belong into `mcpServers` of mcp_config.json."
        : nearMiss(server, servers, "There are"),
  })
}

/** Where the server's name ends. -1 when there is no separator with something on both sides. */
function firstSeparator(identifier: string): number {
  const ends = separators
    .map((separator) => ({ at: identifier.indexOf(separator), length: separator.length }))
    .filter(({ at, length }) => at > 0 && at + length < identifier.length)
  return ends.length === 0 ? -1 : Math.min(...ends.map(({ at }) => at))
}
