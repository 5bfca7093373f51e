// From a file's text to what the skill says of itself, without running it: listing skills must be safe
// whoever wrote them. What cannot be read is named, and the rest is shown all the same.
import {
  type ArgumentDeclaration,
  type ArgumentKind,
  declarationProblem,
  type SkillDeclaration,
} from "../guest/skill-declaration.ts"
import { locateDeclaration } from "./locate-declaration.ts"
import { readHeader } from "./read-header.ts"
import { readLiteral } from "./read-literal.ts"

/** How a skill describes itself: with `skill(…)`, in a header comment, or not at all. */
export type DeclarationForm = "declared" | "header" | "none"

export interface ReadDeclaration {
  form: DeclarationForm
  declaration: SkillDeclaration
  problems: string[]
}

const kinds: ArgumentKind[] = ["string", "number", "integer", "boolean", "enum", "list", "json", "file"]

const members = ["name", "description", "whenToUse", "args", "servers", "returns", "examples"]

const mostProblems = 20

/** Reads the declaration of the skill in `text`, which goes by `name`. */
export function readDeclaration(text: string, name: string): ReadDeclaration {
  const located = locateDeclaration(text)
  if (located === undefined) return readHeader(text, name)
  const { value, dynamic } = readLiteral(located, located.at)
  const problems = dynamic.slice(0, mostProblems).map((path) => `cannot be read without running: ${path}`)
  // Most are as they should be, and need not be taken apart to find that out.
  const declaration = problems.length === 0 && isComplete(value, name) ? value : shape(value, name, problems)
  // What would stop it as soon as it is run.
  const fatal = declarationProblem(declaration)
  return { form: "declared", declaration, problems: fatal === undefined ? problems : [...problems, fatal] }
}

/** True for what could have been read of the skill `name`. */
export function isDeclaration(value: unknown, name: string): value is SkillDeclaration {
  if (!isRecord(value) || value.name !== name || typeof value.description !== "string") return false
  const { whenToUse = "", returns = "", servers = [], examples = [], args = {} } = value
  return (
    typeof whenToUse === "string" &&
    typeof returns === "string" &&
    isTexts(servers) &&
    isTexts(examples) &&
    isRecord(args) &&
    Object.values(args).every(isArgument)
  )
}

function isComplete(value: unknown, name: string): value is SkillDeclaration {
  if (!isDeclaration(value, name) || value.description.trim() === "") return false
  for (const key in value) if (!members.includes(key)) return false
  return true
}

/** Only what has the form of a declaration: what does not fit is a problem, and left out. */
function shape(value: unknown, name: string, problems: string[]): SkillDeclaration {
  const given = isRecord(value) ? value : {}
  const hidden = (key: string) => problems.some((problem) => problem.endsWith(`: ${key}`)) || !isRecord(value)
  const text = (key: string): string | undefined => {
    const found = given[key]
    if (typeof found === "string") return found
    if (found !== undefined) problems.push(`${key} must be a text`)
    return undefined
  }
  const texts = (key: string): string[] | undefined => {
    const found = given[key]
    if (found === undefined) return undefined
    if (isTexts(found)) return found
    problems.push(`${key} must be a list of texts`)
    return undefined
  }
  const declared = text("name")
  if (declared === undefined && !hidden("name")) problems.push("name is missing")
  if (declared !== undefined && declared !== name) problems.push(`name is '${declared}', but the file's is '${name}'`)
  const description = text("description")
  if (!description?.trim() && !hidden("description")) problems.push("description is missing")
  const whenToUse = text("whenToUse")
  const returns = text("returns")
  const servers = texts("servers")
  const examples = texts("examples")
  const args = shapeArguments(given.args, problems)
  return {
    name,
    description: description ?? "",
    ...(whenToUse !== undefined && { whenToUse }),
    ...(args !== undefined && { args }),
    ...(servers !== undefined && { servers }),
    ...(returns !== undefined && { returns }),
    ...(examples !== undefined && { examples }),
  }
}

function shapeArguments(args: unknown, problems: string[]): Record<string, ArgumentDeclaration> | undefined {
  if (args === undefined) return undefined
  if (!isRecord(args)) {
    problems.push("args must be an object")
    return undefined
  }
  const entries = Object.entries(args).flatMap(([name, given]) => {
    if (isRecord(given) && kinds.includes(given.kind as ArgumentKind))
      return [[name, shapeArgument(name, given, problems)]]
    problems.push(`args.${name} must be made with arg.${kinds.join(", arg.")}`)
    return []
  })
  return Object.fromEntries(entries)
}

const fields: Record<Exclude<keyof ArgumentDeclaration, "kind" | "default">, (value: unknown) => boolean> = {
  description: (value) => typeof value === "string",
  required: (value) => typeof value === "boolean",
  env: (value) => typeof value === "string",
  min: (value) => typeof value === "number",
  max: (value) => typeof value === "number",
  values: isTexts,
  of: (value) => ["string", "number", "integer"].includes(value as string),
}

function shapeArgument(name: string, given: Record<string, unknown>, problems: string[]): ArgumentDeclaration {
  const entries = Object.entries(given).filter(([key, value]) => {
    if (key === "kind" || key === "default" || value === undefined) return value !== undefined
    const fits = Object.hasOwn(fields, key) && fields[key as keyof typeof fields](value)
    if (!fits)
      problems.push(`args.${name}.${key} ${Object.hasOwn(fields, key) ? "has the wrong type" : "is not known"}`)
    return fits
  })
  return Object.fromEntries(entries) as unknown as ArgumentDeclaration
}

function isArgument(value: unknown): boolean {
  if (!isRecord(value) || !kinds.includes(value.kind as ArgumentKind)) return false
  for (const key in value) {
    if (
      key !== "kind" &&
      key !== "default" &&
      !(Object.hasOwn(fields, key) && fields[key as keyof typeof fields](value[key]))
    )
      return false
  }
  return true
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string")
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
