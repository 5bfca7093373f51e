// A skill: a workflow whose parameters are command-line arguments. Its file declares it once, as the
// default export; this only holds it together. Nothing is parsed, checked or run by importing it.
import { stateOf } from "./broker-state.ts"
import { type Log, log } from "./log.ts"
import {
  type ArgumentDeclaration,
  declarationProblem,
  type ListItemKind,
  type SkillDeclaration,
} from "./skill-declaration.ts"
import type { State } from "./state.ts"
import { prepareWorkspace } from "./workspace.ts"

export type { ArgumentDeclaration, SkillDeclaration, State }

/** What a skill can use besides its arguments. */
export interface SkillContext {
  /** Where it was started. */
  cwd: string
  /** The folder where it may write. */
  workspace: string
  /** Small values that are still there in its next run. */
  state: State
  /** Progress, to stderr. */
  log: Log
}

export interface Skill<Arguments, Result> {
  readonly declaration: SkillDeclaration
  /** Runs it from other code. Arguments are taken as they are: no defaults, no checks. */
  run(args: Arguments, context?: SkillContext): Promise<Result>
}

/** What `run` gets: required and defaulted arguments are always there. */
export type SkillArguments<Args> = Joined<
  { -readonly [Name in keyof Args as Args[Name] extends AlwaysThere ? Name : never]: ValueOf<Args[Name]> } & {
    -readonly [Name in keyof Args as Args[Name] extends AlwaysThere ? never : Name]?: ValueOf<Args[Name]>
  }
>

type AlwaysThere = { required: true } | { default: unknown }
type Joined<Type> = { [Key in keyof Type]: Type[Key] }
type ValueOf<Argument> = Argument extends { kind: "string" | "file" }
  ? string
  : Argument extends { kind: "number" | "integer" }
    ? number
    : Argument extends { kind: "boolean" }
      ? boolean
      : Argument extends { kind: "enum"; values: readonly (infer Value)[] }
        ? Value
        : Argument extends { kind: "list"; of: "number" | "integer" }
          ? number[]
          : Argument extends { kind: "list" }
            ? string[]
            : unknown

/** Declares a skill. The file's default export must be one for `mcp-exec exec` to treat it as a skill. */
export function skill<const Args extends Record<string, ArgumentDeclaration> = Record<never, never>, Result = unknown>(
  declaration: Omit<SkillDeclaration, "args"> & { args?: Args },
  run: (args: SkillArguments<Args>, context: SkillContext) => Result | Promise<Result>,
): Skill<SkillArguments<Args>, Result> {
  const problem = typeof run === "function" ? declarationProblem(declaration) : "it needs a function to run"
  if (problem !== undefined) throw new TypeError(`This skill cannot be declared: ${problem}`)
  return {
    // By a symbol that all copies of this module share: wrappers may bring their own.
    [Symbol.for("mcp-exec.skill")]: true,
    declaration,
    run: async (args, context = contextOf(declaration.name)) => run(args, context),
  }
}

function contextOf(name: string): SkillContext {
  const workspace = prepareWorkspace(process.env)
  return { cwd: process.cwd(), workspace, state: stateOf(workspace, name), log }
}

interface Common<Value> {
  description?: string
  /** A run without it is refused. */
  required?: boolean
  default?: Value
  /** The variable that is asked before the default. `exec --env NAME` passes it on. */
  env?: string
}

interface Bounds {
  min?: number
  max?: number
}

interface NumberOptions extends Common<number>, Bounds {}
interface ListArgumentOptions extends Common<readonly string[] | readonly number[]>, Bounds {
  of?: ListItemKind
}

/** Options, and nothing that is not one: a misspelt option is a type error. */
type Only<Options, Allowed> = Options & { [Key in Exclude<keyof Options, keyof Allowed>]: never }

/** The kinds of arguments. */
export interface ArgumentKinds {
  string<const O extends Common<string>>(options?: Only<O, Common<string>>): { kind: "string" } & O
  /** A decimal number, as in `-1.5e3`. */
  number<const O extends NumberOptions>(options?: Only<O, NumberOptions>): { kind: "number" } & O
  /** Digits alone, with a sign if need be. */
  integer<const O extends NumberOptions>(options?: Only<O, NumberOptions>): { kind: "integer" } & O
  /** `--name`, `--no-name` or `--name=false`. */
  boolean<const O extends Common<boolean>>(options?: Only<O, Common<boolean>>): { kind: "boolean" } & O
  enum<const Value extends string, const O extends Common<NoInfer<Value>>>(
    values: readonly Value[],
    options?: Only<O, Common<NoInfer<Value>>>,
  ): { kind: "enum"; values: readonly Value[] } & O
  /** Given again for each item, or once as a JSON array. Commas do not separate items. */
  list<const O extends ListArgumentOptions>(options?: Only<O, ListArgumentOptions>): { kind: "list" } & O
  /** Any JSON value. */
  json<const O extends Common<unknown>>(options?: Only<O, Common<unknown>>): { kind: "json" } & O
  /** The path of a file that exists. The skill gets it absolute. */
  file<const O extends Common<string>>(options?: Only<O, Common<string>>): { kind: "file" } & O
}

function ofKind<const Kind extends ArgumentDeclaration["kind"]>(kind: Kind) {
  return <Options>(options?: Options): { kind: Kind } & Options => ({ ...(options as Options), kind })
}

/** Declares an argument of a skill: `arg.integer({ default: 10, min: 1 })`. */
export const arg: ArgumentKinds = {
  string: ofKind("string"),
  number: ofKind("number"),
  integer: ofKind("integer"),
  boolean: ofKind("boolean"),
  enum: (values, options) => ({ ...ofKind("enum")(options), values }),
  list: ofKind("list"),
  json: ofKind("json"),
  file: ofKind("file"),
}
