// Where a server is, in words that are safe to print, paste and log.
import { hideInArguments, hideInUrl } from "../config/hide-secrets.ts"
import type { ServerConfig } from "../config/schema.ts"

/** A server's command or address without environment, headers, credentials in the URL or in flags. */
export function endpointOf(server: ServerConfig): string {
  switch (server.type) {
    case "stdio":
      return [server.command, ...hideInArguments(server.args)].join(" ")
    case "builtin":
      return [server.name, ...hideInArguments(server.args)].join(" ")
    default:
      return hideInUrl(server.url)
  }
}
