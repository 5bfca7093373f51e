// discovery_config.json: which tools may be called to see what they answer, and with which arguments. Read
// in each of the forms that have been in use; a file that cannot be understood stops the program.
import { parseDocument } from "../config/document.ts"
import { formatPath, type JsonPath } from "../config/json-path.ts"
import { describeValue, type Fields, isObject } from "../config/problems.ts"
import { ConfigError } from "../errors.ts"
import { suggest } from "../suggest.ts"

export const discoveryFile = "discovery_config.json"

export interface ListedTool {
  server: string
  tool: string
  /** One object for each call. */
  arguments: Fields[]
}

export interface DiscoveryConfig {
  /** `{ servers: { server: { safeTools } } }`, or `{ "server__tool": arguments }`. */
  form: "nested" | "flat"
  tools: ListedTool[]
  /** Members of types are optional, whatever was seen. */
  allOptional: boolean
}

type Report = (path: JsonPath, found: unknown, allowed: string) => void

const anArguments = 'an object of arguments, or {"sampleParams": {…}}; several calls: an array of them'

/** Turns the text of the file into what it says. `servers` are those that are configured. */
export function parseDiscoveryConfig(text: string, file: string, servers: readonly string[]): DiscoveryConfig {
  const { value, lineOf } = parseDocument(text, file)
  const problems: string[] = []
  const report: Report = (path, found, allowed) => {
    const place = path.length === 0 ? "" : `${formatPath(path)}: `
    problems.push(`  line ${lineOf(path)}: ${place}found ${describeValue(found, [])}, allowed: ${allowed}`)
  }
  const config = read(value, servers, report)
  if (problems.length === 0) return config
  throw new ConfigError("E_CONFIG_INVALID", `${file} does not say what to call:\n${problems.join("\n")}`, {
    hint: 'Write {"servers": {"files": {"safeTools": {"list_directory": {"path": "."}}}}}, or run mcp-exec discover init.',
    details: { file, problems: problems.map((problem) => problem.trim()) },
  })
}

function read(value: unknown, servers: readonly string[], report: Report): DiscoveryConfig {
  const empty: DiscoveryConfig = { form: "nested", tools: [], allOptional: false }
  if (!isObject(value)) {
    report([], value, "an object")
    return empty
  }
  if (!("servers" in value)) return readFlat(value, servers, report)
  if (!isObject(value.servers)) {
    report(["servers"], value.servers, "an object of servers by name")
    return empty
  }
  const tools = entriesOf(value.servers).flatMap(([server, entry]) => readServer(server, entry, report))
  return { form: "nested", tools, allOptional: readOptions(value.options, report) }
}

function readServer(server: string, entry: unknown, report: Report): ListedTool[] {
  const path = ["servers", server]
  if (!isObject(entry)) {
    report(path, entry, 'an object with "safeTools"')
    return []
  }
  if (entry.safeTools === undefined) {
    const key = entriesOf(entry).find(([name]) => suggest(name.replace(/[_-]/g, ""), ["safeTools", "tools"]))?.[0]
    if (key !== undefined) report([...path, key], entry[key], `"safeTools" as the key`)
    return []
  }
  if (!isObject(entry.safeTools)) {
    report([...path, "safeTools"], entry.safeTools, "an object of arguments by tool")
    return []
  }
  return entriesOf(entry.safeTools).map(([tool, given]) => {
    return { server, tool, arguments: readArguments(given, [...path, "safeTools", tool], report) }
  })
}

function readFlat(value: Fields, servers: readonly string[], report: Report): DiscoveryConfig {
  const entries = entriesOf(value).filter(([key]) => key !== "options" && key !== "metadata")
  const tools = entries.flatMap(([key, given]): ListedTool[] => {
    const target = splitName(key, servers)
    if (target === undefined) {
      report([key], given, 'a key such as "server__tool", or everything below "servers"')
      return []
    }
    return [{ ...target, arguments: readArguments(given, [key], report) }]
  })
  return { form: tools.length === 0 ? "nested" : "flat", tools, allOptional: readOptions(value.options, report) }
}

/** Both names may contain the sign between them: the server that is configured tells. */
function splitName(key: string, servers: readonly string[]): { server: string; tool: string } | undefined {
  const known = servers.filter((name) => /^(?:__|[./]).+/s.test(key.startsWith(name) ? key.slice(name.length) : ""))
  const server = known.sort((a, b) => b.length - a.length)[0] ?? /^(.+?)(?:__|[./])/s.exec(key)?.[1]
  const tool = server && key.slice(server.length).replace(/^(?:__|[./])/, "")
  return server && tool ? { server, tool } : undefined
}

function readArguments(given: unknown, path: JsonPath, report: Report): Fields[] {
  const isWrapped = isObject(given) && "sampleParams" in given
  const [value, at] = isWrapped ? [given.sampleParams, [...path, "sampleParams"]] : [given, path]
  if (isObject(value)) return [value]
  if (!Array.isArray(value) || value.length === 0) {
    report(at, value, anArguments)
    return []
  }
  return value.flatMap((each, index) => {
    if (isObject(each)) return [each]
    report([...at, index], each, "an object of arguments")
    return []
  })
}

function readOptions(options: unknown, report: Report): boolean {
  if (options === undefined) return false
  if (!isObject(options)) {
    report(["options"], options, "an object")
    return false
  }
  const { makeFieldsOptional = false } = options
  if (typeof makeFieldsOptional === "boolean") return makeFieldsOptional
  report(["options", "makeFieldsOptional"], makeFieldsOptional, "true or false")
  return false
}

/** Without what is by convention a comment, or a word to an editor. */
function entriesOf(fields: Fields): [string, unknown][] {
  return Object.entries(fields).filter(([key]) => key !== "$schema" && key !== "$comment" && !key.startsWith("//"))
}
