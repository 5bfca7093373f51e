// A skill in words: its usage line, its help, and what `cat` shows of it. What a skill says of itself
// may come from anywhere, so nothing in it may break out of its line.
import { printable } from "../printable.ts"
import { type ArgumentDeclaration, isRequired, optionName, type SkillDeclaration } from "./skill-declaration.ts"

type Argument = [name: string, declaration: ArgumentDeclaration]

// The rule for descriptions of Agent Skills; what is longer is cut.
const longestText = 1024
const mostValuesShown = 6

/** How it is called, in one line. */
export function usageLine(declaration: SkillDeclaration): string {
  const words = argumentsOf(declaration).map(([name, argument]) => {
    return isRequired(argument) ? optionWord(name, argument) : `[${optionalWord(name, argument)}]`
  })
  return ["mcp-exec exec", inLine(declaration.name), ...words].join(" ")
}

/** What `exec <skill> --help` prints. */
export function helpText(declaration: SkillDeclaration): string {
  const { description, whenToUse, servers = [], returns, examples = [] } = declaration
  return paragraphs([
    `Usage: ${usageLine(declaration)}`,
    inLine(description),
    whenToUse && `When to use: ${inLine(whenToUse)}`,
    section("Arguments", argumentLines(declaration)),
    servers.length > 0 && `Servers: ${servers.map(inLine).join(", ")}`,
    returns && `Returns: ${inLine(returns)}`,
    section(
      "Examples",
      examples.map((example) => `  ${inLine(example)}`),
    ),
  ]).join("\n\n")
}

/** What `cat <skill>` prints: enough to call it, in few words. What must be given stands in the usage line. */
export function describeSkill(declaration: SkillDeclaration): string {
  const { name, description, whenToUse, returns } = declaration
  const all = argumentsOf(declaration)
  const required = all.filter(([, argument]) => isRequired(argument))
  const optional = all.filter(([, argument]) => !isRequired(argument))
  const words = [
    ...required.map(([key, argument]) => optionWord(key, argument)),
    ...(optional.length > 0 ? ["[options]"] : []),
  ]
  const lines = [
    ...required.map(([key, argument]) => [`--${option(key)}`, explain(argument, [])]).filter(([, text]) => text !== ""),
    ...optional.map(([key, argument]) => [
      optionalWord(key, argument),
      // `--no-x` says by itself what happens without it.
      explain(isSwitchedOff(argument) ? { ...argument, default: undefined } : argument, []),
    ]),
  ]
  return paragraphs([
    `${inLine(name)}: ${inLine(description)}`,
    whenToUse && `When to use: ${inLine(whenToUse)}`,
    `Usage: ${["mcp-exec exec", inLine(name), ...words].join(" ")}`,
    ...lines.map((parts) => `  ${parts.filter((part) => part !== "").join(" ")}`),
    returns && `Returns: ${inLine(returns)}`,
  ]).join("\n")
}

/** An option as it is written: `--limit <integer>`, `--tag <string> …`, `--verbose`. */
function optionWord(name: string, { kind, values = [], of = "string" }: ArgumentDeclaration): string {
  const word = `--${option(name)}`
  switch (kind) {
    case "boolean":
      return word
    case "enum":
      return `${word} <${shownValues(values)}>`
    case "list":
      return `${word} <${of}> …`
    default:
      return `${word} <${kind}>`
  }
}

/** A boolean that is on by itself is only ever switched off. */
function optionalWord(name: string, argument: ArgumentDeclaration): string {
  return isSwitchedOff(argument) ? `--no-${option(name)}` : optionWord(name, argument)
}

function isSwitchedOff({ kind, default: value }: ArgumentDeclaration): boolean {
  return kind === "boolean" && value === true
}

function argumentLines(declaration: SkillDeclaration): string[] {
  return argumentsOf(declaration).map(([name, argument]) => {
    const text = explain(argument, isRequired(argument) ? ["required"] : [])
    return `  ${[optionWord(name, argument), text].filter((part) => part !== "").join("  ")}`
  })
}

/** What an argument means, and what it may be. */
function explain(argument: ArgumentDeclaration, notes: string[]): string {
  const all = [...notes, ...boundsOf(argument), ...defaultsOf(argument)]
  return [inLine(argument.description ?? ""), all.length > 0 ? `(${all.join(", ")})` : ""]
    .filter((part) => part !== "")
    .join(" ")
}

function boundsOf({ min, max }: ArgumentDeclaration): string[] {
  if (min !== undefined && max !== undefined) return [`${min} to ${max}`]
  // That a count is not negative goes without saying.
  if (min !== undefined) return min === 0 || min === 1 ? [] : [`at least ${min}`]
  return max === undefined ? [] : [`at most ${max}`]
}

function defaultsOf(argument: ArgumentDeclaration): string[] {
  const { default: value, env } = argument
  // That nothing is given when nothing is given goes without saying.
  const shown = isNothing(value) ? [] : [`default ${inLine(wordsFor(value))}`]
  return env === undefined ? shown : [`or $${inLine(env)}`, ...shown]
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === false || ["", "[]", "{}"].includes(wordsFor(value))
}

function wordsFor(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value))
}

function shownValues(values: readonly string[]): string {
  const shown = values.slice(0, mostValuesShown).map(inLine)
  return [...shown, ...(values.length > mostValuesShown ? ["…"] : [])].join("|")
}

function argumentsOf({ args = {} }: SkillDeclaration): Argument[] {
  return Object.entries(args)
}

function option(name: string): string {
  return inLine(optionName(name))
}

/** Text in one line, without what drives a terminal. */
function inLine(text: string): string {
  const line = printable(text).replace(/\s+/g, " ").trim()
  return line.length > longestText ? `${line.slice(0, longestText)}…` : line
}

function section(title: string, lines: string[]): string | false {
  return lines.length > 0 && [`${title}:`, ...lines].join("\n")
}

function paragraphs(parts: (string | false | undefined)[]): string[] {
  return parts.filter((part) => typeof part === "string" && part !== "") as string[]
}
