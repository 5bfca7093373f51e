import { readPlainEntry } from "./claude.ts"
import { envFileNote } from "./cursor.ts"
import { parseJson } from "./parse-text.ts"
import { applicationData, entriesOf, type Foreign, member, type Place, type Program } from "./program.ts"
import { editorVariables } from "./variables.ts"

/** VS Code: mcp.json of the workspace and of the user; before 2025 a part of settings.json. */
export const vscode: Program = {
  name: "vscode",
  title: "VS Code",
  dialect: editorVariables,
  sources: (place) => [
    ...["mcp.json", "settings.json"].map((file) => ({
      path: place.join(place.directory, ".vscode", file),
      scope: "project" as const,
    })),
    ...editorFolders(place).flatMap((folder) =>
      ["mcp.json", "settings.json"].map((file) => ({ path: place.join(folder, file), scope: "user" as const })),
    ),
  ],
  read(text, { path }) {
    const value = parseJson(text, path)
    const isSettings = path.endsWith("settings.json")
    return entriesOf(isSettings ? member(value, "mcp", "servers") : member(value, "servers")).map(
      ([name, entry]): Foreign => {
        const { notes, ...rest } = readPlainEntry(name, entry)
        if (typeof entry.url === "string" && /^(unix|pipe):/.test(entry.url)) {
          return { name, notes: ["skipped: it is reached over a socket of the system, which mcp-exec cannot do"] }
        }
        return { ...rest, notes: [...notes, ...envFileNote(entry.envFile)] }
      },
    )
  },
}

/** The folders of the user's settings, of the stable version first. */
export function editorFolders(place: Place): string[] {
  return ["Code", "Code - Insiders"].map((name) => place.join(applicationData(place), name, "User"))
}
