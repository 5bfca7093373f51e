// A compiler's complaint in the terms of the tools: which argument of which tool, what was expected and what
// was found, and the name that was probably meant.
import { suggest } from "../../suggest.ts"
import { maskSource } from "../mask-source.ts"
import { type KnownServers, serverFolder, type UsedTool, usedTools } from "../used-tools.ts"
import type { Diagnostic } from "./diagnostics.ts"
import { readMembers } from "./members.ts"

export interface TypeProblem {
  message: string
  line: number
  column: number
  /** As the compiler calls it. */
  code: string
  /** `server.tool` */
  tool?: string
  argument?: string
  expected?: string
  found?: string
  nearest?: string
}

export interface Explained {
  code: string
  servers: KnownServers
  /** The text of a generated file, seen from servers/; empty when it is gone. */
  wrapper: (file: string) => string
}

type Facts = Pick<TypeProblem, "tool" | "argument" | "expected" | "found" | "nearest"> & { message: string }

/** Says what a diagnostic in a script means. */
export function explainDiagnostic(diagnostic: Diagnostic, script: Explained): TypeProblem {
  const { line, column, code } = diagnostic
  const facts = ofTool(diagnostic, script) ??
    ofResult(diagnostic, script) ??
    ofImport(diagnostic, script) ?? { message: plainMessage(diagnostic) }
  return { ...facts, line, column, code: `TS${code}` }
}

function ofTool(diagnostic: Diagnostic, script: Explained): Facts | undefined {
  const masked = maskSource(script.code)
  const at = offsetOf(script.code, diagnostic)
  const used = calledAt(masked, at, usedTools(script.code, script.servers))
  if (used === undefined) return undefined
  const tool = `${used.server}.${used.tool}`
  const known = script.servers.get(used.server)?.tools[used.tool]
  const parameters = readMembers(script.wrapper(known?.file ?? ""), "\\w+Params")
  const text = [diagnostic.message, ...diagnostic.details].join("\n")
  const here = /^["']?([\w$-]+)["']?\s*[:,}]/.exec(script.code.slice(at))?.[1]

  const strange = /'"?([^'"]+)"?' does not exist in type '[^']*'(?:.*?Did you mean to write '([^']+)')?/.exec(text)
  if (strange !== null) {
    const argument = strange[1] as string
    const nearest =
      strange[2] ??
      suggest(
        argument,
        parameters.map(({ name }) => name),
      )
    const others =
      parameters.length === 0 ? "It takes none" : `It takes ${parameters.map(({ name }) => name).join(", ")}`
    const meant = nearest === undefined ? others : `Did you mean '${nearest}'?`
    return { tool, argument, ...(nearest && { nearest }), message: `${tool} has no argument '${argument}'. ${meant}` }
  }
  const absent = missing(text)
  if (absent !== undefined) {
    const names = absent.map((name) => `'${name}'`).join(", ")
    const [argument] = absent
    return {
      tool,
      ...(argument && { argument }),
      message: `${tool} needs the argument${absent.length > 1 ? "s" : ""} ${names}`,
    }
  }
  if (diagnostic.code === 2554) {
    const required = parameters.filter((each) => each.required).map(({ name }) => name)
    return { tool, message: `${tool} needs an object with its arguments: ${required.join(", ")}` }
  }
  const types = mismatch(text)
  const argument = /Types of property '([^']+)' are incompatible/.exec(text)?.[1] ?? here
  if (types === undefined || argument === undefined) return undefined
  const [found, expected] = types
  return {
    tool,
    argument,
    expected,
    found,
    message: `${tool}: argument '${argument}' must be ${expected}, found ${found}`,
  }
}

/** A member that a tool's result does not have. */
function ofResult({ message }: Diagnostic, { servers, wrapper }: Explained): Facts | undefined {
  const found = /^Property '([^']+)' does not exist on type '(\w+Result)'(?:\. Did you mean '([^']+)')?/.exec(message)
  if (found === null) return undefined
  const [, member = "", type = "", meant] = found
  for (const [server, { tools }] of servers) {
    for (const [name, { export: exported, file }] of Object.entries(tools)) {
      if (`${exported.charAt(0).toUpperCase()}${exported.slice(1)}Result` !== type) continue
      const tool = `${server}.${name}`
      const members = readMembers(wrapper(file), type).map((each) => each.name)
      const nearest = meant ?? suggest(member, members)
      const hint = nearest === undefined ? `It has ${members.join(", ")}` : `Did you mean '${nearest}'?`
      return { tool, ...(nearest && { nearest }), message: `the result of ${tool} has no '${member}'. ${hint}` }
    }
  }
  return undefined
}

/** Imports from servers/ that lead nowhere. */
function ofImport({ code, message }: Diagnostic, { servers }: Explained): Facts | undefined {
  const specifier = /[Mm]odule '"?([^'"]+)"?'/.exec(message)?.[1] ?? ""
  const folder = serverFolder(specifier)
  if (folder === undefined) return undefined
  const [name, server] = [...servers].find(([, { directory }]) => directory === folder) ?? []
  if (server === undefined || code === 2307) {
    const nearest = suggest(
      folder,
      [...servers.values()].map(({ directory }) => directory),
    )
    const hint = nearest === undefined || nearest === folder ? "Run mcp-exec generate" : `Did you mean '${nearest}'?`
    return { ...(nearest && { nearest }), message: `servers/ has no server '${folder}'. ${hint}` }
  }
  const wanted = /no exported member (?:named )?'([^']+)'/.exec(message)?.[1]
  if (wanted === undefined) return undefined
  const names = Object.values(server.tools).map((tool) => tool.export)
  const nearest = suggest(wanted, names)
  const hint = nearest === undefined ? `See mcp-exec ls ${name}` : `Did you mean '${nearest}'?`
  return { ...(nearest && { nearest }), message: `server '${name}' has no tool '${wanted}'. ${hint}` }
}

function plainMessage({ message, details }: Diagnostic): string {
  const last = details.at(-1)
  return last === undefined ? message : `${message} ${last}`
}

function missing(text: string): string[] | undefined {
  const one = /Property '([^']+)' is missing in type/.exec(text)?.[1]
  if (one !== undefined) return [one]
  return /missing the following properties from type '[^']*': ([^\n]*)/.exec(text)?.[1]?.split(", ")
}

/** The types that do not fit, of the property in question where one is named: [found, expected]. */
function mismatch(text: string): [string, string] | undefined {
  const [whole, ofProperty] = text.split(/Types of property '[^']+' are incompatible\.?/)
  const sentence =
    /(?:Type|Argument of type) '(.+?)' is not assignable to (?:type|parameter of type) '(.+?)'\.?(?=\n|$| )/
  const found = sentence.exec(ofProperty ?? whole ?? "")
  return found === null ? undefined : [found[1] as string, found[2] as string]
}

function offsetOf(code: string, { line, column }: Diagnostic): number {
  let at = 0
  for (let row = 1; row < line; row++) at = code.indexOf("\n", at) + 1
  return at + column - 1
}

/** The tool whose call the position is in, or at. */
function calledAt(masked: string, at: number, used: readonly UsedTool[]): UsedTool | undefined {
  const byName = (name: string | undefined) => used.find(({ local }) => local !== undefined && local === name)
  const here = byName(/^[\w$.]+/.exec(masked.slice(at))?.[0])
  if (here !== undefined) return here
  let depth = 0
  for (let back = at - 1; back >= 0; back--) {
    const character = masked[back] as string
    if (")]}".includes(character)) depth++
    else if ("([{".includes(character) && --depth < 0) {
      depth = 0
      if (character === "(") return byName(/([\w$.]+)\s*$/.exec(masked.slice(Math.max(0, back - 100), back))?.[1])
    }
  }
  return undefined
}
