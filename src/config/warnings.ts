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
const quietTopKeys = new Set("policy skills search stats audit servers inputs mcp description name version".split(" "))
const quietServerKeys = new Set(
  [
    "policy discovery cache retry auth",
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
    ...uselessWarming(config),
    ...serversOf(config).flatMap(([name, server]) => {
      const at = (field: string) => formatPath(["mcpServers", name, field])
      return [
        ...misplacedFields.flatMap(({ field, isMisplaced, advice }) =>
          has(server, field) && isMisplaced(server) ? [`${at(field)} ${advice}`] : [],
        ),
        ...unusedFields(server).map((field) => `${at(field)} is not used by a server of type "${server.type}"`),
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

function uselessWarming({ warm, mcpServers }: Fields): string[] {
  if (!Array.isArray(warm) || !isObject(mcpServers)) return []
  return warm.flatMap((name, index) => {
    const server = mcpServers[String(name)]
    const endsAtOnce = isObject(server) && server.keepAlive === false
    return endsAtOnce ? [`${formatPath(["warm", index])} is not used: "${name}" has "keepAlive": false`] : []
  })
}

const misplacedFields: { field: string; isMisplaced(server: Fields): boolean; advice: string }[] = [
  {
    field: "enabled",
    isMisplaced: ({ enabled }) => enabled === false,
    advice: 'is not read; write "disabled": true',
  },
  {
    field: "runtime",
    isMisplaced: (server) => !has(server, "command"),
    advice: "is not used: nothing is started that has one",
  },
  {
    field: "warm",
    isMisplaced: () => true,
    advice: 'is not read; name the server in "warm" beside "mcpServers"',
  },
  {
    field: "auth",
    isMisplaced: (server) => has(server, "url"),
    advice: 'is not read; write credentials into "headers"',
  },
]

function unusedFields(server: Fields): string[] {
  if (server.type === undefined || !has(server, "command") || !has(server, "url")) return []
  return [transportNamed(server.type) === "stdio" ? "url" : "command"]
}
