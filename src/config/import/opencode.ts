import type { Fields } from "../problems.ts"
import { parseJson } from "./parse-text.ts"
import { configHome, entriesOf, type Foreign, member, type Program, signInNote } from "./program.ts"
import { bracketVariables } from "./variables.ts"

/** OpenCode. Its second version puts the servers one level deeper. */
export const opencode: Program = {
  name: "opencode",
  title: "OpenCode",
  dialect: bracketVariables,
  sources(place) {
    const { env, directory, join } = place
    const files = ["opencode.json", "opencode.jsonc"]
    const user = env.OPENCODE_CONFIG_DIR || join(configHome(place), "opencode")
    return [
      ...files.map((file) => ({ path: join(directory, file), scope: "project" as const })),
      ...(env.OPENCODE_CONFIG ? [{ path: env.OPENCODE_CONFIG, scope: "user" as const }] : []),
      ...files.map((file) => ({ path: join(user, file), scope: "user" as const })),
    ]
  },
  read(text, { path }) {
    const servers = member(parseJson(text, path), "mcp")
    return entriesOf(servers)
      .flatMap(([name, entry]) =>
        name === "servers" && !isServer(entry) ? entriesOf(entry) : [[name, entry] as const],
      )
      .map(([name, entry]) => readEntry(name, entry))
  },
}

function isServer(value: unknown): boolean {
  return typeof member(value, "type") === "string" || member(value, "command") !== undefined
}

function readEntry(name: string, entry: Fields): Foreign {
  const { type, command, environment, cwd, url, headers, timeout, enabled, disabled, oauth } = entry
  const notes = signInNote(oauth)
  const common = { disabled: enabled === false || disabled === true, timeoutMs: timeout }
  if (type === "remote" || (type === undefined && url !== undefined))
    return { name, notes, entry: { url, headers, ...common } }
  // An entry without a command only switches a server on or off that another file defines.
  if (command === undefined) return { name, notes: ["skipped: it only switches on or off what another file defines"] }
  const [program, ...args] = Array.isArray(command) ? command : [command]
  return { name, notes, entry: { command: program, args, env: environment, cwd, ...common } }
}
