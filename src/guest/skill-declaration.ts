// How a skill describes itself: plain data, written once in the skill's file. Parsing of arguments,
// help, listings and schemas all come from it, so it must stay free of behaviour and of imports.

export type ArgumentKind = "string" | "number" | "integer" | "boolean" | "enum" | "list" | "json" | "file"
export type ListItemKind = "string" | "number" | "integer"

export interface ArgumentDeclaration {
  kind: ArgumentKind
  description?: string
  required?: boolean
  /** What the skill gets when the argument is not given. */
  default?: unknown
  /** The variable that is asked before the default. */
  env?: string
  /** Bounds of a number, or of each number in a list. */
  min?: number
  max?: number
  /** What an enum may be. */
  values?: readonly string[]
  /** What a list holds; strings when absent. */
  of?: ListItemKind
}

export interface SkillDeclaration {
  /** Lower-case words with hyphens, as in the name of its file. */
  name: string
  description: string
  whenToUse?: string
  args?: Readonly<Record<string, ArgumentDeclaration>>
  /** The servers it calls. */
  servers?: readonly string[]
  /** What it gives back, in words. */
  returns?: string
  /** Command lines that work. */
  examples?: readonly string[]
}

/** The option that gives an argument its value, without the dashes: `maxItems` is `max-items`. */
export function optionName(argument: string): string {
  // Most are plain words, and a listing asks for thousands.
  if (/^[a-z]+$/.test(argument)) return argument
  return argument
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .replace(/[_\s]+/g, "-")
    .toLowerCase()
}

/** True when a run cannot do without it. A default makes the word `required` meaningless. */
export function isRequired(argument: ArgumentDeclaration): boolean {
  return argument.required === true && argument.default === undefined
}

const kinds: readonly string[] = ["string", "number", "integer", "boolean", "enum", "list", "json", "file"]

/** What is wrong with a declaration, in words. Skills may be JavaScript, where no types were checked. */
export function declarationProblem(declaration: unknown): string | undefined {
  if (!isObject(declaration)) return "the declaration must be an object"
  const { name, description, args = {} } = declaration
  if (typeof name !== "string" || name === "") return "it needs a name"
  if (typeof description !== "string") return "it needs a description"
  if (!isObject(args)) return "args must be an object"
  const options = new Map<string, string>([["help", "--help"]])
  for (const [key, argument] of Object.entries(args)) {
    const option = optionName(key)
    const same = options.get(option)
    if (same !== undefined) return `the argument ${key} cannot be told from ${same}`
    if (!/^(?:[a-z]|[\p{L}\p{N}])[^\s=]*$/u.test(option)) return `the argument ${key} cannot be written as an option`
    options.set(option, key)
    if (!isObject(argument) || typeof argument.kind !== "string" || !kinds.includes(argument.kind)) {
      return `the argument ${key} must be declared with arg, as in arg.string()`
    }
  }
  return undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
