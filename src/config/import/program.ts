// What an importer is: where another program keeps its MCP servers, and what its file says in our terms.
// One file per program. An importer reads text that it is given and never writes; values are passed on as
// they are, references to variables as references.
import { posix, win32 } from "node:path"
import type { Fields } from "../problems.ts"
import type { Dialect } from "./variables.ts"

export type Environment = Record<string, string | undefined>

/** The machine and the project that are looked at. */
export interface Place {
  env: Environment
  platform: string
  home: string
  /** The project's folder. */
  directory: string
  join(...parts: string[]): string
}

/** Whose settings a file holds. */
export type Scope = "local" | "project" | "user" | "system"

export interface Source {
  path: string
  scope: Scope
}

/** A server as another program knows it, under the names that we use for its fields. */
export interface ForeignEntry {
  type?: unknown
  command?: unknown
  args?: unknown
  env?: unknown
  cwd?: unknown
  url?: unknown
  headers?: unknown
  description?: unknown
  disabled?: boolean
  timeoutMs?: unknown
  /** Names of tools. */
  allow?: unknown
  deny?: unknown
}

export interface Foreign {
  name: string
  /** Absent when there is nothing here that we can start; the notes say why. */
  entry?: ForeignEntry
  notes: string[]
}

export interface Program {
  /** What it is called on the command line. */
  name: string
  title: string
  /** The variables that it fills in. */
  dialect: Dialect
  /** Its files, those that overrule others first. */
  sources(place: Place): Source[]
  /** Throws when the text cannot be read. */
  read(text: string, source: Source, place: Place): Foreign[]
}

/** The place where a command was started. */
export function placeOf(env: Environment, directory: string, platform: string = process.platform): Place {
  const { join } = platform === "win32" ? win32 : posix
  const fromEnvironment = platform === "win32" ? (env.USERPROFILE ?? env.HOME) : env.HOME
  const home = fromEnvironment || process.getBuiltinModule("node:os").homedir()
  return { env, platform, home, directory, join }
}

/** Where programs keep their settings: ~/.config, or what XDG_CONFIG_HOME says. */
export function configHome({ env, home, join }: Place): string {
  return env.XDG_CONFIG_HOME?.startsWith("/") ? env.XDG_CONFIG_HOME : join(home, ".config")
}

/** Where desktop programs keep their settings. */
export function applicationData(place: Place): string {
  const { env, home, join, platform } = place
  if (platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming")
  return platform === "darwin" ? join(home, "Library", "Application Support") : configHome(place)
}

/** The entries of an object of servers; none when it is something else. */
export function entriesOf(servers: unknown): [string, Fields][] {
  if (typeof servers !== "object" || servers === null || Array.isArray(servers)) return []
  return Object.entries(servers).filter(
    (entry): entry is [string, Fields] => typeof entry[1] === "object" && entry[1] !== null && !Array.isArray(entry[1]),
  )
}

/** The member of an object; undefined where there is no object. */
export function member(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key) ? (inner as Fields)[key] : undefined,
    value,
  )
}

/** Seconds as milliseconds; anything but a number stays, to be complained about. */
export function seconds(value: unknown): unknown {
  return typeof value === "number" ? value * 1000 : value
}

/** The note on sign-in settings, which no program shares with another. */
export function signInNote(...settings: unknown[]): string[] {
  const isGiven = settings.some((setting) => setting !== undefined && setting !== null && setting !== false)
  return isGiven ? ["its sign-in settings (OAuth) are not copied"] : []
}
