import type { Fields } from "../problems.ts"
import { parseToml } from "./parse-text.ts"
import { entriesOf, type Foreign, member, type Program, seconds, signInNote } from "./program.ts"
import { noVariables, Reference, reference } from "./variables.ts"

/** Codex. It fills nothing in: what comes from the environment is named in fields of its own. */
export const codex: Program = {
  name: "codex",
  title: "Codex",
  dialect: noVariables,
  sources: ({ env, home, directory, join }) => [
    { path: join(directory, ".codex", "config.toml"), scope: "project" },
    { path: join(env.CODEX_HOME || join(home, ".codex"), "config.toml"), scope: "user" },
  ],
  read: (text, { path }) => entriesOf(member(parseToml(text, path), "mcp_servers")).map(readEntry),
}

function readEntry([name, entry]: [string, Fields]): Foreign {
  const { command, args, env, cwd, url, http_headers, enabled, enabled_tools, disabled_tools } = entry
  const headers = { ...(isMap(http_headers) ? http_headers : {}), ...fromVariables(entry.env_http_headers) }
  const token = entry.bearer_token_env_var
  if (typeof token === "string") headers.Authorization = new Reference(`Bearer ${reference(token)}`)
  return {
    name,
    entry: {
      command,
      args,
      env: command === undefined ? undefined : { ...passedOn(entry.env_vars), ...(isMap(env) ? env : {}) },
      cwd,
      url,
      headers: url === undefined ? undefined : headers,
      disabled: enabled === false,
      timeoutMs: longest(entry.startup_timeout_ms, seconds(entry.startup_timeout_sec), seconds(entry.tool_timeout_sec)),
      allow: enabled_tools,
      deny: disabled_tools,
    },
    notes: [
      ...signInNote(entry.oauth, entry.scopes, entry.oauth_resource),
      ...(entry.bearer_token === undefined ? [] : ["bearer_token is refused by Codex, and not copied"]),
    ],
  }
}

/** Variables of the user that the server sees. */
function passedOn(names: unknown): Record<string, Reference> {
  const variables = Array.isArray(names)
    ? names.map((each) => (typeof each === "string" ? each : member(each, "name")))
    : []
  return Object.fromEntries(
    variables.filter((name) => typeof name === "string").map((name) => [name, new Reference(reference(name))]),
  )
}

function fromVariables(headers: unknown): Record<string, unknown> {
  if (!isMap(headers)) return {}
  return Object.fromEntries(
    Object.entries(headers).map(([header, name]) => [
      header,
      typeof name === "string" ? new Reference(reference(name)) : name,
    ]),
  )
}

function isMap(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** One limit of ours stands for several of theirs. */
function longest(...limits: unknown[]): unknown {
  const given = limits.filter((limit) => limit !== undefined)
  return given.length === 0 || given.some((limit) => typeof limit !== "number")
    ? given[0]
    : Math.max(...(given as number[]))
}
