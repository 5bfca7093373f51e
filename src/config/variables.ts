// Which environment variables a server is configured with.
import { expandServer } from "./expand.ts"
import type { ServerConfig } from "./schema.ts"

/** The names in the server's `${…}`, sorted. */
export function variablesOf(server: ServerConfig): string[] {
  const names = new Set<string>()
  const env = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get(_, name) {
        names.add(String(name))
        return ""
      },
    },
  )
  try {
    // The expansion itself is asked: it alone knows what counts as a variable.
    expandServer("", server, env)
  } catch {
    // Nothing is a strange value for a URL or a program; by then every variable has been looked at.
  }
  return [...names].sort()
}
