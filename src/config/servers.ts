// The servers of a configuration: which transport each one means, then that transport's own schema,
// so that an error speaks of one shape and not of every shape there is.
import type { z } from "zod"
import { readJavaScriptCommand } from "./javascript-command.ts"
import type { JsonPath } from "./json-path.ts"
import { describeValue, type Fields, has, isObject, type Problem, problemsOf } from "./problems.ts"
import {
  builtinServerSchema,
  httpServerSchema,
  type ServerConfig,
  sseServerSchema,
  stdioServerSchema,
} from "./schema.ts"

type Transport = ServerConfig["type"]

const transports: Record<Transport, { schema: z.ZodType<ServerConfig>; requires: string }> = {
  stdio: { schema: stdioServerSchema, requires: "command" },
  http: { schema: httpServerSchema, requires: "url" },
  sse: { schema: sseServerSchema, requires: "url" },
  builtin: { schema: builtinServerSchema, requires: "name" },
}

/** What `type` may say, without hyphens, underscores and capitals: other programs spell it in many ways. */
const typeNames = new Map<string, Transport>([
  ["stdio", "stdio"],
  ["local", "stdio"],
  ["http", "http"],
  ["streamablehttp", "http"],
  ["httpstream", "http"],
  ["sse", "sse"],
  ["builtin", "builtin"],
])

/** What other programs call these fields. Not read, but worth a word when ours is missing. */
const foreignNames = new Map([
  ["serverUrl", "url"],
  ["httpUrl", "url"],
  ["uri", "url"],
  ["cmd", "command"],
])

/** Validates `mcpServers`. The result is complete only when no problem was added. */
export function validateServers(value: unknown, problems: Problem[]): Record<string, ServerConfig> {
  const servers: Record<string, ServerConfig> = Object.create(null)
  if (value === undefined) return servers
  if (!isObject(value)) {
    problems.push({ path: ["mcpServers"], found: describeValue(value, []), allowed: "an object of servers by name" })
    return servers
  }
  for (const [name, entry] of Object.entries(value)) {
    if (isComment(name, entry)) continue
    const server = validateServer(name, entry, problems)
    if (server !== undefined) servers[name] = server
  }
  return servers
}

/** The transport that a `type` means, in any of its spellings. */
export function transportNamed(type: unknown): Transport | undefined {
  return typeof type === "string" ? typeNames.get(type.toLowerCase().replace(/[-_]/g, "")) : undefined
}

function isComment(name: string, entry: unknown): boolean {
  return /^[_$]/.test(name) && !(isObject(entry) && ["type", "command", "url"].some((field) => has(entry, field)))
}

function validateServer(name: string, entry: unknown, problems: Problem[]): ServerConfig | undefined {
  const path = ["mcpServers", name]
  if (!isUsableName(name)) {
    problems.push({
      path,
      found: JSON.stringify(name),
      allowed: 'a name without "/", control characters, or spaces at its ends',
    })
  }
  if (!isObject(entry)) {
    problems.push({ path, found: describeValue(entry, path), allowed: "an object" })
    return undefined
  }
  const type = transportOf(entry, path, problems)
  if (type === undefined) return undefined
  // Other programs write the tools that are allowed as a plain list.
  const tools = Array.isArray(entry.tools) ? { tools: { allow: entry.tools } } : {}
  const candidate = { ...entry, type, ...tools }
  const parsed = transports[type].schema.safeParse(candidate)
  if (parsed.success) {
    problems.push(...runtimeProblems(parsed.data, path))
    return parsed.data
  }
  problems.push(...problemsOf(parsed.error, candidate, path).map((problem) => explainMissing(problem, type, entry)))
  return undefined
}

/** Checked again once its variables are known. */
function runtimeProblems(server: ServerConfig, path: JsonPath): Problem[] {
  if (server.type !== "stdio" || server.runtime === undefined) return []
  const { command, args, runtime } = server
  if ([command, ...args].some((word) => word.includes("${"))) return []
  const read = readJavaScriptCommand(command, args)
  if (typeof read !== "string") return []
  const message = `"${runtime}" runs JavaScript only, and ${read}`
  return [{ path: [...path, "runtime"], found: JSON.stringify(runtime), allowed: "nothing", message }]
}

function isUsableName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return name !== "" && name === name.trim() && !/[/\u0000-\u001f\u007f-\u009f]/.test(name)
}

function transportOf(server: Fields, path: JsonPath, problems: Problem[]): Transport | undefined {
  if (server.type !== undefined) {
    const type = transportNamed(server.type)
    if (type !== undefined) return type
    const typePath = [...path, "type"]
    const allowed = Object.keys(transports).map((each) => JSON.stringify(each))
    problems.push({ path: typePath, found: describeValue(server.type, typePath), allowed: allowed.join(", ") })
    return undefined
  }
  const command = has(server, "command")
  const url = has(server, "url")
  if (command !== url) return command ? "stdio" : "http"
  const allowed = "`command` (stdio) or `url` (http)"
  if (command) {
    const message = `has both; allowed: ${allowed}, or a \`type\` that says which one counts`
    problems.push({ path, found: "both", allowed, message })
  } else {
    const advice = [...foreignNames].filter(([foreign]) => has(server, foreign))
    const rename = advice.map(([foreign, ours]) => `; write \`${foreign}\` as \`${ours}\``).join("")
    problems.push({ path, found: "neither", allowed, message: `needs ${allowed}${rename}` })
  }
  return undefined
}

/** A missing field is best explained by the transport that requires it. */
function explainMissing(problem: Problem, type: Transport, entry: Fields): Problem {
  const { requires } = transports[type]
  if (problem.path.length !== 3 || problem.path[2] !== requires || has(entry, requires)) return problem
  const other = ["command", "url"].find((field) => field !== requires && has(entry, field))
  const belongs = other && `; \`${other}\` belongs to type ${other === "url" ? '"http" or "sse"' : '"stdio"'}`
  return { ...problem, message: `type "${type}" requires \`${requires}\`: ${problem.allowed}${belongs ?? ""}` }
}
