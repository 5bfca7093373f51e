// The command line: words → one command → an exit code. Commands are thin: flags, one operation, one
// view; what an operation needs is loaded when it runs. Nothing below this folder prints or exits.
import { Command, CommanderError } from "@commander-js/extra-typings"
import { exitCodeFor, McpExecError } from "../errors.ts"
import { registerCall } from "./commands/call.ts"
import { registerCat } from "./commands/cat.ts"
import { registerCompletions } from "./commands/completions.ts"
import { registerDaemon } from "./commands/daemon.ts"
import { registerDiscover } from "./commands/discover.ts"
import { registerDoctor } from "./commands/doctor.ts"
import { registerExec } from "./commands/exec.ts"
import { registerGenerate } from "./commands/generate.ts"
import { registerInit } from "./commands/init.ts"
import { registerLs } from "./commands/ls.ts"
import { registerSandbox } from "./commands/sandbox.ts"
import { registerSearch } from "./commands/search.ts"
import { registerServe } from "./commands/serve.ts"
import { registerServers } from "./commands/servers.ts"
import { registerSkills } from "./commands/skills.ts"
import { registerTools } from "./commands/tools.ts"
import { addGlobalOptions, readGlobals, versionRequested } from "./globals.ts"
import type { CliIo } from "./io.ts"
import { createOutput } from "./output.ts"

/** Runs one command line, without the program's name, and resolves to the exit code. */
export async function runCli(argv: string[], io: CliIo): Promise<number> {
  const program = createProgram(io)
  try {
    await program.parseAsync(argv, { from: "user" })
    return io.exitCode
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return 0
    if (error instanceof CommanderError && error.code === versionRequested) return await printVersion(argv, io)
    const problem = error instanceof CommanderError ? usageError(error, program) : error
    createOutput(io, readGlobals(program)).error(problem)
    return io.exitCode || exitCodeFor(problem)
  } finally {
    await io.flush()
  }
}

function createProgram(io: CliIo): Command {
  const program = new Command("mcp-exec")
  program
    .description("Runs TypeScript against MCP servers, and calls their tools.")
    .usage("<command> [options]")
    // Options after `exec <script>` belong to the script, so each command has its own parser.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout(text),
      // Only help is written here: what is printed when no command was given.
      writeErr: (text) => io.stdout(text),
      outputError: () => {},
      getOutHelpWidth: () => io.columns ?? 100,
      getErrHelpWidth: () => io.columns ?? 100,
    })
  addGlobalOptions(program)
  registerInit(program, io)
  registerExec(program, io)
  registerGenerate(program, io)
  registerLs(program, io)
  registerCat(program, io)
  registerSearch(program, io)
  registerSkills(program, io)
  registerCall(program, io)
  registerServers(program, io)
  registerServe(program, io)
  registerTools(program, io)
  registerSandbox(program, io)
  registerDaemon(program, io)
  registerDiscover(program, io)
  registerDoctor(program, io)
  registerCompletions(program, io)
  program.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec exec report.ts --since monday
  $ mcp-exec generate
  $ mcp-exec cat files.read_text_file
  $ mcp-exec servers --check
  $ mcp-exec call files.list_directory path=.

Exit codes: 0 done, 1 the script or the tool failed, 2 wrong usage, 3 configuration, 4 a server could
not be reached, 5 refused, 124 timed out, 130 and 143 interrupted.`,
  )
  return program
}

function isHelp(error: CommanderError): boolean {
  return error.code === "commander.help" || error.code === "commander.helpDisplayed"
}

async function printVersion(argv: string[], io: CliIo): Promise<number> {
  const { version } = await import("../version.ts")
  io.stdout(argv.includes("--json") ? `${JSON.stringify({ version })}\n` : `${version}\n`)
  return 0
}

/** Commander's message is one line, and a second when it knows a better word. */
function usageError(error: CommanderError, program: Command): McpExecError {
  const [message = "", suggestion] = error.message.replace(/^error: /, "").split("\n")
  const hint = scriptHint(program) ?? suggestion?.replace(/^\((.*)\)$/, "$1") ?? hintFor(error, program)
  return new McpExecError("E_USAGE", message.charAt(0).toUpperCase() + message.slice(1), {
    hint,
    details: { reason: error.code },
  })
}

/** Whoever names a script without a command wants it run. */
function scriptHint(program: Command): string | undefined {
  const [word = ""] = program.args
  return /\.[cm]?[jt]sx?$/.test(word) ? `To run a script: mcp-exec exec ${word}` : undefined
}

function hintFor(error: CommanderError, program: Command): string {
  const isForTool = error.code === "commander.unknownOption" && program.args[0] === "call"
  if (isForTool) return "Arguments of a tool are written without dashes: key=value."
  if (error.code !== "commander.unknownCommand") return "Run mcp-exec --help, or mcp-exec <command> --help."
  const group = program.commands.find((each) => each.name() === program.args[0] && each.commands.length > 0) ?? program
  return `The commands are ${group.commands.map((command) => command.name()).join(", ")}.`
}
