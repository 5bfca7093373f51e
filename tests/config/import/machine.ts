// A home folder and a project as other programs leave them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { importServers } from "../../../src/config/import/import-servers.ts"
import { placeOf } from "../../../src/config/import/program.ts"

export interface Machine extends Disposable {
  home: string
  project: string
  import(...names: string[]): Promise<{ servers: Record<string, unknown>; notes: string[]; files: string[] }>
}

/** Paths begin with `~/` or `./`; in texts, HOME and PROJECT stand for the folders. */
export function createMachine(
  files: Record<string, string>,
  env: Record<string, string> = {},
  platform = "linux",
): Machine {
  const root = mkdtempSync(join(tmpdir(), "mcp-exec-import-"))
  const home = join(root, "home")
  const project = join(home, "project")
  const fill = (text: string) => text.replaceAll("PROJECT", project).replaceAll("HOME", home)
  mkdirSync(project, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    const path = join(name.startsWith("./") ? project : home, name.slice(2))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, fill(text))
  }
  const filled = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]))
  return {
    home,
    project,
    async import(...names) {
      const place = placeOf({ HOME: home, USERPROFILE: home, ...filled }, project, platform)
      const { servers, notes, sources } = await importServers(place, names)
      return {
        servers: JSON.parse(
          JSON.stringify(Object.fromEntries(servers)).replaceAll(project, "PROJECT").replaceAll(home, "HOME"),
        ),
        notes: notes.map(({ program, server, message }) =>
          [
            program,
            ...(server === undefined ? [] : [server]),
            message.replaceAll(project, ".").replaceAll(home, "~"),
          ].join(": "),
        ),
        files: sources.map(({ file }) => file.replace(project, ".").replace(home, "~")),
      }
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  }
}
