import { readPlainEntry } from "./claude.ts"
import { parseJson } from "./parse-text.ts"
import { entriesOf, type Foreign, member, type Program } from "./program.ts"
import { editorVariables } from "./variables.ts"

/** Cursor. */
export const cursor: Program = {
  name: "cursor",
  title: "Cursor",
  dialect: editorVariables,
  sources: ({ home, directory, join }) => [
    { path: join(directory, ".cursor", "mcp.json"), scope: "project" },
    { path: join(home, ".cursor", "mcp.json"), scope: "user" },
  ],
  read: (text, { path }) =>
    entriesOf(member(parseJson(text, path), "mcpServers")).map(([name, entry]): Foreign => {
      const { notes, ...rest } = readPlainEntry(name, entry)
      return { ...rest, notes: [...notes, ...envFileNote(entry.envFile)] }
    }),
}

/** The variables of a file are references: they are not copied. */
export function envFileNote(envFile: unknown): string[] {
  if (typeof envFile !== "string") return []
  return [`envFile: the variables of ${envFile} are not copied; name those it needs in "env" and export them`]
}
