// What is worth a line on stderr although the configuration is valid: keys that look like typos, and
// keys that do not do what they seem to. Files are shared with other programs, so their keys are quiet.
import { suggest } from "../suggest.ts"
import { formatPath, type JsonPath } from "./json-path.ts"
import { type Fields, has, isObject } from "./problems.ts"
import { oldSandboxKeys } from "./sandbox.ts"
import {
  builtinServerSchema,
  configSchema,
  execSchema,
  httpServerSchema,
  sandboxSchema,
  serveSchema,
  stdioServerSchema,
} from "./schema.ts"
import { transportNamed } from "./servers.ts"

const topKeys = Object.keys(configSchema.shape)
const execKeys = Object.keys(execSchema.shape)
const sandboxKeys = [...Object.keys(sandboxSchema.shape), ...Object.keys(oldSandboxKeys)]
const serveKeys = Object.keys(serveSchema.shape)
const toolsKeys = ["allow", "deny"]
const serverKeys = [
  ...new Set([stdioServerSchema, httpServerSchema, builtinServerSchema].flatMap(({ shape }) => Object.keys(shape))),
]

/** Keys of parts of this program that do not read them here, and of programs that share these files. */
const quietTopKeys = new Set(
  "policy daemon discovery skills search stats audit servers inputs mcp description name version".split(" "),
)
const quietServerKeys = new Set(
  [
    "idleTimeout keepAlive warm runtime policy discovery cache retry",
    "alwaysAllow autoApprove allowedTools disabledTools enabledTools includeTools excludeTools trust envFile",
    "dev gallery sandbox sandboxEnabled transport transportType serverUrl httpUrl tcp cmd oauth authProviderType",
    "scopes enabled required source settings remote version title icon icons iconUrl tags label hidden",
  ].flatMap((line) => line.split(" ")),
)

/** Keys that are not known and close to one that is. */
export function findTypos(config: unknown): string[] {
  if (!isObject(config)) return []
  return [
    ...typosIn(config, [], topKeys, quietTopKeys),
    ...typosIn(config.exec, ["exec"], execKeys),
    ...typosIn(config.sandbox, ["sandbox"], sandboxKeys),
    ...typosIn(config.serve, ["serve"], serveKeys),
    ...serversOf(config).flatMap(([name, server]) => [
      ...typosIn(server, ["mcpServers", name], serverKeys, quietServerKeys),
      ...typosIn(server.tools, ["mcpServers", name, "tools"], toolsKeys),
    ]),
  ]
}

/** Keys that are known and do not do what their writer seems to expect. */
export function findMisplaced(config: unknown): string[] {
  if (!isObject(config)) return []
  return [
    ...misplacedServers(config),
    ...serversOf(config).flatMap(([name, server]) => {
      const at = (field: string) => formatPath(["mcpServers", name, field])
      const unused = unusedField(server)
      return [
        ...(server.enabled === false ? [`${at("enabled")} is not read; write "disabled": true`] : []),
        ...(unused ? [`${at(unused)} is not used by a server of type "${server.type}"`] : []),
      ]
    }),
  ]
}

function typosIn(fields: unknown, path: JsonPath, keys: readonly string[], quiet?: Set<string>): string[] {
  if (!isObject(fields)) return []
  return Object.keys(fields).flatMap((key) => {
    if (isPrivate(key) || keys.includes(key) || quiet?.has(key)) return []
    const intended = suggest(key, keys)
    return intended === undefined ? [] : [`${formatPath([...path, key])} looks like a typo of "${intended}"`]
  })
}

/** By convention a comment, or a word to an editor. */
function isPrivate(key: string): boolean {
  return /^[_$]/.test(key)
}

function serversOf(config: Fields): [string, Fields][] {
  if (!isObject(config.mcpServers)) return []
  return Object.entries(config.mcpServers).filter(
    (entry): entry is [string, Fields] => isObject(entry[1]) && !isPrivate(entry[0]),
  )
}

function misplacedServers(config: Fields): string[] {
  if (has(config, "mcpServers")) return []
  if (isObject(config.servers)) return ['servers is not read; mcp-exec reads "mcpServers"']
  return Object.entries(config)
    .filter(([, entry]) => isObject(entry) && ["command", "url"].some((field) => typeof entry[field] === "string"))
    .map(([name]) => `${formatPath([name])} looks like a server; mcp-exec reads servers from "mcpServers"`)
}

function unusedField(server: Fields): string | undefined {
  if (server.type === undefined || !has(server, "command") || !has(server, "url")) return undefined
  return transportNamed(server.type) === "stdio" ? "url" : "command"
}
