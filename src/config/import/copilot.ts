import { readPlainEntry } from "./claude.ts"
import { parseJson } from "./parse-text.ts"
import { configHome, entriesOf, type Foreign, member, type Program } from "./program.ts"
import { shellVariables } from "./variables.ts"

/** Copilot CLI. */
export const copilot: Program = {
  name: "copilot",
  title: "GitHub Copilot CLI",
  dialect: shellVariables,
  sources(place) {
    const { env, home, directory, join } = place
    const folders = [
      ...(env.COPILOT_HOME ? [env.COPILOT_HOME] : []),
      ...(env.XDG_CONFIG_HOME ? [join(configHome(place), "copilot")] : []),
      join(home, ".copilot"),
    ]
    return [
      { path: join(directory, ".github", "mcp.json"), scope: "project" },
      { path: join(directory, ".mcp.json"), scope: "project" },
      ...folders.map((folder) => ({ path: join(folder, "mcp-config.json"), scope: "user" as const })),
    ]
  },
  read: (text, { path }) =>
    entriesOf(member(parseJson(text, path), "mcpServers")).map(([name, entry]): Foreign => {
      const { entry: plain, notes } = readPlainEntry(name, entry)
      const { tools } = entry
      const isAll = !Array.isArray(tools) || tools.includes("*")
      return { name, notes, entry: { ...plain, allow: isAll ? undefined : tools, timeoutMs: entry.timeout } }
    }),
}
