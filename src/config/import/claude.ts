import type { Fields } from "../problems.ts"
import { parseJson } from "./parse-text.ts"
import { entriesOf, type Foreign, member, type Program, signInNote } from "./program.ts"
import { braceVariables } from "./variables.ts"

/** Claude Code: .mcp.json of the project; ~/.claude.json for the user, and for the user in this project. */
export const claude: Program = {
  name: "claude",
  title: "Claude Code",
  dialect: braceVariables,
  sources({ env, home, directory, join }) {
    const own = join(env.CLAUDE_CONFIG_DIR || home, ".claude.json")
    return [
      { path: own, scope: "local" },
      { path: join(directory, ".mcp.json"), scope: "project" },
      { path: own, scope: "user" },
    ]
  },
  read(text, { path, scope }, { directory }) {
    const value = parseJson(text, path)
    const servers = scope === "local" ? member(value, "projects", directory, "mcpServers") : member(value, "mcpServers")
    return entriesOf(servers).map(([name, entry]) => readPlainEntry(name, entry))
  },
}

/** The shape that most programs share: what Claude's files look like. */
export function readPlainEntry(name: string, entry: Fields): Foreign {
  const { type, command, args, env, cwd, url, headers, disabled, description, oauth, auth } = entry
  return {
    name,
    entry: { type, command, args, env, cwd, url, headers, description, disabled: disabled === true },
    notes: signInNote(oauth, auth),
  }
}
