// A server of another program → an entry of mcp_config.json, before it is validated. Fields that say nothing
// are left out; what has a wrong type stays, for the validation to name.
import { type Fields, has, isObject } from "../problems.ts"
import { transportNamed } from "../servers.ts"
import type { ForeignEntry, Place } from "./program.ts"
import { convertVariables, type Dialect, Reference } from "./variables.ts"

export interface EntryContext {
  server: string
  dialect: Dialect
  place: Place
  note(message: string): void
}

/** The entry in our terms, its variables in our syntax. */
export function toEntry(foreign: ForeignEntry, context: EntryContext): Fields {
  const { type, command, args, env, cwd, url, headers, description, timeoutMs, disabled } = foreign
  const text = (value: unknown, field: string) => convert(value, field, context)
  const entry: Fields = {
    type: typeOf(type, has(foreign as Fields, "command")),
    command: text(command, "command"),
    args: Array.isArray(args) ? args.map((value, index) => text(value, `args[${index}]`)) : args,
    env: textMap(env, "env", context),
    cwd: text(cwd, "cwd"),
    url: text(url, "url"),
    headers: textMap(headers, "headers", context),
    description,
    disabled: disabled === true ? true : undefined,
    timeout: timeOf(timeoutMs, context),
    tools: toolsOf(foreign),
  }
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => !isNothing(value)))
}

function convert(value: unknown, field: string, { server, dialect, place, note }: EntryContext): unknown {
  if (value instanceof Reference) return value.text
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return typeof value === "string" ? convertVariables(value, dialect, { place, server, field, note }) : value
}

function textMap(map: unknown, field: string, context: EntryContext): unknown {
  if (!isObject(map)) return map
  return Object.fromEntries(
    Object.entries(map).flatMap(([key, value]) => {
      if (value !== null) return [[key, convert(value, `${field}.${key}`, context)]]
      context.note(`${field}.${key}: a variable cannot be taken away from a server; it is left out`)
      return []
    }),
  )
}

/** What `command` or `url` alone would not tell. */
function typeOf(type: unknown, hasCommand: boolean): unknown {
  const transport = transportNamed(type)
  return transport === "stdio" && hasCommand ? undefined : (transport ?? type)
}

function timeOf(timeout: unknown, { note }: EntryContext): unknown {
  if (typeof timeout !== "number" || timeout > 0) return timeout
  note("timeout: a limit of 0 or less is left out; the usual one holds")
  return undefined
}

function toolsOf({ allow, deny }: ForeignEntry): unknown {
  const tools = { ...(!isEmpty(allow) && { allow }), ...(!isEmpty(deny) && { deny }) }
  // A list of no tools at all is not the same as no list.
  if (Array.isArray(allow) && allow.length === 0) return { ...tools, deny: ["*"] }
  return Object.keys(tools).length === 0 ? undefined : tools
}

function isNothing(value: unknown): boolean {
  return isEmpty(value) || (isObject(value) && Object.keys(value).length === 0)
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}
