import { readPlainEntry } from "./claude.ts"
import { parseJson } from "./parse-text.ts"
import { applicationData, entriesOf, member, type Program } from "./program.ts"
import { noVariables } from "./variables.ts"

/** Claude Desktop. Its extensions are packages of their own, and are not in this file. */
export const claudeDesktop: Program = {
  name: "claude-desktop",
  title: "Claude Desktop",
  dialect: noVariables,
  sources: (place) => [
    { path: place.join(applicationData(place), "Claude", "claude_desktop_config.json"), scope: "user" },
  ],
  read: (text, { path }) =>
    entriesOf(member(parseJson(text, path), "mcpServers")).map(([name, entry]) => readPlainEntry(name, entry)),
}
