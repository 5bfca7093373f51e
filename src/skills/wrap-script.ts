// A script that worked → a skill. Its statements become the body of the skill's function, its imports stay
// at the top and are written as seen from skills/. A script that cannot be wrapped keeps its form.
import { basename } from "node:path"
import type { ArgumentDeclaration, SkillDeclaration } from "../guest/skill-declaration.ts"
import { usageLine } from "../guest/skill-usage.ts"
import { awaitCalls } from "./await-calls.ts"
import { locateDeclaration } from "./locate-declaration.ts"
import { maskSource } from "./mask-source.ts"
import { parses } from "./parses.ts"
import { liftArguments, type NamedArgument, type Replacement, replaceAll } from "./script-arguments.ts"
import { openExports } from "./script-exports.ts"
import { importsOf, movedSpecifier } from "./script-imports.ts"
import { skillText } from "./skill-text.ts"

export interface WrapInput {
  declaration: Omit<SkillDeclaration, "args">
  args: readonly NamedArgument[]
  code: string
  /** Where the script is. */
  from: string
  /** The folder that the skill will be in. */
  folder: string
}

export interface WrappedScript {
  text: string
  /** `plain`: with a header comment, because the script reads its arguments, or exports, in its own way. */
  form: "skill" | "plain" | "unchanged"
  args: NamedArgument[]
}

export function wrapScript({ declaration, args: given, code: original, from, folder }: WrapInput): WrappedScript {
  const code = moveImports(original.replace(start, "").replaceAll("\r\n", "\n"), from, folder)
  if (locateDeclaration(code) !== undefined) {
    return { text: renamed(code, declaration.name), form: "unchanged", args: [] }
  }
  const kept = (): WrappedScript => ({ text: withHeader(declaration, given, code), form: "plain", args: [...given] })
  const masked = maskSource(code)
  const { entrance, parameters, replacements: exports } = openExports(code, masked)
  const parameter = ["args", "options", "given"].find((name) => !new RegExp(`\\b${name}\\b`).test(masked))
  const lifted = parameter && liftArguments(code, given.length > 0 ? given : parameters, parameter)
  if (!lifted || cannotMove.test(masked)) {
    return kept()
  }
  const { args, replacements } = lifted
  const imports = importsOf(code, masked)
  const statements = replaceAll(code, [...replacements, ...exports, ...imports.map((each) => ({ ...each, text: "" }))])
  const call = `\nreturn await ${entrance}(${args.map(({ name }) => `${parameter}.${name}`).join(", ")})`
  const work = awaitCalls(withoutFirst(statements, declaration.description).trim())
  const body = work + (entrance === undefined ? "" : call)
  const taken = imports.flatMap(({ specifier, names }) => (specifier === "mcp-exec" ? [...names.values()] : []))
  const text = skillText({
    declaration: { ...declaration, ...(args.length > 0 && { args: asRecord(args) }) },
    imports: [ownImport(taken, args.length > 0), ...imports.map((each) => each.text.replace(/;$/, ""))].filter(Boolean),
    body,
    parameter,
    // In a string of several lines, blanks at their beginnings would be part of it.
    indent: !/`[^`]*\n[^`]*`/.test(body),
  })
  // Should a script be stranger than it looks, it is better kept than broken.
  return parses(text) ? { text, form: "skill", args } : kept()
}

// What a script may begin with and a skill does not.
const start = /^\uFEFF?(#![^\n]*\n)?/
// What cannot stand inside a function, and what a CommonJS script says of itself as a module.
const cannotMove =
  /(?<=^|[;\n])[ \t]*(?:export\s+(?:\*|\{[^}]*\}\s*from)|(?:export\s+)?(?:declare\s+)?(?:namespace|global|module)\s+[\w.{])|\brequire\s*\.\s*main\b|(?<![\w$.])(?:module\s*\.\s*exports|exports\s*\.\s*[\w$]+\s*=)/

/** A comment that has become the description need not be said twice. */
function withoutFirst(statements: string, comment: string): string {
  const text = statements.trimStart()
  return text.startsWith(`// ${comment}\n`) ? text.slice(comment.length + 4) : text
}

function asRecord(args: readonly NamedArgument[]): Record<string, ArgumentDeclaration> {
  return Object.fromEntries(args.map(({ name, ...declaration }) => [name, declaration]))
}

function moveImports(code: string, from: string, folder: string): string {
  const masked = maskSource(code)
  const moved = (start: number, end: number): Replacement => {
    const text = code
      .slice(start, end)
      .replace(
        /(["'`])(\.{1,2}\/[^"'`\n]*)\1/,
        (_, quote, path) => `${quote}${movedSpecifier(path, from, folder)}${quote}`,
      )
    return { start, end, text }
  }
  const dynamic = [...masked.matchAll(/\b(?:import|require(?:\s*\.\s*resolve)?)\s*\(\s*(["'`])\s*\1/g)].map((found) =>
    moved(found.index, found.index + found[0].length),
  )
  return replaceAll(code, [...importsOf(code, masked).map(({ start, end }) => moved(start, end)), ...dynamic])
}

function ownImport(taken: readonly string[], usesArguments: boolean): string {
  const names = ["skill", ...(usesArguments ? ["arg"] : [])].filter((name) => !taken.includes(name)).sort()
  return names.length === 0 ? "" : `import { ${names.join(", ")} } from "mcp-exec"`
}

/** A skill that goes by another name now says so. */
function renamed(code: string, name: string): string {
  const at = locateDeclaration(code)?.at ?? 0
  return code.slice(0, at) + code.slice(at).replace(/\bname\s*:\s*(["'])[^"'\n]*\1/, `name: ${JSON.stringify(name)}`)
}

function withHeader(declaration: Omit<SkillDeclaration, "args">, args: readonly NamedArgument[], code: string): string {
  const { name, description, servers = [] } = declaration
  const usage = usageLine({
    name,
    description,
    args: asRecord(args),
  })
  const options = args.map(({ name: key, description: text = "", required, default: value }) => {
    const note = required ? " (required)" : value === undefined ? "" : ` (default: ${value})`
    return `//   --${key}  ${text}${note}`
  })
  const lines = [
    `// SKILL: ${name}`,
    `// DESCRIPTION: ${description.replace(/\s+/g, " ")}`,
    ...(options.length > 0 ? ["// CLI ARGUMENTS:", ...options] : []),
    `// USAGE: ${usage}`,
    ...(servers.length > 0 ? [`// REQUIREMENTS: ${servers.join(", ")}`] : []),
  ]
  return `${lines.join("\n")}\n\n${code.trimStart()}`
}

/** What a script is for, in its own words: the comment at its top, or nothing. */
export function describedBy(code: string, from: string): string {
  const line =
    /^\s*(?:\/\/+|\/\*+)\s*([^\n*/][^\n]*)/
      .exec(code.replace(start, ""))?.[1]
      ?.replace(/\*\/\s*$/, "")
      .trim() ?? ""
  return /^(eslint|biome|prettier|@ts|usage\b)/i.test(line) || line === basename(from) ? "" : line
}
