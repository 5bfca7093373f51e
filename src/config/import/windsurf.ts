import { readPlainEntry } from "./claude.ts"
import { parseJson } from "./parse-text.ts"
import { entriesOf, type Foreign, member, type Program } from "./program.ts"
import { envVariables } from "./variables.ts"

/** Windsurf, and its plugin for JetBrains. */
export const windsurf: Program = {
  name: "windsurf",
  title: "Windsurf",
  dialect: envVariables,
  sources: ({ home, join }) => [
    { path: join(home, ".codeium", "windsurf", "mcp_config.json"), scope: "user" },
    { path: join(home, ".codeium", "mcp_config.json"), scope: "user" },
  ],
  read: (text, { path }) =>
    entriesOf(member(parseJson(text, path), "mcpServers")).map(([name, entry]): Foreign => {
      const { entry: plain, notes } = readPlainEntry(name, entry)
      return { name, notes, entry: { ...plain, url: entry.serverUrl ?? entry.url, deny: entry.disabledTools } }
    }),
}
