import type { Fields } from "../problems.ts"
import { parseJson } from "./parse-text.ts"
import { configHome, entriesOf, type Foreign, member, type Place, type Program, signInNote } from "./program.ts"
import { noVariables } from "./variables.ts"

/** Zed. Servers that are extensions have only settings here: the program itself knows how to start them. */
export const zed: Program = {
  name: "zed",
  title: "Zed",
  dialect: noVariables,
  sources: (place) => [
    { path: place.join(place.directory, ".zed", "settings.json"), scope: "project" },
    { path: place.join(settingsFolder(place), "settings.json"), scope: "user" },
  ],
  read: (text, { path }) => entriesOf(member(parseJson(text, path), "context_servers")).map(readEntry),
}

function readEntry([name, entry]: [string, Fields]): Foreign {
  const { url, headers, enabled, timeout } = entry
  // Once an object with everything in it.
  const nested = typeof entry.command === "object" && entry.command !== null ? (entry.command as Fields) : undefined
  const { args, env } = nested ?? entry
  const command = nested === undefined ? entry.command : nested.path
  if (command === undefined && url === undefined) {
    return { name, notes: ["skipped: it is an extension of Zed, which alone knows how to start it"] }
  }
  if (entry.remote === true) return { name, notes: ["skipped: it runs on the remote machine of a Zed project"] }
  return {
    name,
    entry: {
      ...(command === undefined ? { url, headers } : { command, args, env }),
      disabled: enabled === false,
      timeoutMs: milliseconds(timeout),
    },
    notes: signInNote(entry.oauth),
  }
}

/** Versions of Zed differ: seconds, once milliseconds. No tool is given a thousand seconds or two milliseconds. */
function milliseconds(timeout: unknown): unknown {
  return typeof timeout === "number" && timeout < 1000 ? timeout * 1000 : timeout
}

function settingsFolder(place: Place): string {
  const { env, home, join, platform } = place
  if (platform === "win32") return join(env.APPDATA || join(home, "AppData", "Roaming"), "Zed")
  return platform === "darwin" ? join(home, ".config", "zed") : join(configHome(place), "zed")
}
