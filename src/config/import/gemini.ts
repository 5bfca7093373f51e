import type { Fields } from "../problems.ts"
import { parseJson } from "./parse-text.ts"
import { entriesOf, type Foreign, member, type Place, type Program, signInNote } from "./program.ts"
import { type Dialect, reference, shellVariables } from "./variables.ts"

/** On Windows also %VAR%, in the environment of a server. */
const variables: Dialect = {
  pattern: new RegExp(`${shellVariables.pattern.source}|%([A-Za-z_]\\w*)%`, "g"),
  replace(match, context) {
    const [, , , , percent] = match
    if (percent === undefined) return shellVariables.replace(match, context)
    return context.place.platform === "win32" && context.field.startsWith("env.") ? reference(percent) : undefined
  },
}

/** Gemini CLI. */
export const gemini: Program = {
  name: "gemini",
  title: "Gemini CLI",
  dialect: variables,
  sources: (place) => [
    { path: systemSettings(place), scope: "system" },
    { path: place.join(place.directory, ".gemini", "settings.json"), scope: "project" },
    { path: place.join(place.home, ".gemini", "settings.json"), scope: "user" },
  ],
  read(text, { path }) {
    const value = parseJson(text, path)
    const allowed = member(value, "mcp", "allowed")
    const excluded = member(value, "mcp", "excluded")
    return entriesOf(member(value, "mcpServers")).map(([name, entry]): Foreign => {
      const isLeftOut = (Array.isArray(allowed) && !allowed.includes(name)) || isIn(excluded, name)
      return readEntry(name, entry, isLeftOut)
    })
  },
}

function readEntry(name: string, entry: Fields, disabled: boolean): Foreign {
  const { type, command, args, env, cwd, url, httpUrl, headers, timeout, description } = entry
  const notes = signInNote(entry.oauth, entry.authProviderType)
  if (entry.tcp !== undefined && !command && !url && !httpUrl) {
    return { name, notes: ["skipped: it is reached over a web socket, which mcp-exec cannot do"] }
  }
  const remote = httpUrl === undefined ? { type, url } : { type: "http", url: httpUrl }
  return {
    name,
    entry: {
      ...(command === undefined ? remote : { command, args, env, cwd }),
      headers: command === undefined ? headers : undefined,
      description,
      disabled,
      timeoutMs: timeout,
      allow: withoutArguments(entry.includeTools),
      deny: withoutArguments(entry.excludeTools),
    },
    notes,
  }
}

/** A tool may be followed by the arguments that are meant. */
function withoutArguments(tools: unknown): unknown {
  if (!Array.isArray(tools)) return tools
  return tools.map((tool) => (typeof tool === "string" ? tool.replace(/\(.*\)$/s, "") : tool))
}

function isIn(list: unknown, name: string): boolean {
  return Array.isArray(list) && list.includes(name)
}

function systemSettings({ env, platform, join }: Place): string {
  if (env.GEMINI_CLI_SYSTEM_SETTINGS_PATH) return env.GEMINI_CLI_SYSTEM_SETTINGS_PATH
  if (platform === "win32") return join(env.ProgramData ?? "C:\\ProgramData", "gemini-cli", "settings.json")
  return platform === "darwin"
    ? "/Library/Application Support/GeminiCli/settings.json"
    : "/etc/gemini-cli/settings.json"
}
