import type { Fields } from "../problems.ts"
import { parseJson } from "./parse-text.ts"
import { entriesOf, type Foreign, member, type Program, seconds, signInNote } from "./program.ts"
import { envVariables } from "./variables.ts"
import { editorFolders } from "./vscode.ts"

/** Cline, on its own and inside VS Code. */
export const cline: Program = {
  name: "cline",
  title: "Cline",
  dialect: envVariables,
  sources(place) {
    const { env, home, join } = place
    const file = "cline_mcp_settings.json"
    return [
      ...(env.CLINE_MCP_SETTINGS_PATH ? [env.CLINE_MCP_SETTINGS_PATH] : []),
      join(home, ".cline", "data", "settings", file),
      join(home, ".cline", "mcp.json"),
      ...editorFolders(place).map((folder) =>
        join(folder, "globalStorage", "saoudrizwan.claude-dev", "settings", file),
      ),
    ].map((path) => ({ path, scope: "user" as const }))
  },
  read: (text, { path }) => entriesOf(member(parseJson(text, path), "mcpServers")).map(readEntry),
}

function readEntry([name, entry]: [string, Fields]): Foreign {
  const nested = typeof entry.transport === "object" && entry.transport !== null ? (entry.transport as Fields) : {}
  const { command, args, env, cwd, url, headers, type, transportType } = { ...entry, ...nested }
  return {
    name,
    entry: {
      // An address without a type means the older transport here.
      type: type ?? transportType ?? (command === undefined && url !== undefined ? "sse" : undefined),
      command,
      args,
      env,
      cwd,
      url,
      headers,
      disabled: entry.disabled === true,
      timeoutMs: seconds(entry.timeout),
    },
    notes: signInNote(entry.oauth),
  }
}
