// What a script takes from its command line, as declared arguments: `process.argv[2]` becomes `args.url`.
import type { ArgumentDeclaration, ArgumentKind } from "../guest/skill-declaration.ts"
import { maskSource } from "./mask-source.ts"

export interface NamedArgument extends ArgumentDeclaration {
  name: string
}

/** A piece of the text and what takes its place. */
export interface Replacement {
  start: number
  end: number
  text: string
}

export interface LiftedArguments {
  args: NamedArgument[]
  replacements: Replacement[]
}

const indexed = /\bprocess\s*\.\s*argv\s*\[\s*(\d+)\s*\]/g
const listed = /\bprocess\s*\.\s*argv(?:\s*\.\s*slice\s*\(\s*2\s*\))?(?!\s*[.[(]|\w)/g
const anyUse = /\bprocess\s*\.\s*argv\b/g
// Scripts that read their options themselves go on doing so.
const ownParser =
  /\bBun\s*\.\s*argv\b|\bDeno\s*\.\s*args\b|\bparseArgs\s*\(|\bprocess\s*\.\s*argv0?\s*\.\s*(?!slice\s*\(\s*2\s*\)(?!\s*\.))\w|\{[^}]*\bargv\b[^}]*\}\s*=\s*process\b/

/** The arguments that a script reads by position, named by `given` or as the script does; undefined when it has a way of its own. */
export function liftArguments(
  code: string,
  given: readonly NamedArgument[],
  parameter: string,
): LiftedArguments | undefined {
  const masked = maskSource(code)
  if (ownParser.test(masked)) return undefined
  const found = new Map<number, NamedArgument>()
  const replacements: Replacement[] = []
  for (const use of masked.matchAll(indexed)) {
    const position = Number(use[1]) - 2
    if (position < 0) return undefined
    const end = use.index + use[0].length
    const argument =
      given[position] ?? found.get(position) ?? unlike(found, position, guess(code, masked, use.index, end))
    found.set(position, argument)
    replacements.push({ start: use.index, end, text: `${parameter}.${argument.name}` })
  }
  for (const use of masked.matchAll(listed)) {
    const skipped = use[0].includes("slice") ? 0 : 2
    const names = destructured(code, masked.slice(0, use.index))?.slice(skipped)
    if (names === undefined && given.length === 0) return undefined
    for (const [position, argument] of (names ?? []).entries()) {
      if (argument !== undefined) found.set(position, given[position] ?? found.get(position) ?? argument)
    }
    const count = Math.max(given.length, ...[...found.keys()].map((key) => key + 1))
    const values = Array.from({ length: count }, (_, at) => {
      const argument = given[at] ?? found.get(at)
      return argument === undefined ? "undefined" : `${parameter}.${argument.name}`
    })
    const leading = Array.from({ length: skipped }, () => '""')
    replacements.push({
      start: use.index,
      end: use.index + use[0].length,
      text: `[${[...leading, ...values].join(", ")}]`,
    })
  }
  // A use that was not understood would read words that are no longer there.
  if ([...masked.matchAll(anyUse)].length > replacements.length) return undefined
  const inferred = [...found].sort(([a], [b]) => a - b).map(([, argument]) => argument)
  const args = [...given, ...inferred.filter(({ name }) => !given.some((each) => each.name === name))]
  return { args, replacements }
}

/** Applies replacements to a text. */
export function replaceAll(text: string, replacements: readonly Replacement[]): string {
  let result = ""
  let done = 0
  for (const { start, end, text: other } of [...replacements].sort((a, b) => a.start - b.start)) {
    result += text.slice(done, start) + other
    done = end
  }
  return result + text.slice(done)
}

/** An argument that shares its name with no other; one without a name is counted. */
function unlike(found: ReadonlyMap<number, NamedArgument>, position: number, argument: NamedArgument): NamedArgument {
  const isTaken = [...found.values()].some(({ name }) => name === argument.name)
  return isTaken || argument.name === "" ? { ...argument, name: `argument${position + 1}` } : argument
}

/** `const url = process.argv[2] ?? "x"`, `{ url: process.argv[2] }`: its name, kind and default, as the script has them. */
function guess(code: string, masked: string, start: number, end: number): NamedArgument {
  const before =
    /(?:\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=;\n]+)?=|[{,]\s*([A-Za-z_$][\w$]*)\s*:)\s*(Number\s*\(|Number\.parse\w+\s*\(|parse\w+\s*\(|\+)?\s*$/.exec(
      masked.slice(Math.max(0, start - 200), start),
    )
  const [, variable, key, reader] = before ?? []
  const kind: ArgumentKind = reader === undefined ? "string" : /Int/.test(reader) ? "integer" : "number"
  const fallback = /^\s*(?:\?\?|\|\|)\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)'|(-?\d+(?:\.\d+)?))?/.exec(code.slice(end))
  const value = fallback?.[1] ?? fallback?.[2] ?? fallback?.[3]
  return {
    name: variable ?? key ?? "",
    kind,
    ...(value !== undefined && { default: kind === "string" ? value : Number(value) }),
    ...(fallback === null && { required: true }),
  }
}

/** The names in `const [a, , b = "x"] =`, by position. */
function destructured(code: string, before: string): (NamedArgument | undefined)[] | undefined {
  const found = /\b(?:const|let|var)\s*\[([^\]]*)\]\s*(?::[^=;\n]+)?=\s*$/.exec(before)
  if (found === null || found[1]?.includes("...")) return undefined
  const start = found.index + found[0].indexOf("[") + 1
  return splitNames(code.slice(start, start + (found[1] as string).length))
}

/** The names in a list of variables or parameters, with their types and defaults. */
export function splitNames(list: string): (NamedArgument | undefined)[] {
  return list.split(",").map((part) => {
    const [, name, optional, type, fallback] =
      /^\s*([A-Za-z_$][\w$]*)(\?)?\s*(?::\s*([^=]*?))?\s*(?:=\s*(.+?))?\s*$/s.exec(part) ?? []
    if (name === undefined) return undefined
    const text = /^(["'])(.*)\1$/.exec(fallback ?? "")?.[2]
    const number = /^-?\d+(?:\.\d+)?$/.test(fallback ?? "") ? Number(fallback) : undefined
    const isFlag = type === "boolean" || fallback === "true" || fallback === "false"
    const kind: ArgumentKind = isFlag ? "boolean" : type === "number" || number !== undefined ? "number" : "string"
    const value = text ?? number ?? (isFlag && fallback !== undefined ? fallback === "true" : undefined)
    const isOptional = fallback !== undefined || optional !== undefined || isFlag
    return { name, kind, ...(value !== undefined && { default: value }), ...(!isOptional && { required: true }) }
  })
}
