// What may follow on a command line that is still being typed. Reads skills and the manifest, starts no
// server, and fails silently: a shell that waits for words cannot show errors.
import type { CommandUnknownOpts } from "@commander-js/extra-typings"
import type { Nameable, NameableSkill } from "../operations/nameable.ts"
import { printable } from "../printable.ts"

export interface Suggestion {
  value: string
  description: string
}

export interface Suggestions {
  words: Suggestion[]
  /** The shell may add the names of files. */
  files: boolean
}

/** What there is to name in this project; asked for when it matters. */
export type Names = () => Promise<Nameable>

const none: Suggestions = { words: [], files: false }

/** `words` come after the program's name; the last is being typed and may be empty. */
export async function complete(
  program: CommandUnknownOpts,
  words: readonly string[],
  names: Names,
): Promise<Suggestions> {
  const typed = words.at(-1) ?? ""
  const before = words.slice(0, -1)
  const { command, rest } = findCommand(program, before)
  const found =
    command.name() === "exec"
      ? await completeExec(command, rest, typed, names)
      : await completeCommand(command, rest, typed, names)
  // Shells expand what they are given: a tool called $(reboot) must not get that far.
  const fitting = found.words.filter(({ value }) => value.startsWith(typed) && isPlain(value))
  return { ...found, words: fitting }
}

/** The command that was named, and the words after it. */
function findCommand(program: CommandUnknownOpts, words: readonly string[]) {
  let command = program
  let rest = [...words]
  for (;;) {
    const [first = ""] = rest
    const next = command.commands.find((each) => each.name() === first || each.aliases().includes(first))
    if (next === undefined) return { command, rest }
    command = next
    rest = rest.slice(1)
  }
}

async function completeCommand(
  command: CommandUnknownOpts,
  rest: readonly string[],
  typed: string,
  names: Names,
): Promise<Suggestions> {
  const option = optionBefore(command, rest)
  if (option !== undefined) return await completeValue(option, names)
  if (typed.startsWith("-")) return { words: optionsOf(command), files: false }
  const subcommands = command.createHelp().visibleCommands(command)
  if (subcommands.length > 0) {
    return { words: subcommands.map((each) => suggestion(each.name(), each.summary())), files: false }
  }
  return await completeArgument(command.name(), command.parent?.name() ?? "", names)
}

async function completeArgument(command: string, parent: string, names: Names): Promise<Suggestions> {
  const { skills, servers } = await names()
  const ofSkills = skills.map(({ name, description }) => suggestion(name, description))
  const ofServers = servers.map(({ name }) => suggestion(name, "server"))
  const ofTools = servers.flatMap(({ name, tools }) => tools.map((tool) => suggestion(`${name}.${tool}`, "")))
  switch (parent === "skills" ? parent : command) {
    case "ls":
      return { words: [suggestion("skills", ""), suggestion("servers", ""), ...ofServers], files: false }
    case "cat":
      return { words: [...ofSkills, ...ofServers, ...ofTools], files: false }
    case "call":
    case "discover":
      return { words: ofTools, files: false }
    case "tools":
    case "generate":
      return { words: ofServers, files: false }
    case "skills":
      return { words: ofSkills, files: true }
    case "completions":
      return { words: ["bash", "zsh", "fish", "powershell"].map((shell) => suggestion(shell, "")), files: false }
    default:
      return { words: [], files: true }
  }
}

/** Options stand before the script; what follows it belongs to the script, and a skill says what that is. */
async function completeExec(
  command: CommandUnknownOpts,
  rest: readonly string[],
  typed: string,
  names: Names,
): Promise<Suggestions> {
  const at = scriptPlace(command, rest)
  if (at === undefined) {
    const option = optionBefore(command, rest)
    if (option !== undefined) return await completeValue(option, names)
    if (typed.startsWith("-")) return { words: optionsOf(command), files: false }
    const { skills } = await names()
    return { words: skills.map(({ name, description }) => suggestion(name, description)), files: true }
  }
  const skill = (await names()).skills.find(({ name }) => name === rest[at])
  return skill === undefined ? { words: [], files: true } : completeSkill(skill, rest, typed)
}

function completeSkill({ options }: NameableSkill, rest: readonly string[], typed: string): Suggestions {
  const taking = options.find(({ flag, takes }) => takes !== "nothing" && flag === rest.at(-1))
  if (taking !== undefined) {
    return { words: taking.values.map((value) => suggestion(value, "")), files: taking.values.length === 0 }
  }
  if (typed !== "" && !typed.startsWith("-")) return { words: [], files: true }
  const flags = options.map(({ flag, description }) => suggestion(flag, description))
  return { words: [...flags, suggestion("--help", "how it is called")], files: false }
}

/** Where the script stands among the words after `exec`; undefined while it has not been named. */
function scriptPlace(command: CommandUnknownOpts, rest: readonly string[]): number | undefined {
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? ""
    if (word === "-e" || word === "--eval") return at + 1
    if (word === "-" || !word.startsWith("-")) return at
    if (takesValue(command, word)) at++
  }
  return undefined
}

function optionBefore(command: CommandUnknownOpts, rest: readonly string[]): string | undefined {
  const previous = rest.at(-1) ?? ""
  return takesValue(command, previous) ? previous : undefined
}

function takesValue(command: CommandUnknownOpts, word: string): boolean {
  return command.options.some((option) => (option.long === word || option.short === word) && option.required)
}

async function completeValue(option: string, names: Names): Promise<Suggestions> {
  switch (option) {
    case "--server":
      return { words: (await names()).servers.map(({ name }) => suggestion(name, "server")), files: false }
    case "--detail":
      return { words: ["name", "description", "full"].map((level) => suggestion(level, "")), files: false }
    case "--workspace":
      return { words: ["rw", "ro", "none"].map((mode) => suggestion(mode, "")), files: false }
    case "--config":
    case "--cwd":
    case "--from":
      return { words: [], files: true }
    default:
      return none
  }
}

function optionsOf(command: CommandUnknownOpts): Suggestion[] {
  const visible = command.createHelp().visibleOptions(command)
  return visible.flatMap(({ long, description }) => (long ? suggestion(long, description) : []))
}

function suggestion(value: string, description: string): Suggestion {
  return {
    value,
    description: printable(description)
      .replace(/[`$\\]/g, "")
      .replace(/\s+/g, " "),
  }
}

function isPlain(value: string): boolean {
  return /^[\p{L}\p{N}_.\-/:@+,=%]+$/u.test(value)
}
