// Which tools a script calls, as far as its text tells: by wrappers it imports, and by names in `callTool`.
import { maskSource } from "./mask-source.ts"
import { importsOf, requiresOf } from "./script-imports.ts"

/** What is known of a generated server: a part of its entry in servers/index.json. */
export interface KnownServer {
  directory: string
  tools: Record<string, { export: string; hash: string; file: string }>
}

export type KnownServers = ReadonlyMap<string, KnownServer>

export interface UsedTool {
  server: string
  tool: string
  /** Where in the text it is named. */
  at: number
  /** The wrapper that is called, as the script names it; absent for `callTool`. */
  local?: string
}

/** The generated folder that a specifier leads to. */
export function serverFolder(specifier: string): string | undefined {
  return /(?:^|\/)servers\/([^/]+)\/[^/]+$/.exec(specifier)?.[1] ?? /^#servers\/([^/]+)$/.exec(specifier)?.[1]
}

/** The tools that a script names. Those that nobody knows are named as the script does. */
export function usedTools(code: string, servers: KnownServers): UsedTool[] {
  const masked = maskSource(code)
  return [...fromWrappers(code, masked, servers), ...fromCalls(code, masked, servers)]
}

function fromWrappers(code: string, masked: string, servers: KnownServers): UsedTool[] {
  return [...importsOf(code, masked), ...requiresOf(code, masked)].flatMap(({ specifier, names, start }) => {
    const folder = serverFolder(specifier)
    const found = [...servers].find(([, { directory }]) => directory === folder)
    if (found === undefined) return []
    const [server, { tools }] = found
    const toolOf = (name: string) => Object.entries(tools).find(([, tool]) => tool.export === name)?.[0]
    return [...names].flatMap(([imported, local]) => {
      const whole =
        imported === "*" ? new RegExp(`(?<![\\w$.])${local.replaceAll("$", "\\$")}\\.([\\w$]+)`, "g") : undefined
      const wrappers = whole
        ? [...masked.matchAll(whole)].map((use) => ({ name: use[1] as string, local: use[0], at: use.index }))
        : [{ name: imported, local, at: start }]
      return wrappers.flatMap((wrapper) => {
        const tool = toolOf(wrapper.name)
        return tool === undefined ? [] : [{ server, tool, at: wrapper.at, local: wrapper.local }]
      })
    })
  })
}

/** `callTool("server", "tool", …)` and `callTool("server.tool", …)` */
function fromCalls(code: string, masked: string, servers: KnownServers): UsedTool[] {
  const call = /(?<![\w$.])callTool\s*(?:<[^()]*>)?\s*\(\s*(?=["'])/g
  return [...masked.matchAll(call)].flatMap((found) => {
    const rest = code.slice(found.index + found[0].length)
    const [, , first, , second] = /^(["'])([^"'\n]*)\1(?:\s*,\s*(["'])([^"'\n]*)\3)?/.exec(rest) ?? []
    if (first === undefined) return []
    const at = found.index
    if (second !== undefined) return [{ server: first, tool: second, at }]
    for (const server of servers.keys()) {
      for (const separator of [".", "__", "/"]) {
        if (first.startsWith(server + separator))
          return [{ server, tool: first.slice(server.length + separator.length), at }]
      }
    }
    const [server = "", tool = ""] = first.split(/\.|__|\/(.*)/s)
    return tool === "" ? [] : [{ server, tool, at }]
  })
}
