import type { Fields } from "../problems.ts"
import { parseYaml } from "./parse-text.ts"
import { configHome, entriesOf, type Foreign, member, type Program, seconds } from "./program.ts"
import { noVariables, Reference, reference } from "./variables.ts"

/** Goose. `env_keys` name secrets that it keeps in the system's key ring. */
export const goose: Program = {
  name: "goose",
  title: "Goose",
  dialect: noVariables,
  sources(place) {
    const { env, home, join, platform } = place
    const windows = join(env.APPDATA || join(home, "AppData", "Roaming"), "Block", "goose", "config")
    return [
      { path: join(platform === "win32" ? windows : join(configHome(place), "goose"), "config.yaml"), scope: "user" },
    ]
  },
  read: (text, { path }) => entriesOf(member(parseYaml(text, path), "extensions")).flatMap(readEntry),
}

/** Its own parts, which are no MCP servers of anybody else. */
const ownKinds = new Set(["builtin", "platform", "frontend", "inline_python"])
const transports = new Map([
  ["stdio", "stdio"],
  ["streamable_http", "http"],
  ["sse", "sse"],
])

function readEntry([name, entry]: [string, Fields]): Foreign[] {
  const { type, cmd, args, envs, uri, headers, description, enabled, timeout, available_tools } = entry
  const kind = typeof type === "string" ? type : ""
  if (ownKinds.has(kind)) return []
  const keys = Array.isArray(entry.env_keys) ? entry.env_keys.filter((key) => typeof key === "string") : []
  const secrets = Object.fromEntries(keys.map((key) => [key, new Reference(reference(key))]))
  const isRemote = cmd === undefined
  return [
    {
      name,
      entry: {
        type: transports.get(kind) ?? type,
        ...(isRemote
          ? { url: uri, headers: filledIn(headers, secrets, envs) }
          : { command: cmd, args, env: { ...secrets, ...(typeof envs === "object" ? envs : {}) } }),
        description: typeof description === "string" && description !== "" ? description : undefined,
        disabled: enabled === false,
        timeoutMs: seconds(timeout),
        // None named means all of them.
        allow: Array.isArray(available_tools) && available_tools.length === 0 ? undefined : available_tools,
      },
      notes:
        keys.length === 0
          ? []
          : [`${keys.join(", ")}: kept by Goose in the key ring; export ${plural(keys)} for mcp-exec`],
    },
  ]
}

/** In headers, Goose fills in the variables that the entry itself names. */
function filledIn(headers: unknown, secrets: Record<string, Reference>, envs: unknown): unknown {
  if (typeof headers !== "object" || headers === null) return headers
  return Object.fromEntries(
    Object.entries(headers).map(([header, value]) => {
      if (typeof value !== "string") return [header, value]
      const parts = value.split(/(\$\{\s*\w+\s*\}|\$\w+)/).map((part, index) => {
        const name = index % 2 === 1 ? part.replace(/[^\w]/g, "") : ""
        return secrets[name]?.text ?? String(member(envs, name) ?? part).replaceAll("${", () => "$${")
      })
      return [header, new Reference(parts.join(""))]
    }),
  )
}

function plural(keys: readonly string[]): string {
  return keys.length === 1 ? "it" : "them"
}
