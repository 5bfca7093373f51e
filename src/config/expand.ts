// ${VAR} in a server's fields. Runs just before the server is started, so that a server nobody
// uses needs none of its variables. Expanded values are credentials: they are never put in a message.
import { ConfigError } from "../errors.ts"
import { isHttpUrl } from "./http-url.ts"
import { formatPath, type JsonPath } from "./json-path.ts"
import type { ServerConfig } from "./schema.ts"

type Environment = Record<string, string | undefined>

/** What stood in the way of one expansion. */
interface VariableProblem {
  path: string
  /** The variable that is not set; absent when the text between the braces names none. */
  variable?: string
  message: string
}

/** A copy of a server with its variables filled in. All that are unset are reported in one error. */
export function expandServer(name: string, server: ServerConfig, env: Environment): ServerConfig {
  const problems: VariableProblem[] = []
  const expand = (text: string, ...path: JsonPath) => expandText(text, ["mcpServers", name, ...path], env, problems)
  const expandList = (list: string[], field: string) => list.map((text, index) => expand(text, field, index))
  const expandMap = (map: Record<string, string>, field: string) =>
    Object.fromEntries(Object.entries(map).map(([key, text]) => [key, expand(text, field, key)]))

  const expanded: ServerConfig =
    "url" in server
      ? { ...server, url: expand(server.url, "url"), headers: expandMap(server.headers, "headers") }
      : { ...server, args: expandList(server.args, "args"), env: expandMap(server.env, "env") }
  if (expanded.type === "stdio") {
    expanded.command = expand(expanded.command, "command")
    if (expanded.cwd !== undefined) expanded.cwd = expand(expanded.cwd, "cwd")
  }
  if (problems.length > 0) throw variableError(name, problems)
  checkExpanded(name, expanded)
  return expanded
}

// `$${` is a literal `${`, as in Compose files. A default ends at the first brace, as in a shell.
const placeholder = /\$\$\{|\$\{([^}]*)(\}?)/g
const variableForm = /^(?:env:)?([A-Za-z_][\w.()]*)(?::-(.*))?$/s
// biome-ignore lint/suspicious/noTemplateCurlyInString: the forms as a user writes them
const knownForms = "${VAR}, ${VAR:-default}, ${env:VAR}"

function expandText(text: string, path: JsonPath, env: Environment, problems: VariableProblem[]): string {
  // One pass: what a variable contains is data, even when it looks like a variable.
  return text.replace(placeholder, (whole, body: string | undefined, closed: string | undefined) => {
    if (body === undefined) return "${"
    const report = (problem: Omit<VariableProblem, "path">) => {
      problems.push({ path: formatPath(path), ...problem })
      return whole
    }
    const form = closed === "" ? null : variableForm.exec(body)
    const [, variable, fallback] = form ?? []
    if (variable === undefined || fallback?.includes("${")) {
      return report({ message: `has a \${…} that is none of ${knownForms}` })
    }
    const value = env[variable]
    // Only strings: an environment that is a plain object inherits names such as `constructor`.
    const isSet = typeof value === "string"
    if (fallback !== undefined) return isSet && value !== "" ? value : fallback
    return isSet ? value : report({ variable, message: `needs the environment variable ${variable}, which is not set` })
  })
}

function variableError(name: string, problems: VariableProblem[]): ConfigError {
  const lines = new Set(problems.map(({ path, message }) => `  ${path} ${message}`))
  const unset = [...new Set(problems.flatMap(({ variable }) => variable ?? []))]
  return new ConfigError("E_CONFIG_VARIABLE", `server "${name}" cannot be started:\n${[...lines].join("\n")}`, {
    hint:
      unset.length === 0
        ? "Write $${ for a literal ${."
        : `Export ${unset.join(", ")}, or give a default in the configuration: \${${unset[0]}:-default}.`,
    details: problems,
  })
}

/** What validation had to leave open because a variable could still decide it. */
function checkExpanded(name: string, server: ServerConfig): void {
  const fail = (allowed: string, ...field: JsonPath) => {
    const path = formatPath(["mcpServers", name, ...field])
    throw new ConfigError("E_CONFIG_INVALID", `${path} is not ${allowed} once its variables are filled in`, {
      hint: `Check the values of the variables that ${path} names.`,
      details: [{ path, found: "a string", allowed, message: `${path} must be ${allowed}` }],
    })
  }
  if (server.type === "stdio" && server.command.trim() === "") fail("a program's name or path", "command")
  if (!("url" in server)) return
  if (!isHttpUrl(server.url)) fail("an http:// or https:// URL", "url")
  for (const [header, value] of Object.entries(server.headers)) {
    if (!isHeader(header, value)) fail("an HTTP header, on one line and without special characters", "headers", header)
  }
}

/** Tried here, because the errors of some runtimes repeat the value. */
function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]])
    return true
  } catch {
    return false
  }
}
