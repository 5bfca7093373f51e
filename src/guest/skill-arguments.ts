// The words after a skill's name, read by its declaration. Everything that is wrong is said at once:
// whoever called it should need one more try, not one for each mistake.
import { McpExecError } from "../errors.ts"
import { suggest } from "../suggest.ts"
import { readValue, shown, type Where } from "./argument-value.ts"
import { type ArgumentDeclaration, isRequired, optionName, type SkillDeclaration } from "./skill-declaration.ts"
import { usageLine } from "./skill-usage.ts"

/** Where a skill is called: relative paths and variables are found there. */
export interface Surroundings {
  cwd: string
  env: Record<string, string | undefined>
}

export type ReadArguments =
  | { kind: "help" }
  | { kind: "values"; values: Record<string, unknown> }
  | { kind: "refused"; error: McpExecError }

type Declared = Readonly<Record<string, ArgumentDeclaration>>

interface Given {
  help: boolean
  /** Each argument's texts in the order they were given; empty when its value is missing. */
  texts: Map<string, string[]>
  problems: string[]
}

/** Values for a skill's arguments: from its words, then from variables, then from defaults. */
export function readArguments(
  declaration: SkillDeclaration,
  words: readonly string[],
  surroundings: Surroundings,
): ReadArguments {
  const declared = declaration.args ?? {}
  const { help, texts, problems } = sortWords(declared, words)
  if (help) return { kind: "help" }
  const values: [string, unknown][] = []
  for (const [name, argument] of Object.entries(declared)) {
    const source = sourceOf(name, argument, texts, surroundings)
    if (source === undefined) {
      if (isRequired(argument)) problems.push(missing(name, argument))
    } else if ("value" in source) {
      if (source.value !== undefined) values.push([name, source.value])
    } else {
      const reading = readValue(argument, source.texts, source.where)
      if ("problem" in reading) problems.push(reading.problem)
      else values.push([name, reading.value])
    }
  }
  return problems.length === 0
    ? { kind: "values", values: Object.fromEntries(values) }
    : { kind: "refused", error: usageError(declaration, problems) }
}

type Source = { texts: string[]; where: Where } | { value: unknown }

function sourceOf(
  name: string,
  argument: ArgumentDeclaration,
  given: ReadonlyMap<string, string[]>,
  { cwd, env }: Surroundings,
): Source | undefined {
  const label = `--${optionName(name)}`
  const texts = given.get(name)
  // The missing value has been complained about.
  if (texts?.length === 0) return { value: undefined }
  if (texts !== undefined) return { texts, where: { label, cwd } }
  const variable = argument.env === undefined ? undefined : env[argument.env]
  // An empty variable is one that somebody switched off.
  if (variable) return { texts: [variable], where: { label: `$${argument.env}, for ${label},`, cwd } }
  const { default: fallback } = argument
  if (fallback === undefined) return undefined
  if (argument.kind === "file") return { texts: [String(fallback)], where: { label: `${label}, by default,`, cwd } }
  return { value: fallback }
}

function missing(name: string, { description, env }: ArgumentDeclaration): string {
  const variable = env === undefined ? "" : `, unless ${env} is set and passed on (exec --env ${env})`
  return `--${optionName(name)} is required${variable}${description ? `: ${description}` : ""}`
}

/** Tells options from other words, and gives the other words to required arguments that are still open. */
function sortWords(declared: Declared, words: readonly string[]): Given {
  const options = new Map(Object.keys(declared).map((name) => [optionName(name), name]))
  const given: Given = { help: false, texts: new Map(), problems: [] }
  const others: string[] = []
  // `exec skill -- --url x`: a first -- only parts the skill's words from those of exec.
  const rest = words[0] === "--" ? words.slice(1) : [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") others.push(...rest.splice(0))
    else if (word === "--help" || word === "-h") given.help = true
    else if (word.startsWith("--")) takeOption(word, rest, declared, options, given)
    else if (/^-[^\d.]/.test(word)) given.problems.push(unknownOption(word, options))
    else others.push(word)
  }
  placeOthers(others, declared, given)
  return given
}

function takeOption(
  word: string,
  rest: string[],
  declared: Declared,
  options: ReadonlyMap<string, string>,
  { texts, problems }: Given,
): void {
  const at = word.indexOf("=")
  const option = at < 0 ? word.slice(2) : word.slice(2, at)
  const attached = at < 0 ? undefined : word.slice(at + 1)
  // A word with dashes is the next option; as a value it is written --name=--value.
  const next = () => (rest[0] === undefined || rest[0].startsWith("--") ? undefined : rest.shift())
  const name = options.get(optionName(option))
  const argument = name === undefined ? undefined : declared[name]
  if (name === undefined || argument === undefined) {
    const switchedOff = option.startsWith("no-") ? options.get(optionName(option.slice(3))) : undefined
    if (switchedOff !== undefined && declared[switchedOff]?.kind === "boolean" && attached === undefined) {
      return add(switchedOff, "false")
    }
    problems.push(unknownOption(`--${option}`, options))
    // What follows was meant for it, and is no mistake of its own.
    if (attached === undefined) next()
    return
  }
  const text = attached ?? (argument.kind === "boolean" ? "true" : next())
  if (text !== undefined) return add(name, text)
  texts.set(name, [])
  problems.push(`--${option} needs a value`)

  function add(argumentName: string, value: string): void {
    const before = texts.get(argumentName)
    if (before === undefined) texts.set(argumentName, [value])
    else if (declared[argumentName]?.kind === "list") before.push(value)
    else problems.push(`--${optionName(argumentName)} is given twice`)
  }
}

function unknownOption(word: string, options: ReadonlyMap<string, string>): string {
  const meant = suggest(word.replace(/^-+/, ""), options.keys())
  return `${shown(word)} is not an option${meant === undefined ? "" : `; did you mean --${meant}?`}`
}

function placeOthers(others: readonly string[], declared: Declared, { texts, problems }: Given): void {
  const open = Object.entries(declared).filter(([name, argument]) => isRequired(argument) && !texts.has(name))
  others.forEach((word, index) => {
    const [name, argument] = open[Math.min(index, open.length - 1)] ?? []
    const before = name === undefined ? undefined : texts.get(name)
    if (name === undefined || (before !== undefined && argument?.kind !== "list")) {
      problems.push(`${shown(word)} belongs to no option`)
    } else if (before === undefined) texts.set(name, [word])
    else before.push(word)
  })
}

function usageError(declaration: SkillDeclaration, problems: readonly string[]): McpExecError {
  const [first = "", ...more] = problems
  const name = declaration.name
  const message = more.length === 0 ? `${name}: ${first}` : [`${name}:`, ...problems].join("\n  ")
  return new McpExecError("E_USAGE", message, { hint: `Usage: ${usageLine(declaration)}`, details: { problems } })
}
