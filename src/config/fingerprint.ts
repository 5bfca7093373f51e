// Tells one configuration of a server from another, without keeping any of it. Credentials are no part
// of it: whoever has a fingerprint cannot even use it to confirm a guess.
import { createHash } from "node:crypto"
import { hideInArguments, hideInQuery, hideInUrl } from "./hide-secrets.ts"
import type { ServerConfig } from "./schema.ts"

const length = 12

/** The same as long as nothing has changed that decides what the server offers. */
export function fingerprintOf(server: ServerConfig): string {
  const { description, tools, normalize } = server
  const parts = [...sourceOf(server), description, tools?.allow, tools?.deny, normalize]
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, length)
}

/** Of variables and headers the names alone. */
function sourceOf(server: ServerConfig): unknown[] {
  switch (server.type) {
    case "stdio":
      return ["stdio", server.command, hideInArguments(server.args), namesOf(server.env), server.cwd]
    case "builtin":
      return ["builtin", server.name, hideInArguments(server.args), namesOf(server.env)]
    default:
      return [server.type, hideInUrl(server.url), hideInQuery(server.url), namesOf(server.headers)]
  }
}

function namesOf(values: Record<string, string>): string[] {
  return Object.keys(values).sort()
}
