// The options that every command takes, before and after its name.
import { CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings"

export interface Globals {
  config: string | undefined
  cwd: string | undefined
  json: boolean
  quiet: boolean
  verbose: boolean
  color: boolean
}

/** The code of the error that ends the parsing when --version is met. */
export const versionRequested = "commander.version"

/** Adds the options that work everywhere. Call it after a command's own, which are listed first. */
export function addGlobalOptions(command: CommandUnknownOpts): void {
  command
    .optionsGroup("Everywhere:")
    .option("--config <file>", "configuration file (default: the nearest mcp_config.json from here upward)")
    .option("--cwd <dir>", "act as if started in this folder")
    .option("--json", "print one JSON value on stdout, nothing else")
    .option("--quiet", "print errors only")
    .option("--verbose", "print debug messages, and the causes of errors")
    .option("--no-color", "never use colour")
    .option("-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .on("option:version", () => {
      throw new CommanderError(0, versionRequested, "")
    })
}

/** What was given of them, wherever in the command line it stood. */
export function readGlobals(program: CommandUnknownOpts): Globals {
  const given: Record<string, unknown> = {}
  const collect = (command: CommandUnknownOpts) => {
    for (const [name, value] of Object.entries(command.opts())) {
      if (command.getOptionValueSource(name) === "cli") given[name] = value
    }
    for (const subcommand of command.commands) collect(subcommand)
  }
  collect(program)
  return {
    config: typeof given.config === "string" ? given.config : undefined,
    cwd: typeof given.cwd === "string" ? given.cwd : undefined,
    json: given.json === true,
    quiet: given.quiet === true,
    verbose: given.verbose === true,
    color: given.color !== false,
  }
}
